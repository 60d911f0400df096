import { closeSync, fstatSync, mkdirSync, openSync, renameSync, writeSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Returns the log's path in the desktop app's part of the data folder. */
export const logFile = (dataDir: string): string => join(dataDir, "desktop", "logs", "postern.log");

const MOST_BYTES = 2 * 1_024 * 1_024;
const olderFile = (path: string): string => `${path}.1`;

/**
 * Opens a log file that rotates at 2 MiB and keeps the previous one. A disk that refuses writes only loses lines.
 * @returns a function that writes whole lines synchronously, so that they survive a crash.
 */
export function openLogFile(path: string): (lines: string) => void {
  let file: number | null = null;
  let size = 0;
  const open = (): number => {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    file = openSync(path, "a", 0o600);
    size = fstatSync(file).size;
    return file;
  };
  return (lines) => {
    try {
      const bytes = Buffer.from(lines);
      file ??= open();
      if (size > 0 && size + bytes.length > MOST_BYTES) {
        closeSync(file);
        file = null;
        renameSync(path, olderFile(path));
        file = open();
      }
      size += writeSync(file, bytes);
    } catch {
      // Standard error has the same lines.
    }
  };
}

/** The lines of the file and of the one before it that were written before a moment, Unix milliseconds. */
export async function readLogBefore(path: string, before: number): Promise<readonly Record<string, unknown>[]> {
  const texts = await Promise.all([olderFile(path), path].map((each) => readFile(each, "utf8").catch(() => "")));
  return texts.flatMap((text) =>
    text.split("\n").flatMap((line) => {
      const parsed = parseLine(line);
      return parsed !== null && Number(parsed["time"]) < before ? [parsed] : [];
    }),
  );
}

/** Null for invalid lines, such as one truncated by a power cut. */
function parseLine(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? { ...value } : null;
  } catch {
    return null;
  }
}
