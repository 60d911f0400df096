import type { DownloadItem } from "electron";
import { EventEmitter } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

import type { DownloadedFile } from "../../../main/policy/download-name.ts";
import { createDownloads } from "../../../main/shell/downloads.ts";
import * as electron from "../fakes/electron.ts";

vi.mock("electron", () => import("../fakes/electron.ts"));

class Item extends EventEmitter {
  path = "";
  readonly name: string;
  constructor(name = "usage.csv") {
    super();
    this.name = name;
  }
  readonly getFilename = (): string => this.name;
  readonly setSavePath = (path: string): void => void (this.path = path);
  readonly getSavePath = (): string => this.path;
}
const asItem = (item: Item): DownloadItem => item as unknown as DownloadItem;

let home: string;
let folder: string;
let reports: DownloadedFile[];
let downloads: ReturnType<typeof createDownloads>;

beforeEach(async () => {
  electron.resetElectron();
  home = await mkdtemp(join(tmpdir(), "postern-downloads-"));
  folder = join(home, "Downloads");
  electron.app.paths.set("downloads", folder);
  electron.app.paths.set("home", home);
  reports = [];
  downloads = createDownloads((file) => reports.push(file));
});
afterEach(() => rm(home, { recursive: true, force: true }));

function save(item: Item, state = "completed"): DownloadedFile | undefined {
  downloads.save(asItem(item));
  item.emit("done", {}, state);
  return reports.at(-1);
}

it("saves into the folder for downloads, which it makes, and shows what it saved", async () => {
  expect(save(new Item())).toStrictEqual({ id: 1, name: "usage.csv", folder, saved: true });
  await writeFile(join(folder, "usage.csv"), "first");
  expect(save(new Item())).toStrictEqual({ id: 2, name: "usage (1).csv", folder, saved: true });
  downloads.show(2);
  expect(electron.shell.shown).toStrictEqual([join(folder, "usage (1).csv")]);
});

it("does not litter the home folder where the system names it for downloads", () => {
  electron.app.paths.set("downloads", home);
  expect(save(new Item())?.folder).toBe(folder);
});

it("gives two that are on their way names of their own", () => {
  const [one, other] = [new Item(), new Item()];
  downloads.save(asItem(one));
  downloads.save(asItem(other));
  expect([one.path, other.path]).toStrictEqual([join(folder, "usage.csv"), join(folder, "usage (1).csv")]);
});

it("says that a file could not be saved, and nothing of one that was called off", () => {
  expect(save(new Item(), "interrupted")).toMatchObject({ name: "usage.csv", saved: false });
  save(new Item(), "cancelled");
  expect(reports).toHaveLength(1);
  for (const id of [1, 2, "1", null, undefined, { valueOf: () => 1 }]) {
    expect(() => downloads.show(id)).toThrow("not saved by the window");
  }
});

it("leaves the question to Electron where there is no such folder", async () => {
  await writeFile(folder, "a file in its place");
  const item = new Item();
  downloads.save(asItem(item));
  expect(item.path).toBe("");
  item.path = "/media/stick/usage.csv";
  item.emit("done", {}, "completed");
  expect(reports).toStrictEqual([{ id: 1, name: "usage.csv", folder: "/media/stick", saved: true }]);
});

it("keeps the newest fifty", () => {
  for (let count = 0; count < 51; count += 1) save(new Item(`${count}.csv`));
  expect(() => downloads.show(1)).toThrow("not saved by the window");
  downloads.show(2);
});
