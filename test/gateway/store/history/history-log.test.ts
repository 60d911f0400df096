import { expect, it } from "vitest";
import type { HistoryBatch } from "../../../../gateway/core/history/history-entry.ts";
import { systemClock } from "../../../../gateway/lib/clock.ts";
import { Slices } from "../../../../gateway/lib/slices.ts";
import { HistoryLog } from "../../../../gateway/store/history/history-log.ts";
import { SimFs, type Disk } from "../sim-fs.ts";

const DIR = "/data";
const FILE = "/data/history/imported.ndjson";

const batch = (from: number, to: number, count = 1): HistoryBatch => ({
  agent: "claude-code",
  file: "/home/u/.claude/projects/-p/s.jsonl",
  from,
  to,
  tail: "abc",
  state: { project: "/p" },
  entries: Array.from({ length: count }, (_, index) => ({
    agent: "claude-code",
    key: `key ${from} ${index}`,
    scope: "s",
    at: 1_760_000_000_000 + index,
    model: "claude-opus-4-8",
    session: "s",
    project: "/p",
    served: index % 2 === 0 ? "" : "speed=fast",
    sidechain: index % 3 === 0,
    postern: index % 5 === 0,
    tokens: [1, 2, 3, 4, 5, 6],
  })),
});

async function newFolder(): Promise<SimFs> {
  const fs = new SimFs();
  await fs.makeFolder(DIR);
  await fs.syncFolder("/");
  return fs;
}

async function readAll(log: HistoryLog): Promise<{ batches: HistoryBatch[]; damaged: number }> {
  const batches: HistoryBatch[] = [];
  const damaged = await log.read((one) => void batches.push(one), new Slices(systemClock));
  return { batches, damaged };
}

it("keeps what it was given, and appends to it after a restart", async () => {
  const fs = await newFolder();
  const first = new HistoryLog({ dir: DIR, readOnly: false, fs });
  expect(await readAll(first)).toEqual({ batches: [], damaged: 0 });
  await first.add(batch(0, 10));
  await first.add(batch(10, 20, 0));
  await first.close();
  const second = new HistoryLog({ dir: DIR, readOnly: false, fs });
  await second.add(batch(20, 30, 3));
  await second.sync();
  expect(await readAll(second)).toEqual({ batches: [batch(0, 10), batch(10, 20, 0), batch(20, 30, 3)], damaged: 0 });
  await second.close();
});

it("tells how far a log was read with the last of its entries alone", async () => {
  const log = new HistoryLog({ dir: DIR, readOnly: false, fs: await newFolder() });
  const large = batch(0, 99, 2_500);
  await log.add(large);
  const { batches } = await readAll(log);
  expect(batches.map(({ from, to, entries }) => [from, to, entries.length])).toEqual([
    [0, 0, 1_000],
    [0, 0, 1_000],
    [0, 99, 500],
  ]);
  expect(batches.flatMap(({ entries }) => entries)).toEqual(large.entries);
  await log.close();
});

it("counts damaged lines, and not the end that a kill has left", async () => {
  const fs = await newFolder();
  const log = new HistoryLog({ dir: DIR, readOnly: false, fs });
  for (const from of [0, 10, 20]) await log.add(batch(from, from + 10));
  await log.close();
  const bytes = await fs.readWhole(FILE);
  const second = bytes.indexOf("\n") + 20;
  bytes[second] = 0x21;
  const file = await fs.open(FILE, "append");
  await file.truncate(0);
  await file.write(bytes.subarray(0, -5), 0);
  await file.close();
  const after = new HistoryLog({ dir: DIR, readOnly: false, fs });
  expect(await readAll(after)).toEqual({ batches: [batch(0, 10)], damaged: 1 });
  await after.add(batch(20, 30));
  expect((await readAll(after)).batches).toEqual([batch(0, 10), batch(20, 30)]);
  await after.close();
});

it("forgets everything at once, and nothing after its end or in the folder of a newer version", async () => {
  const fs = await newFolder();
  const log = new HistoryLog({ dir: DIR, readOnly: false, fs });
  await log.clear();
  await log.add(batch(0, 10));
  await log.clear();
  expect([await readAll(log), await log.bytes()]).toEqual([{ batches: [], damaged: 0 }, 0]);
  await log.add(batch(0, 10));
  await log.close();
  await expect(log.add(batch(10, 20))).rejects.toThrow("closed");
  const frozen = new HistoryLog({ dir: DIR, readOnly: true, fs });
  await expect(frozen.add(batch(10, 20))).rejects.toThrow("newer version");
  await expect(frozen.clear()).rejects.toThrow("newer version");
  expect((await readAll(frozen)).batches).toHaveLength(1);
});

it("has after a power cut what it said was on the disk, and whole lines alone of the rest", async () => {
  const fs = await newFolder();
  const log = new HistoryLog({ dir: DIR, readOnly: false, fs });
  await log.add(batch(0, 10));
  await log.sync();
  await log.add(batch(10, 20));
  for (const disk of fs.afterPowerCut(12, () => 0.5)) {
    const { batches } = await readAll(new HistoryLog({ dir: DIR, readOnly: false, fs: new SimFs(disk) }));
    expect([[batch(0, 10)], [batch(0, 10), batch(10, 20)]]).toContainEqual(batches);
  }
  await log.close();
});

it("has after a kill at any step what was reported to be kept, and reads on after it", async () => {
  const fs = await newFolder();
  const log = new HistoryLog({ dir: DIR, readOnly: false, fs });
  const disks: { disk: Disk; kept: number }[] = [];
  let kept = 0;
  fs.onStep = () => void disks.push({ disk: fs.afterKill(), kept });
  for (const from of [0, 10, 20]) {
    await log.add(batch(from, from + 10));
    kept += 1;
  }
  await log.sync();
  await log.close();
  expect(disks.length).toBeGreaterThan(5);
  for (const { disk, kept: reportCount } of disks) {
    const after = new HistoryLog({ dir: DIR, readOnly: false, fs: new SimFs(disk) });
    const { batches, damaged } = await readAll(after);
    const whole = [0, 10, 20].map((from) => batch(from, from + 10));
    expect(damaged).toBe(0);
    expect(batches.length).toBeGreaterThanOrEqual(reportCount);
    expect(batches).toEqual(whole.slice(0, batches.length));
    await after.add(batch(30, 40));
    await after.sync();
    expect(await readAll(after)).toEqual({ batches: [...batches, batch(30, 40)], damaged: 0 });
    await after.close();
  }
});
