import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { KEY_FILE } from "../../gateway/store/data-key.ts";
import { nodeStoreFs } from "../../gateway/store/disk/store-fs.ts";
import { sealedBy } from "../../main/sealed-by.ts";

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
  expect(await sealedBy(nodeStoreFs, folder)).toStrictEqual(expected);
});

it("knows of nothing in a new folder", async () => {
  expect(await sealedBy(nodeStoreFs, folder)).toStrictEqual([]);
  expect(await sealedBy(nodeStoreFs, join(folder, "not-there"))).toStrictEqual([]);
});
