import { execFileSync } from "node:child_process";
import { lstat, mkdir, readFile, readdir, readlink, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { nodeStoreFs } from "../../../../gateway/store/disk/store-fs.ts";
import { tidyFolder } from "../../../../gateway/store/folder/tidy-folder.ts";
import { Quarantine } from "../../../../gateway/store/quarantine.ts";
import { temporaryFolder } from "../../../support/running-gateway.ts";
import { FixedClock } from "../fixtures.ts";
import { needs } from "../../../support/needs.ts";

let dir: string;
let outside: string;
beforeEach(async () => {
  dir = await temporaryFolder();
  outside = await temporaryFolder();
  onTestFinished(async () => {
    for (const path of [dir, outside]) await rm(path, { recursive: true, force: true });
  });
});

/** @returns what the owner is informed */
async function tidy(): Promise<string[]> {
  const quarantine = new Quarantine(nodeStoreFs, dir, new FixedClock(), () => undefined);
  await tidyFolder(nodeStoreFs, dir, quarantine);
  return quarantine.notices.map(({ message }) => message);
}

const FILES = [
  "postern.json",
  "secrets.json",
  "secret.key",
  "instance.json",
  "control.token",
  "state.5.ndjson",
  "journal.6.ndjson",
  "usage/usage-2026-11.ndjson",
  "tasks/tasks-2026-11.ndjson",
  "tasks/index.ndjson",
  "media/index.ndjson",
  "media/links.key",
];
const FOLDERS = [
  "usage",
  "tasks",
  "media",
  "media/incoming",
  "recordings",
  "backups",
  "restoring",
  "clients",
  "clients/codex",
  "desktop",
];

async function parentOf(name: string): Promise<string> {
  const path = join(dir, name);
  await mkdir(join(path, ".."), { recursive: true });
  return path;
}

describe("what lies in the place of something of ours is set aside, as it was", () => {
  test.each(FILES)("a folder in the place of the file %s", async (name) => {
    await mkdir(await parentOf(name));
    await writeFile(join(dir, name, "inside"), "kept");
    const [reported = "", ...more] = await tidy();
    expect(reported).toContain(`${name} was a folder, where a file of Postern belongs, and was set aside.`);
    expect(more).toStrictEqual([]);
    const [aside = ""] = await readdir(join(dir, "quarantine"));
    expect(await readFile(join(dir, "quarantine", aside, name.replace("/", "-"), "inside"), "utf8")).toBe("kept");
    expect(await tidy()).toStrictEqual([]);
  });

  test.each([...FILES, ...FOLDERS])("a link in the place of %s, and what it leads to is untouched", async (name) => {
    const victim = join(outside, "victim");
    await writeFile(victim, "not ours");
    await symlink(FOLDERS.includes(name) ? outside : victim, await parentOf(name));
    const [reported = "", ...more] = await tidy();
    expect(reported).toMatch(new RegExp(`${name} was a link to another place.*follows no links`));
    expect(more).toStrictEqual([]);
    const [aside = ""] = await readdir(join(dir, "quarantine"));
    expect(await readlink(join(dir, "quarantine", aside, name.replace("/", "-")))).toContain(outside);
    expect(await readFile(victim, "utf8")).toBe("not ours");
    expect(await tidy()).toStrictEqual([]);
  });

  test.each(FOLDERS)("a file in the place of the folder %s", async (name) => {
    await writeFile(await parentOf(name), "a file");
    expect(await tidy()).toStrictEqual([
      expect.stringContaining(`${name} was a file, where a folder of Postern belongs`),
    ]);
    expect(await tidy()).toStrictEqual([]);
  });

  test.skipIf(process.platform === "win32")(
    "a pipe, which no one would ever be done reading",
    needs("named pipes"),
    async () => {
      execFileSync("mkfifo", [await parentOf("usage/usage-2026-11.ndjson")]);
      expect(await tidy()).toStrictEqual([expect.stringContaining("was neither a file nor a folder")]);
    },
  );

  test("a link in the place of quarantine: nothing is moved to where it leads", async () => {
    await symlink(outside, join(dir, "quarantine"));
    await mkdir(join(dir, "secrets.json"));
    expect(await tidy()).toStrictEqual([
      expect.stringMatching(/quarantine was a link .* It is called quarantine-before now\.$/),
      expect.stringContaining("secrets.json was a folder"),
    ]);
    expect(await readdir(outside)).toStrictEqual([]);
    expect((await lstat(join(dir, "quarantine-before"))).isSymbolicLink()).toBe(true);
  });
});

test("thousands of things that are not ours stay where they are", async () => {
  const names = Array.from({ length: 3_000 }, (_, index) => `state (${index}).ndjson`);
  await Promise.all(names.map((name) => writeFile(join(dir, name), "theirs")));
  await symlink(outside, join(dir, "notes"));
  expect(await tidy()).toStrictEqual([]);
  expect(await readdir(dir)).toHaveLength(names.length + 1);
});

test("a folder of a newer version is left as it is", async () => {
  await writeFile(join(dir, "postern.json"), '{"format":"postern-data","schemaVersion":99,"writtenBy":"Postern 9"}');
  await mkdir(join(dir, "secrets.json"));
  expect(await tidy()).toStrictEqual([]);
  expect((await readdir(dir)).toSorted()).toStrictEqual(["postern.json", "secrets.json"]);
});

test("nothing is ever written to where a link leads", async () => {
  const victim = join(outside, "victim");
  await writeFile(victim, "not ours");
  await symlink(victim, join(dir, "journal.1.ndjson"));
  await expect(nodeStoreFs.open(join(dir, "journal.1.ndjson"), "append")).rejects.toMatchObject({ code: "ELOOP" });
  expect(await nodeStoreFs.size(join(dir, "journal.1.ndjson"))).toBeNull();
  expect(await nodeStoreFs.check(join(dir, "journal.1.ndjson"))).toMatchObject({ kind: "link" });
  expect(await nodeStoreFs.check(join(dir, "nothing"))).toBeNull();
});
