import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { nodeStoreFs } from "../../../gateway/store/disk/store-fs.ts";
import { createAutostart, wasStartedBySession } from "../../../main/shell/autostart.ts";
import * as electron from "../fakes/electron.ts";

vi.mock("electron", () => import("../fakes/electron.ts"));

let home = "";
const platform = Object.getOwnPropertyDescriptor(process, "platform")!;
const onPlatform = (value: NodeJS.Platform) => Object.defineProperty(process, "platform", { ...platform, value });
const create = () => createAutostart({ fs: nodeStoreFs, own: ["--port", "0"], env: { HOME: home } });

beforeEach(async () => {
  electron.resetElectron();
  electron.app.isPackaged = true;
  home = await mkdtemp(join(tmpdir(), "postern-home-"));
});
afterEach(async () => {
  Object.defineProperty(process, "platform", platform);
  await rm(home, { recursive: true, force: true });
});

describe("on Linux", () => {
  const path = () => join(home, ".config/autostart/postern.desktop");
  beforeEach(() => onPlatform("linux"));

  it("writes an autostart file and removes it", async () => {
    const autostart = create();
    expect(await autostart.read()).toBe(false);
    await autostart.set(false);
    await autostart.set(true);
    expect(await autostart.read()).toBe(true);
    expect(await readFile(path(), "utf8")).toContain('"--hidden" "--port" "0"\n');
    await autostart.set(true);
    await autostart.set(false);
    expect([await autostart.read(), await readdir(join(home, ".config/autostart"))]).toStrictEqual([false, []]);
  });

  it("sees that the session's own settings switched it off, and switches it on again", async () => {
    const autostart = create();
    await autostart.set(true);
    await writeFile(path(), `${await readFile(path(), "utf8")}Hidden=true\n`);
    expect(await autostart.read()).toBe(false);
    await autostart.set(true);
    expect(await autostart.read()).toBe(true);
  });

  it("follows the program where the one that it names is gone, with the arguments of before", async () => {
    const autostart = create();
    await autostart.set(true);
    const before = await readFile(path(), "utf8");
    const gone = before.replace(process.execPath, "/gone/Postern-0.1.0.AppImage").replace('"0"', '"7000"');
    await writeFile(path(), gone);
    expect(await create().read()).toBe(true);
    expect(await readFile(path(), "utf8")).toBe(before.replace('"0"', '"7000"'));
  });

  it("leaves alone what names a program that is there, or none by its path", async () => {
    for (const program of ['"/bin/sh"', "postern"]) {
      await mkdir(join(home, ".config/autostart"), { recursive: true });
      const text = `[Desktop Entry]\nType=Application\nExec=${program} --hidden\n`;
      await writeFile(path(), text);
      expect(await create().read()).toBe(true);
      expect(await readFile(path(), "utf8")).toBe(text);
    }
  });

  it("throws where the folder cannot be made", async () => {
    await writeFile(join(home, ".config"), "");
    await expect(create().set(true)).rejects.toThrow(/autostart/);
  });
});

describe.each(["darwin", "win32"] as const)("on %s", (name) => {
  beforeEach(() => onPlatform(name));

  it("uses the system's list", async () => {
    const autostart = create();
    expect(await autostart.read()).toBe(false);
    await autostart.set(true);
    expect(electron.app.loginItem).toStrictEqual({ openAtLogin: true, args: ["--hidden", "--port", "0"] });
    expect(await autostart.read()).toBe(true);
    await autostart.set(false);
    expect(await autostart.read()).toBe(false);
  });

  it("says so when the system does not take it", async () => {
    electron.app.takesLoginItem = false;
    await expect(create().set(true)).rejects.toThrow("did not take the change");
  });
});

it("is not there for a working copy", async () => {
  electron.app.isPackaged = false;
  expect(await create().read()).toBeNull();
  await expect(create().set(true)).rejects.toThrow("Only an installed Postern");
});

it("knows on macOS that the session started it", () => {
  onPlatform("darwin");
  expect(wasStartedBySession()).toBe(false);
  electron.app.wasOpenedAtLogin = true;
  expect(wasStartedBySession()).toBe(true);
  onPlatform("linux");
  expect(wasStartedBySession()).toBe(false);
});
