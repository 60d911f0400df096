import { cp, readFile, readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Receipt } from "../../../gateway/contract/receipt.ts";
import { systemClock } from "../../../gateway/lib/clock.ts";
import { applyRestore, copyToStage, intendRestore } from "../../../gateway/store/backups/restore.ts";
import { upgradeFolder } from "../../../gateway/store/backups/stage-restore.ts";
import { SCHEMA_VERSION, openError } from "../../../gateway/store/folder/data-folder.ts";
import { getLayout } from "../../../gateway/store/folder/upgrade-folder.ts";
import { startGateway, temporaryFolder } from "../../support/running-gateway.ts";
import { eachCall, failures } from "./every-fault.ts";
import { NOON, open } from "./fixtures.ts";
import { SimFs, systemError, type Disk } from "./sim-fs.ts";
import { receiptsOn } from "./receipts-on.ts";

/** A data folder that commit c19ab76 (layout 1) left when it was killed, and what it had said it held. */
const FIXTURE = join(import.meta.dirname, "../../fixtures/store-c19ab76");
const BACKUP = "2026-11-23T053504-785Z";
const DIR = "/data";
const clock = { now: () => NOON };
const UNDO = "2026-11-20T120000-000Z-before-update";

interface Expected {
  readonly first_key: string;
  readonly limited_key: string;
  readonly keys: readonly Record<string, unknown>[];
  readonly connections: readonly Record<string, unknown>[];
  readonly tasks: readonly { readonly id: string; readonly status: string }[];
  readonly media: readonly Record<string, unknown>[];
  readonly requests: readonly Pick<Receipt, "id" | "provider">[];
  readonly usage: Readonly<Record<string, unknown>>;
  readonly settings: Readonly<Record<string, unknown>>;
}

const expected = JSON.parse(await readFile(join(FIXTURE, "expected.json"), "utf8")) as Expected;

describe("a data folder of c19ab76", () => {
  it("opens with everything in it", async () => {
    const dataDir = await temporaryFolder();
    await cp(join(FIXTURE, "folder"), dataDir, { recursive: true });
    const at = Date.parse("2026-11-23T05:36:00Z");
    const gateway = await startGateway({
      dataDir,
      clock: { ...systemClock, now: () => at, monotonic: () => systemClock.monotonic() },
      env: { POSTERN_SANDBOX: "on" },
    });
    const all = async <T>(path: string): Promise<readonly T[]> => (await gateway.ask<{ data: T[] }>("GET", path)).data;
    const like = (rows: readonly object[]): unknown =>
      expect.arrayContaining(rows.map((row) => expect.objectContaining(row)));

    expect(await all("/keys")).toEqual(like(expected.keys));
    const connections = expected.connections.map(({ hints, ...row }) => ({
      ...row,
      credentials: (hints as string[]).map((hint) => expect.objectContaining({ hint }) as object),
    }));
    expect(await all("/connections")).toEqual(like(connections));
    const over = expected.tasks.filter(({ status }) => status === "succeeded" || status === "failed");
    expect(await all("/tasks")).toEqual(
      like([...over, ...expected.tasks.map(({ id }) => ({ id, provider: "sandbox" }))]),
    );
    const media = await all<{ id: string; kind: string; sha256: string; origin: { provider: string }; link: string }>(
      "/media",
    );
    expect(media.map(({ id, kind, sha256, origin }) => ({ id, kind, sha256, provider: origin.provider }))).toEqual(
      expected.media,
    );
    for (const { link } of media) expect((await fetch(gateway.url + link)).status).toBe(200);
    expect((await gateway.receipts()).slice(-expected.requests.length)).toEqual(
      expected.requests.map((row) => expect.objectContaining(row) as object),
    );
    const { total } = await gateway.ask<{ total: object }>("GET", "/usage?by=model");
    expect(total).toMatchObject(expected.usage);
    expect(await gateway.ask("GET", "/settings")).toMatchObject(expected.settings);
    expect(
      (await gateway.chat({ model: "gpt-5-mini", messages: [{ role: "user", content: "Hi" }] }, expected.limited_key))
        .status,
    ).toBe(200);
    const { notices } = await gateway.ask<{ notices: { message: string }[] }>("GET", "/state");
    expect(notices.map(({ message }) => message)).toContainEqual(expect.stringContaining("-before-update"));
    expect((await readdir(dataDir)).filter((name) => name === "quarantine" || name.startsWith("restor"))).toEqual([]);
    await gateway.close();
  });
});

/** The fixture's files, without the library. */
async function layout1(): Promise<Disk> {
  const files = new Map<string, Buffer>();
  const folders = new Set([DIR]);
  for (const entry of await readdir(join(FIXTURE, "folder"), { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name).replace(join(FIXTURE, "folder"), DIR);
    if (entry.isDirectory()) folders.add(path);
    else if (!dirname(path).startsWith(`${DIR}/media/`))
      files.set(path, await readFile(join(entry.parentPath, entry.name)));
  }
  return { files, folders };
}

const upgrade = (fs: SimFs, free = Number.POSITIVE_INFINITY): Promise<string | null> =>
  upgradeFolder(fs, DIR, { clock, freeBytes: () => Promise.resolve(free) });

/** What a start does before it opens the folder; then what is in it, in words. */
async function found(fs: SimFs): Promise<unknown> {
  await applyRestore(fs, DIR);
  await upgrade(fs);
  const { store, events } = await open({ dir: DIR, fs });
  const { connections, tasks, keys, spend } = store.document;
  const receipts = (await receiptsOn(fs, DIR)).map(({ receipt }) => receipt);
  const contents = {
    keys: [...keys.keys()].toSorted(),
    spent: [...spend.values()].map(({ id, total_nano }) => [id, total_nano]),
    connections: [...connections.values()].map(({ provider }) => provider),
    tasks: [...tasks.values()].map(({ id, provider, bill }) => [id, provider, bill?.receipt.provider]),
    receipts: receipts.map(({ id, provider }) => [id, provider]),
    trouble: [...events, ...store.openingNotices.map(({ message }) => message)],
    media: String(await fs.readWhole(`${DIR}/media/index.ndjson`)).includes('"vendor"'),
  };
  await store.close();
  return contents;
}

const upgraded = await found(new SimFs(await layout1()));

describe("an upgrade of the data folder", () => {
  it("keeps a copy of what was there, which can be restored", async () => {
    const disk = await layout1();
    const fs = new SimFs(disk);
    expect(await upgrade(fs)).toBe(UNDO);
    for (const [path, bytes] of disk.files) {
      const place = path.includes("/backups/") ? path : path.replace(DIR, join(DIR, "backups", UNDO));
      if (!path.includes("/media/")) expect(await fs.readWhole(place), place).toEqual(bytes);
    }
    expect(await fs.readWhole(join(DIR, "media/index.layout-1.ndjson"))).toEqual(
      disk.files.get(`${DIR}/media/index.ndjson`),
    );
    await copyToStage(fs, DIR, UNDO, Infinity);
    await intendRestore(fs, DIR, { backup: UNDO, undo: "2026-11-20T130000-000Z-before-restore" });
    expect(await found(fs)).toEqual(upgraded);
  });

  it("finds everything, under the names of this version", () => {
    const text = JSON.stringify(upgraded);
    expect(text).not.toContain("vendor");
    expect(upgraded).toMatchObject({ connections: ["openai-compatible"], trouble: [], media: false });
    const ids = (upgraded as { receipts: string[][] }).receipts.map(([id]) => id);
    expect(ids).toEqual(expect.arrayContaining(expected.requests.map(({ id }) => id)));
  });

  it("is done once", async () => {
    const fs = new SimFs(await layout1());
    await upgrade(fs);
    expect([await getLayout(fs, DIR), await upgrade(fs)]).toEqual([SCHEMA_VERSION, null]);
  });

  it("is made good by the next start after a kill at any step", async () => {
    const fs = new SimFs(await layout1());
    const disks: Disk[] = [];
    fs.onStep = () => void disks.push(fs.afterKill());
    await upgrade(fs);
    expect(disks.length).toBeGreaterThan(20);
    for (const disk of disks) expect(await found(new SimFs(disk))).toEqual(upgraded);
  });

  it("changes nothing where the disk has no room for it, and says how much is needed", async () => {
    const disk = await layout1();
    const fs = new SimFs(disk);
    await expect(upgrade(fs, 16 * 1024 * 1024 + 1_000)).rejects.toThrow(/it needs 1 MiB, 16 MiB are free/);
    fs.hold = (_call, path) => {
      if (path.includes("/restoring/")) throw systemError("ENOSPC");
      return null;
    };
    await expect(upgrade(fs)).rejects.toThrow(/disk .*is full/);
    fs.hold = () => null;
    expect((await fs.list(DIR)).filter((name) => name.startsWith("restor"))).toEqual([]);
    expect(await unchanged(fs, disk)).toBe(true);
    expect(await found(fs)).toEqual(upgraded);
  });

  it("ends in a sentence when the disk is full at any moment, and goes on when there is room", async () => {
    const disk = await layout1();
    const calls = new SimFs(disk);
    await upgrade(calls);
    const broken = await failures(eachCall(calls.calls, "ENOSPC"), async (fault) => {
      const fs = new SimFs(disk);
      fs.fault = { ...fault, calls: 1_000 };
      const error: unknown = await upgrade(fs).then(
        () => null,
        (reason: unknown) => reason,
      );
      fs.fault = null;
      // As a start tells it.
      if (error !== null) expect(openError(DIR, error).message).toMatch(/ENOSPC|disk .*is full|restore\.json/);
      expect(await found(fs)).toEqual(upgraded);
    });
    expect(broken).toEqual([]);
  });

  it("brings a restored backup of that version up to date too", async () => {
    const fs = new SimFs(await layout1());
    await upgrade(fs);
    await copyToStage(fs, DIR, BACKUP, Infinity);
    expect(await getLayout(fs, join(DIR, "restoring"))).toBe(SCHEMA_VERSION);
  });
});

async function unchanged(fs: SimFs, disk: Disk): Promise<boolean> {
  const same = await Promise.all(
    [...disk.files].map(async ([path, bytes]) => (await fs.readWhole(path)).equals(bytes)),
  );
  return same.every(Boolean);
}
