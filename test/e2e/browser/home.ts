import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { startGateway, type RunningGateway } from "./gateway.ts";

/** The home folder of no one, with the configuration files of tools. */
export interface Home {
  readonly path: string;
  put(file: string, text: string): Promise<void>;
  read(file: string): Promise<string>;
}

export async function makeHome(): Promise<Home> {
  const path = await mkdtemp(join(tmpdir(), "postern-home-"));
  return {
    path,
    async put(file, text) {
      await mkdir(dirname(join(path, file)), { recursive: true });
      await writeFile(join(path, file), text);
    },
    read: (file) => readFile(join(path, file), "utf8"),
  };
}

/** A Postern that finds the tools of this folder and no others; the folder goes away with it. */
export async function startIn({ path }: Home, env: Readonly<Record<string, string>> = {}): Promise<RunningGateway> {
  const gateway = await startGateway({
    HOME: path,
    XDG_CONFIG_HOME: "",
    CLAUDE_CONFIG_DIR: "",
    CODEX_HOME: "",
    ...env,
  });
  return {
    ...gateway,
    async stop() {
      await gateway.stop();
      await rm(path, { recursive: true, force: true });
    },
  };
}
