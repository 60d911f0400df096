import { constants } from "node:fs";
import {
  access,
  chown,
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  realpath,
  rename,
  rmdir,
  stat,
  unlink,
} from "node:fs/promises";
import { nodeStoreFs, renameInTime } from "../disk/store-fs.ts";

/** The facts of a file before it is opened. */
export interface FileFacts {
  readonly kind: "file" | "folder" | "link" | "other";
  readonly bytes: number;
  /** Permission bits. */
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  readonly changedAt: number;
}

/** Every call to the disk that concerns the files of clients; the tests have one that fails. All throw the system's errors. */
export interface ClientFs {
  /** Returns the facts of the name itself, links not followed. */
  facts(path: string): Promise<FileFacts>;
  /** Resolves a chain of links. */
  target(path: string): Promise<string>;
  read(path: string): Promise<Buffer>;
  /** Names in a folder. */
  list(path: string): Promise<readonly string[]>;
  writable(path: string): Promise<void>;
  /** Creates a file that must not exist, with all bytes synced. */
  create(path: string, bytes: Uint8Array, owner: Pick<FileFacts, "mode" | "uid" | "gid"> | null): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  makeFolder(path: string): Promise<void>;
  removeFolder(path: string): Promise<void>;
  syncFolder(path: string): Promise<void>;
}

const OWN_MODE = 0o600;

export const nodeClientFs: ClientFs = {
  async facts(path) {
    const found = await lstat(path);
    const kind = found.isFile() ? "file" : found.isDirectory() ? "folder" : found.isSymbolicLink() ? "link" : "other";
    const { size, mode, uid, gid, mtimeMs } = found;
    return { kind, bytes: size, mode: mode & 0o7777, uid, gid, changedAt: mtimeMs };
  },
  async target(path) {
    const target = await realpath(path);
    await stat(target);
    return target;
  },
  read: (path) => readFile(path),
  list: (path) => readdir(path),
  writable: (path) => access(path, constants.W_OK),
  async create(path, bytes, owner) {
    const file = await open(path, "wx", OWN_MODE);
    try {
      await file.writeFile(bytes);
      if (owner !== null && process.platform !== "win32") {
        if (owner.uid !== process.getuid?.() || owner.gid !== process.getgid?.())
          await chown(path, owner.uid, owner.gid);
        await file.chmod(owner.mode);
      }
      await file.sync();
    } finally {
      await file.close();
    }
  },
  rename: (from, to) => (process.platform === "win32" ? renameInTime(from, to, rename) : rename(from, to)),
  remove: (path) => unlink(path),
  makeFolder: async (path) => {
    await mkdir(path, { mode: 0o700 });
  },
  removeFolder: (path) => rmdir(path),
  syncFolder: (path) => nodeStoreFs.syncFolder(path),
};
