import { constants } from "node:fs";
import { chmod, copyFile, mkdtemp, open, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { errorCode } from "../disk/store-fs.ts";
import type { TablesRead } from "./sqlite-tables.ts";

/** A file of another program. `text` is "" of a database, its tables are empty of other files. */
export interface ProgramFile extends TablesRead {
  readonly path: string;
  readonly text: string;
}

/** A file that exists and cannot be read, with the reason as a sentence. */
export interface UnreadableFile {
  readonly path: string;
  readonly problem: string;
}

/** Max bytes of a settings file. */
const MOST_TEXT_BYTES = 8 * 1024 * 1024;
/** Some programs log their requests into the same database. */
const MOST_DATABASE_BYTES = 512 * 1024 * 1024;
const COPY_TRIES = 3;
/** SQLite's write-ahead log. The index (`-shm`) is rebuilt from it; a copy of one in use could be torn. */
const WAL = "-wal";

/**
 * Reads a file of another program, following links to regular files only.
 * @param tables table names, for a SQLite database
 * @returns null if there is no file
 */
export async function readProgramFile(
  path: string,
  tables: readonly string[] | undefined,
): Promise<ProgramFile | UnreadableFile | null> {
  try {
    const found = await stat(path);
    if (!found.isFile()) return { path, problem: "It is not a regular file." };
    if (tables === undefined) return { path, text: await readText(path), tables: {}, otherTables: {} };
    const { readTablesApart } = await import("../media/media-container.ts");
    await using copy = await copyDatabase(path);
    return { path, text: "", ...(await readTablesApart(copy.path, tables)) };
  } catch (error) {
    const code = errorCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    if (code === "EACCES" || code === "EPERM") return { path, problem: "It may not be read by Postern." };
    return { path, problem: error instanceof TooLarge ? error.message : "It could not be read." };
  }
}

/** Whether there is a regular file. */
export async function isProgramFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

/** A file that is not read for its size, with a sentence about it. */
export class TooLarge extends Error {
  override readonly name = "TooLarge";
}

async function readText(path: string): Promise<string> {
  // Opening does not block if the file was replaced by a pipe.
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const { size } = await file.stat();
    if (size > MOST_TEXT_BYTES) throw new TooLarge("It has more than 8 MiB.");
    const buffer = Buffer.alloc(size);
    const { bytesRead } = await file.read(buffer, 0, size, 0);
    return buffer.toString("utf8", 0, bytesRead);
  } finally {
    await file.close();
  }
}

/** A copy of a database and its log in a temporary folder, which is removed at its disposal. */
export interface DatabaseCopy extends AsyncDisposable {
  readonly path: string;
}

/** @throws TooLarge, and the system's errors */
export async function copyDatabase(path: string, largest = MOST_DATABASE_BYTES): Promise<DatabaseCopy> {
  if ((await stat(path)).size > largest) throw new TooLarge(`It has more than ${largest / 1024 / 1024} MiB.`);
  // Only readable by its owner: mkdtemp uses mode 0700.
  const folder = await mkdtemp(join(tmpdir(), "postern-import-"));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    const copy = join(folder, basename(path));
    for (let left = COPY_TRIES; left > 0; left--) {
      const before = await stamps(path);
      await rm(copy + WAL, { force: true });
      await copyFile(path, copy, constants.COPYFILE_FICLONE);
      await copyFile(path + WAL, copy + WAL).catch(ignoreMissing);
      // The program may be writing it just now.
      if ((await stamps(path)) === before) break;
    }
    await chmod(copy, 0o600);
    return { path: copy, [Symbol.asyncDispose]: remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function stamps(path: string): Promise<string> {
  const both = await Promise.all([path, path + WAL].map((one) => stat(one, { bigint: true }).catch(ignoreMissing)));
  return both.map((found) => (found === null ? "" : `${found.size} ${found.mtimeNs}`)).join("/");
}

function ignoreMissing(error: unknown): null {
  if (errorCode(error) === "ENOENT") return null;
  throw error;
}
