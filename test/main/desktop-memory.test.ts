import { mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { nodeStoreFs } from "../../gateway/store/disk/store-fs.ts";
import { openDesktopMemory } from "../../main/desktop-memory.ts";

let folder = "";
beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), "postern-memory-")), "desktop");
});
afterEach(() => rm(join(folder, ".."), { recursive: true, force: true }));

const open = () => openDesktopMemory(nodeStoreFs, folder);
const appearance = { language: null, theme: "system" };
const fresh = { closeToTray: true, toldNoKeychain: false, notifications: true, appearance, toldBudgets: {} };
const window = { x: 1, y: 2, width: 900, height: 600, maximized: false };

it("begins with nothing and keeps what it was given", async () => {
  const first = await open();
  expect(first.value).toStrictEqual({ window: null, toldAboutTray: false, ...fresh });
  first.update({ window });
  first.update({ toldAboutTray: true });
  await first.written();
  expect((await open()).value).toStrictEqual({ window, toldAboutTray: true, ...fresh });
  expect(await readdir(folder)).toStrictEqual(["desktop.json"]);
});

it.each(["", "null", "[]", "{", '{"window":{"x":1},"toldAboutTray":true}', '{"window":null}', "\0\0\0"])(
  "starts over when the file holds %j",
  async (text) => {
    await nodeStoreFs.makeFolder(folder);
    await writeFile(join(folder, "desktop.json"), text);
    const memory = await open();
    expect(memory.value).toStrictEqual({ window: null, toldAboutTray: false, ...fresh });
    memory.update({ window });
    await memory.written();
    expect((await open()).value.window).toStrictEqual(window);
  },
);

it("keeps the window's place where the file has an unknown language", async () => {
  await nodeStoreFs.makeFolder(folder);
  const file = { window, toldAboutTray: true, appearance: { language: "fr", theme: "dark" } };
  await writeFile(join(folder, "desktop.json"), JSON.stringify(file));
  expect((await open()).value).toStrictEqual({ window, toldAboutTray: true, ...fresh });
});

it("writes the last of many changes, once", async () => {
  let writes = 0;
  const counted = { ...nodeStoreFs, rename: (from: string, to: string) => (writes++, nodeStoreFs.rename(from, to)) };
  const memory = await openDesktopMemory(counted, folder);
  for (let x = 0; x < 50; x++) memory.update({ window: { ...window, x } });
  await memory.written();
  expect(JSON.parse(await readFile(join(folder, "desktop.json"), "utf8")).window.x).toBe(49);
  expect(writes).toBe(1);
});

it("goes on when the disk refuses, and tries again with the next change", async () => {
  let isFull = true;
  const memory = await openDesktopMemory(
    {
      ...nodeStoreFs,
      open: (path, how) => (isFull ? Promise.reject(new Error("ENOSPC")) : nodeStoreFs.open(path, how)),
    },
    folder,
  );
  memory.update({ window });
  await memory.written();
  expect(memory.value.window).toStrictEqual(window);
  expect(await readdir(folder)).toStrictEqual([]);
  isFull = false;
  memory.update({ toldAboutTray: true });
  await memory.written();
  expect((await open()).value).toStrictEqual({ window, toldAboutTray: true, ...fresh });
});
