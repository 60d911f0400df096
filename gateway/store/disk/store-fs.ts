import { constants } from "node:fs";
import type { Stats } from "node:fs";
import * as nodeFs from "node:fs";
import { chmod, lstat, mkdir, open, readFile, readdir, rename, rm, unlink } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";

/** An open file. Positions are always explicit, so a failed write never moves the next one. */
export interface StoreFile {
  /** Writes all of `bytes`, or throws after some of them. */
  write(bytes: Uint8Array, position: number): Promise<void>;
  /** Synchronous write, for the receipts of one event loop turn, where a promise would cost more than the write. */
  writeNow(bytes: Uint8Array, position: number): void;
  /** @returns the number of bytes read; fewer than requested only at the end of the file. */
  read(into: Uint8Array, position: number): Promise<number>;
  /** Resolves when all writes are on the disk. */
  sync(): Promise<void>;
  truncate(length: number): Promise<void>;
  close(): Promise<void>;
}

/** The entry with a name, without following a link. */
export interface Found {
  readonly kind: "file" | "folder" | "link" | "other";
  /** Size of a file. */
  readonly bytes: number;
  /** When its content was last changed, Unix ms. */
  readonly changedAt: number;
}

/**
 * Interface of the store to the disk. The real one is `nodeStoreFs`; tests use one that loses unsynced data or fails
 * the k-th call. Files are created with mode 0600, folders with 0700.
 */
export interface StoreFs {
  /** Makes a folder and its parents; one that is there already is fine. */
  makeFolder(path: string): Promise<void>;
  /** Restricts access to this folder to its owner. */
  protect(path: string): Promise<void>;
  /** Lists the names in a folder; empty if the folder does not exist. */
  list(path: string): Promise<string[]>;
  /** Null when nothing has this name. */
  check(path: string): Promise<Found | null>;
  /** Size in bytes; null if there is no such file. Only regular files have one, and links are not followed. */
  size(path: string): Promise<number | null>;
  readWhole(path: string): Promise<Buffer>;
  /**
   * `read` must exist, `append` is created if missing and readable, `create` must not exist. Links are never followed
   * for writing.
   */
  open(path: string, how: "read" | "append" | "create"): Promise<StoreFile>;
  rename(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** Removes a folder with its content; a missing one is fine. */
  removeFolder(path: string): Promise<void>;
  /** Names made, changed or removed in this folder are on the disk when this resolves. */
  syncFolder(path: string): Promise<void>;
}

const FLAGS = {
  read: constants.O_RDONLY,
  // Windows has no such flag, and only administrators can create links.
  append: constants.O_RDWR | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0),
  create: constants.O_RDWR | constants.O_CREAT | constants.O_EXCL,
};

export const nodeStoreFs: StoreFs = {
  async makeFolder(path) {
    await mkdir(path, { recursive: true, mode: 0o700 });
  },
  protect: (path) => chmod(path, 0o700),
  async list(path) {
    return orWhenMissing(readdir(path), []);
  },
  async check(path) {
    const found = await orWhenMissing(lstat(path), null);
    return found === null ? null : { kind: getKind(found), bytes: found.size, changedAt: Math.floor(found.mtimeMs) };
  },
  async size(path) {
    const found = await nodeStoreFs.check(path);
    return found?.kind === "file" ? found.bytes : null;
  },
  readWhole: (path) => readFile(path),
  async open(path, how) {
    return new NodeFile(await open(path, FLAGS[how], 0o600));
  },
  rename: (from, to) => (process.platform === "win32" ? renameInTime(from, to, rename) : rename(from, to)),
  async remove(path) {
    await orWhenMissing(unlink(path), undefined);
  },
  removeFolder: (path) => rm(path, { recursive: true, force: true }),
  async syncFolder(path) {
    // Windows cannot sync a folder; NTFS journals names by itself.
    if (process.platform === "win32") return;
    const folder = await open(path, "r");
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  },
};

export function getKind(found: Stats): Found["kind"] {
  if (found.isFile()) return "file";
  if (found.isDirectory()) return "folder";
  return found.isSymbolicLink() ? "link" : "other";
}

class NodeFile implements StoreFile {
  readonly #handle: FileHandle;

  constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  async write(bytes: Uint8Array, position: number): Promise<void> {
    let done = 0;
    while (done < bytes.length) {
      const { bytesWritten } = await this.#handle.write(bytes, done, bytes.length - done, position + done);
      done += bytesWritten;
    }
  }

  writeNow(bytes: Uint8Array, position: number): void {
    let done = 0;
    while (done < bytes.length) {
      done += nodeFs.writeSync(this.#handle.fd, bytes, done, bytes.length - done, position + done);
    }
  }

  async read(into: Uint8Array, position: number): Promise<number> {
    let done = 0;
    while (done < into.length) {
      const { bytesRead } = await this.#handle.read(into, done, into.length - done, position + done);
      if (bytesRead === 0) break;
      done += bytesRead;
    }
    return done;
  }

  async sync(): Promise<void> {
    await this.#handle.datasync();
  }

  async truncate(length: number): Promise<void> {
    await this.#handle.truncate(length);
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }
}

async function orWhenMissing<T, M>(work: Promise<T>, missing: M): Promise<T | M> {
  try {
    return await work;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return missing;
    throw error;
  }
}

/** Returns `ENOSPC` and the like; empty if it is not a system error. */
export function errorCode(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : "";
  return typeof code === "string" && /^E[A-Z0-9]+$/.test(code) ? code : "";
}

const RENAME_TIMEOUT_MS = 2_000;
const HELD_BY_OTHERS = new Set(["EPERM", "EACCES", "EBUSY"]);

/** On Windows a virus scanner or indexer may briefly lock a file, so renames are retried for 2 s. */
export async function renameInTime(
  from: string,
  to: string,
  renameOnce: (from: string, to: string) => Promise<void>,
): Promise<void> {
  let waited = 0;
  for (let pause = 10; ; pause = Math.min(pause * 2, 250)) {
    try {
      return await renameOnce(from, to);
    } catch (error) {
      if (!HELD_BY_OTHERS.has(errorCode(error)) || waited >= RENAME_TIMEOUT_MS) throw error;
    }
    await delay(pause);
    waited += pause;
  }
}
