import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { rm } from "node:fs/promises";
import { temporaryFolder } from "./running-gateway.ts";

const run = promisify(execFile);

/** A real disk of a few MiB that a test can fill: a file system in memory, where this user may mount one. */
export class SmallDisk implements AsyncDisposable {
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  /** @returns null where this user may not mount anything */
  static async mount(mib: number): Promise<SmallDisk | null> {
    if (process.platform !== "linux" || process.getuid?.() !== 0) return null;
    const path = await temporaryFolder();
    try {
      await run("mount", ["-t", "tmpfs", "-o", `size=${mib}m,mode=0700`, "none", path]);
      return new SmallDisk(path);
    } catch {
      await rm(path, { recursive: true });
      return null;
    }
  }

  /** Takes so much of it. */
  async fill(mib: number, name = "filler"): Promise<void> {
    await writeFile(join(this.path, name), Buffer.alloc(mib * 1024 ** 2));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await run("umount", [this.path]);
    await rm(this.path, { recursive: true });
  }
}
