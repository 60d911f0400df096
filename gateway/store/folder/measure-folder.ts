import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";

/** Max concurrent file checks, so that a library of many thousand files does not fill the shared thread pool. */
const TOGETHER = 8;

export interface Measure {
  bytes: number;
  files: number;
}

/**
 * Sums the sizes below a folder in the background. Links are not followed; entries removed meanwhile do not count.
 * @param partOf returns the sum to which a name directly in the folder belongs
 */
export async function measureFolder<Part extends string>(
  dir: string,
  partOf: (name: string) => Part,
): Promise<Map<Part, Measure>> {
  const sums = new Map<Part, Measure>();
  for (const name of await findNames(dir)) {
    const part = partOf(name);
    const sum = sums.get(part) ?? { bytes: 0, files: 0 };
    sums.set(part, sum);
    await add(join(dir, name), sum);
  }
  return sums;
}

/** Everything below a path. */
export async function measure(path: string): Promise<Measure> {
  const sum = { bytes: 0, files: 0 };
  await add(path, sum);
  return sum;
}

async function add(path: string, sum: Measure): Promise<void> {
  const found = await lstat(path).catch(() => null);
  if (found === null) return;
  if (!found.isDirectory()) {
    sum.bytes += found.size;
    sum.files += 1;
    return;
  }
  const names = await findNames(path);
  for (let from = 0; from < names.length; from += TOGETHER) {
    await Promise.all(names.slice(from, from + TOGETHER).map((name) => add(join(path, name), sum)));
  }
}

const findNames = (path: string): Promise<string[]> => readdir(path).catch(() => []);
