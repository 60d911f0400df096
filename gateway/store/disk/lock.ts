import { constants, closeSync, openSync, realpathSync, statSync } from "node:fs";
import { createServer } from "node:net";
import type { Server } from "node:net";
import { join } from "node:path";
import { errorCode } from "./store-fs.ts";

export type FolderLock = { readonly owner: true; release(): void } | { readonly owner: false };

/**
 * Makes this process the only one that writes to a data folder. The kernel frees the lock when the process dies, by
 * whatever cause: there is no stale lock and no timer. The folder must exist; it is known by its device and inode, so
 * two paths to one folder are one lock.
 */
export async function lockFolder(dir: string): Promise<FolderLock> {
  const folder = realpathSync(dir);
  if (process.platform === "darwin") return lockFile(join(folder, "lock"));
  const { dev, ino } = statSync(folder, { bigint: true });
  // An abstract socket (Linux) or a named pipe (Windows): a name in the kernel, with no file behind it.
  const name = `postern-${dev.toString(36)}-${ino.toString(36)}`;
  return lockName(process.platform === "win32" ? `\\\\.\\pipe\\${name}` : `\0${name}`);
}

async function lockName(name: string): Promise<FolderLock> {
  const server = createServer((connection) => connection.destroy());
  if (!(await listens(server, name))) return { owner: false };
  server.unref();
  return { owner: true, release: () => server.close() };
}

function listens(server: Server, path: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) => {
      const taken = errorCode(error) === "EADDRINUSE" || errorCode(error) === "EACCES";
      if (taken) resolve(false);
      else reject(error);
    });
    server.listen({ path, exclusive: true }, () => resolve(true));
  });
}

/** `O_EXLOCK` of macOS' <fcntl.h>: takes a flock(2) lock while opening. Node has no name for it. */
const O_EXLOCK = 0x20;

function lockFile(path: string): FolderLock {
  try {
    const handle = openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_NONBLOCK | O_EXLOCK, 0o600);
    return { owner: true, release: () => closeSync(handle) };
  } catch (error) {
    if (errorCode(error) === "EAGAIN" || errorCode(error) === "EWOULDBLOCK") return { owner: false };
    throw error;
  }
}
