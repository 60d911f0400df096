import { copyFile, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { electronFolder, executableName, isPackaged } from "./desktop-app.ts";

const projectFolder = join(import.meta.dirname, "../../..");

/** Postern as an installer leaves it: an Electron of another name, which is what makes it an installed app. */
export interface InstalledApp {
  readonly executable: string;
  /** Folders of the person who uses it. */
  readonly config: string;
  readonly cache: string;
  /** A place for what a test puts next to it. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  remove(): Promise<void>;
}

/**
 * Installs the bundles, or the package under test, into a folder of the test's.
 * @param feed where it looks for newer versions
 */
export async function installApp(feed: string): Promise<InstalledApp> {
  const folder = await mkdtemp(join(tmpdir(), "postern-installed-"));
  const app = join(folder, "app");
  const resources = join(app, "resources");
  await mkdir(resources, { recursive: true });
  const from = electronFolder();
  const executable = join(app, "postern");
  // Electron takes its own folder from the executable, so that one is a file; the rest may lie anywhere.
  await copyFile(join(from, executableName()), executable);
  for (const name of await readdir(from)) {
    if (name !== executableName() && name !== "resources") await symlink(join(from, name), join(app, name));
  }
  for (const name of await readdir(join(from, "resources"))) {
    if (name !== "app-update.yml") await symlink(join(from, "resources", name), join(resources, name));
  }
  if (!isPackaged) {
    await mkdir(join(resources, "app"));
    await copyFile(join(projectFolder, "package.json"), join(resources, "app/package.json"));
    await symlink(join(projectFolder, "out"), join(resources, "app/out"));
  }
  const known = ["provider: generic", `url: ${feed}`, "updaterCacheDirName: postern-updater", ""];
  await writeFile(join(resources, "app-update.yml"), known.join("\n"));
  const [config, cache] = [join(folder, "config"), join(folder, "cache")];
  return {
    executable,
    config,
    cache,
    folder,
    env: { XDG_CONFIG_HOME: config, XDG_CACHE_HOME: cache },
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/**
 * What stands for an AppImage: a program that tells the app where it lies, as the real one's start does.
 * @param log a file that each start adds this image's name to
 */
export function imageOf({ executable }: InstalledApp, log: string): string {
  return [
    "#!/bin/sh",
    'APPIMAGE="$(realpath "$0")"',
    "export APPIMAGE",
    `echo "$APPIMAGE" >> "${log}"`,
    `exec "${executable}" "$@"`,
    "",
  ].join("\n");
}

/** The names of the images in that log, in order. */
export function startedImages(log: string): readonly string[] {
  return log
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => basename(line));
}
