import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { THREADS } from "../../../main/launch/bundle.mjs";

const top = join(import.meta.dirname, "../../..");

/** What a program left behind. */
export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly error: string;
}

/** A small project with Postern's own launcher and builder, and sources that a test writes. */
export interface Project extends AsyncDisposable {
  readonly folder: string;
  write(path: string, content: string): Promise<void>;
  read(path: string): Promise<string>;
  remove(path: string): Promise<void>;
  /** Runs a script of the project under Node. */
  run(script: string, argv?: readonly string[], environment?: NodeJS.ProcessEnv): Promise<Ended>;
}

export async function makeProject(sources: Readonly<Record<string, string>> = {}): Promise<Project> {
  const folder = await mkdtemp(join(tmpdir(), "postern-project-"));
  const project: Project = {
    folder,
    async write(path, content) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), content);
    },
    read: (path) => readFile(join(folder, path), "utf8"),
    remove: (path) => rm(join(folder, path), { recursive: true, force: true }),
    async run(script, argv = [], environment = {}) {
      const child = spawn(process.execPath, [join(folder, script), ...argv], {
        env: { PATH: process.env["PATH"], ...environment },
        stdio: ["ignore", "pipe", "pipe"],
      });
      const [out, error, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
      return { code: typeof code === "number" ? code : null, out, error };
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
  await mkdir(join(folder, "main"));
  for (const name of ["start.mjs", "build.mjs", "launch"]) {
    await cp(join(top, "main", name), join(folder, "main", name), { recursive: true });
  }
  // The command is a target of its own, with tests of its own.
  await project.remove("main/launch/postern.ts");
  await symlink(join(top, "node_modules"), join(folder, "node_modules"), "junction");
  await project.write("package.json", '{"type":"module"}');
  await project.write("package-lock.json", "{}");
  // Both the gateway and the desktop bring the threads.
  for (const thread of Object.values(THREADS)) await project.write(thread, 'export const worker: string = "worker";');
  for (const [path, content] of Object.entries(sources)) await project.write(path, content);
  return project;
}
