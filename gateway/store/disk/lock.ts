import { closeSync, openSync, realpathSync, truncateSync } from "node:fs";
import { join } from "node:path";
import type * as Sqlite from "node:sqlite";
import { temporaryName } from "./atomic-file.ts";
import { errorCode, nodeStoreFs } from "./store-fs.ts";

export type FolderLock = { readonly owner: true; release(): void } | { readonly owner: false };

/**
 * The file whose lock is the folder's. It is empty and stays so. No other code may open it: if locks belong to processes
 * (POSIX), a process loses them when it closes any descriptor of their file.
 */
export const LOCK_FILE = "lock";

/** Max milliseconds of retrying: processes that start together each release the lock briefly, so that one gets it. */
const TIMEOUT_MS = 200;

const SQLITE_BUSY = 5;
const SQLITE_NOTADB = 26;

/** The locks of this process: what is not referred to would be collected, and its lock with it. */
const heldDatabases = new Set<Sqlite.DatabaseSync>();

/**
 * Makes this process the only one that writes to a data folder. The kernel holds the lock on a file in the folder, so
 * it works across containers that share the folder, cannot be taken by users without access, and ends with its process
 * in any case: there is no stale lock and no timer. Node has no file locks; its built-in SQLite has them on every
 * system.
 * @param take tries to lock a file; null if another process has it
 * @throws Error with a readable message if the file system cannot lock files; the system's error
 */
export async function lockFolder(dir: string, take: typeof lockFile = lockFile): Promise<FolderLock> {
  const path = join(realpathSync(dir), LOCK_FILE);
  const lock = take(path);
  if (lock === null) {
    await expectLocks(path, take);
    return { owner: false };
  }
  heldDatabases.add(lock);
  return {
    owner: true,
    release: () => {
      if (heldDatabases.delete(lock)) lock.close();
    },
  };
}

function lockFile(path: string): Sqlite.DatabaseSync | null {
  makeFile(path);
  const sqlite = process.getBuiltinModule("node:sqlite") as typeof Sqlite | undefined;
  if (sqlite === undefined)
    throw new Error("This Node.js was built without SQLite, which Postern locks the folder with.");
  const database = new sqlite.DatabaseSync(path, { timeout: TIMEOUT_MS });
  try {
    begin(database, path);
    return database;
  } catch (error) {
    database.close();
    if (getCode(error) === SQLITE_BUSY) return null;
    throw cannotLock(error);
  }
}

/** The transaction is never ended: it is the lock. An in-memory journal needs no disk space and leaves no file. */
const BEGIN = "PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE";

function begin(database: Sqlite.DatabaseSync, path: string): void {
  try {
    database.exec(BEGIN);
  } catch (error) {
    if (getCode(error) !== SQLITE_NOTADB) throw error;
    // Another program wrote to it. It is not locked, or that error would have come first.
    truncateSync(path);
    database.exec(BEGIN);
  }
}

/** SQLite would make it for others to read. One that is there is not opened: this process may have its lock. */
function makeFile(path: string): void {
  try {
    closeSync(openSync(path, "wx", 0o600));
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
  }
}

/** Throws if the file system has no locks, which looks like a taken lock: then a fresh file is also taken. */
async function expectLocks(path: string, take: typeof lockFile): Promise<void> {
  const unknown = temporaryName(path);
  try {
    const lock = take(unknown);
    lock?.close();
    if (lock === null) throw cannotLock(null);
  } catch (error) {
    // A full disk cannot create another file, which says nothing about locks.
    if (errorCode(error) === "") throw error;
  } finally {
    await nodeStoreFs.remove(unknown);
  }
}

const cannotLock = (cause: unknown): Error =>
  new Error("its file system cannot lock files, so two of them could write to it at once", { cause });

/** SQLite's code without its details. */
const getCode = (error: unknown): number =>
  error instanceof Error && "errcode" in error && typeof error.errcode === "number" ? error.errcode & 0xff : 0;
