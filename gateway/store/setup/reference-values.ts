import { readFile, stat } from "node:fs/promises";
import { FILE, SECRET, referencesIn } from "../../core/setup/references.ts";

/** No secret has more. */
const MOST_BYTES = 64 * 1024;

/**
 * What the `${…}` of a configuration file stand for: variables of the environment, and files as those of `/run/secrets`,
 * without the line end at their end. What there is not is left out.
 */
export async function referenceValues(
  text: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Record<string, string>> {
  const values: Record<string, string> = {};
  for (const name of referencesIn(text)) {
    if (name.startsWith(SECRET)) continue;
    const value = name.startsWith(FILE) ? await contentOf(name.slice(FILE.length)) : env[name];
    if (value !== undefined) values[name] = value;
  }
  return values;
}

async function contentOf(path: string): Promise<string | undefined> {
  try {
    const found = await stat(path);
    if (!found.isFile() || found.size > MOST_BYTES) return undefined;
    return (await readFile(path, "utf8")).replace(/\r?\n$/, "");
  } catch {
    return undefined;
  }
}
