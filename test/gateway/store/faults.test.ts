import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { StoreOpenError } from "../../../gateway/store/folder/data-folder.ts";
import type { Change } from "../../../gateway/store/document.ts";
import { applyChange, emptyDocument, type LiveDocument } from "../../../gateway/store/disk/memory.ts";
import type { OpenedStore } from "../../../gateway/store/open-store.ts";
import { StoreWriteError } from "../../../gateway/store/store.ts";
import { CODES, eachCall, eachCallInTurn, failures } from "./every-fault.ts";
import { NOON, dropKey, open, openCall, putKey, receipt } from "./fixtures.ts";
import { receiptIdsOn } from "./receipts-on.ts";
import { SimFs, type Disk, type Fault } from "./sim-fs.ts";
import { usedDisk, type UsedDisk } from "./used-disk.ts";
import { thin } from "../../support/dose.ts";

const DIR = "/data";
const NOTHING: Disk = { files: new Map(), folders: new Set([DIR]) };
const EMPTY: UsedDisk = { disk: NOTHING, receipts: [] };
/** With a generation that deltas are written for. */
const USED = await usedDisk(DIR);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
});
afterEach(() => vi.useRealTimers());

/** What should be in memory and on the disk: everything that was not refused. */
interface Model {
  readonly document: LiveDocument;
  readonly receipts: string[];
}

/** Does a bit of everything. A refused strict change must be refused with a StoreWriteError and leave no trace. */
async function exercise(store: OpenedStore, model: Model): Promise<void> {
  const commit = async (changes: readonly Change[]): Promise<void> => {
    try {
      await store.commit(changes);
    } catch (error) {
      expect(error).toBeInstanceOf(StoreWriteError);
      return;
    }
    for (const change of changes) applyChange(model.document, change);
  };
  const settle = async (id: string, at: number): Promise<void> => {
    store.usage.begin(openCall(id, { at }));
    model.receipts.push(id);
    await store.usage.settle(receipt(id, { at }));
  };
  const discovery: Change = { op: "put", in: "discoveries", record: { id: "c1", at: 1, models: [] } };
  await commit([putKey("a"), putKey("b")]);
  await settle("r1", NOON);
  await Promise.all([commit([putKey("c")]), commit([dropKey("a")]), settle("r2", NOON)]);
  await store.usage.sync().catch(() => undefined);
  store.commitRelaxed([discovery]);
  applyChange(model.document, discovery);
  await store.snapshot().catch(() => undefined);
  await commit([putKey("b", "renamed")]);
  await settle("r3", NOON + 31 * 86_400_000);
  await store.secrets.add("secret").catch(() => undefined);
  await store.snapshot().catch(() => undefined);
  await commit([dropKey("c"), putKey("d")]);
  await settle("r4", NOON);
}

/** Lets time pass until the disk is trusted again: it must not take longer than a second. */
async function recovered(store: OpenedStore): Promise<void> {
  for (let waited = 0; waited <= 1_000 && !store.writable; waited += 100) {
    await vi.advanceTimersByTimeAsync(100);
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
  expect(store.writable).toBe(true);
}

async function expectModel(store: OpenedStore, model: Model, fs: SimFs): Promise<void> {
  expect(store.document.keys).toEqual(model.document.keys);
  expect(store.document.discoveries).toEqual(model.document.discoveries);
  expect((await receiptIdsOn(fs, DIR)).toSorted()).toEqual(model.receipts.toSorted());
  expect(store.document.spend.get("*")?.total_nano ?? 0).toBe(model.receipts.length * 10);
}

/** Runs everything with a fault, and compares memory with what a kill and what a power cut afterwards leave. */
async function survive(fault: Fault | null, start = EMPTY): Promise<SimFs> {
  const fs = new SimFs(start.disk);
  fs.fault = fault;
  const model: Model = { document: emptyDocument(), receipts: start.receipts.map(({ id }) => id) };
  const { store } = await open({ dir: DIR, fs }).catch((error: unknown) => {
    // The folder could not be used at all: that is said, and the next start is as if this one had not been.
    if (!(error instanceof StoreOpenError)) throw error;
    fs.fault = null;
    return open({ dir: DIR, fs });
  });
  await exercise(store, model);
  fs.fault = null;
  await recovered(store);
  await expectModel(store, model, fs);
  await store.usage.sync();
  await store.commit([]);
  for (const disk of [fs.afterKill(), ...fs.afterPowerCut(4, () => 0)]) {
    const left = new SimFs(disk);
    const again = await open({ dir: DIR, fs: left });
    await expectModel(again.store, model, left);
    expect(again.store.unfinished).toEqual([]);
    await again.store.close();
  }
  await store.close();
  return fs;
}

test("without a fault everything is in memory and on the disk", async () => {
  const fs = await survive(null);
  expect(fs.calls).toBeGreaterThan(80);
});

test.each(CODES)(
  "whichever call fails with %s, memory is what a restart shows and errors mean not persisted",
  async (code) => {
    const { calls } = await survive(null);
    expect(await failures(eachCallInTurn(calls, code), (fault) => survive(fault))).toEqual([]);
  },
  300_000,
);

test("a disk that refuses for a while loses and doubles nothing", async () => {
  const { calls } = await survive(null);
  expect(
    await failures(
      thin(eachCall(calls, "ENOSPC"), 5).map((fault) => ({ ...fault, calls: 25 })),
      (fault) => survive(fault),
    ),
  ).toEqual([]);
}, 300_000);

test("a used folder with deltas survives a full disk at any call, for one call and for a while", async () => {
  const fs = await survive(null, USED);
  expect((await fs.list(DIR)).filter((name) => name.startsWith("delta."))).not.toEqual([]);
  const faults = [
    ...thin(eachCall(fs.calls, "ENOSPC"), 6),
    ...thin(eachCall(fs.calls, "ENOSPC"), 6, 3).map((one) => ({ ...one, calls: 25 })),
  ];
  expect(await failures(faults, (fault) => survive(fault, USED))).toEqual([]);
}, 600_000);
