import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { KEY_FILE } from "../../gateway/store/key-file.ts";
import { nodeStoreFs } from "../../gateway/store/disk/store-fs.ts";
import { readProtection } from "../../main/sealed-by.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "postern-sealed-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it.each([
  ['{"backend":"file","sealed":"AA=="}', ["file"]],
  ['{"backend":"gnome_libsecret","sealed":"AA=="}', ["gnome_libsecret"]],
  ['{"backend":"file","sealed":"AA==","earlier":[{"backend":"kwallet6","sealed":"AA=="}]}', ["file", "kwallet6"]],
  ['{"sealed":"AA=="}', []],
  ["null", []],
  ["{", []],
  ["", []],
])("a key file with %j was sealed by %j", async (text, expected) => {
  await writeFile(join(folder, KEY_FILE), text);
  expect(await readProtection(nodeStoreFs, folder)).toStrictEqual(expected);
});

it("knows a fixed password of Linux from a keychain, whose mark it is elsewhere", async () => {
  const key = { backend: "gnome_libsecret", sealed: Buffer.from("v10…").toString("base64") };
  const earlier = [{ backend: "gnome_libsecret", sealed: Buffer.from("v11…").toString("base64") }];
  await writeFile(join(folder, KEY_FILE), JSON.stringify({ ...key, earlier }));
  expect(await readProtection(nodeStoreFs, folder, "linux")).toStrictEqual(["file", "gnome_libsecret"]);
  expect(await readProtection(nodeStoreFs, folder, "darwin")).toStrictEqual(["gnome_libsecret", "gnome_libsecret"]);
});

it("knows of nothing in a new folder", async () => {
  expect(await readProtection(nodeStoreFs, folder)).toStrictEqual([]);
  expect(await readProtection(nodeStoreFs, join(folder, "not-there"))).toStrictEqual([]);
});
