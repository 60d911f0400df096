import { spawnSync } from "node:child_process";
import { chmod, copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Uid and gid of "no one" on Linux. */
export const OTHER_USER = 65_534;

/** A Node that another user may run. */
export interface SharedNode {
  readonly path: string;
  /** Removes the copy, where one was made. */
  remove(): Promise<void>;
}

/**
 * Finds a Node that {@link OTHER_USER} may run, and copies this one where its folder is closed to others.
 * @returns null where this process is not root on Linux, or no folder takes programs of others
 */
export async function findSharedNode(): Promise<SharedNode | null> {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return null;
  if (canRun(process.execPath)) return { path: process.execPath, remove: () => Promise.resolve() };
  for (const parent of new Set([tmpdir(), "/tmp"])) {
    const folder = await mkdtemp(join(parent, "postern-node-"));
    const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
    const path = join(folder, "node");
    await chmod(folder, 0o755);
    await copyFile(process.execPath, path);
    await chmod(path, 0o755);
    if (canRun(path)) return { path, remove };
    await remove();
  }
  return null;
}

function canRun(path: string): boolean {
  return spawnSync(path, ["--version"], { uid: OTHER_USER, gid: OTHER_USER, cwd: "/" }).status === 0;
}
