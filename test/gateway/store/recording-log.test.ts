import { describe, expect, test } from "vitest";
import { RecordingLog } from "../../../gateway/store/recording-log.ts";
import { NOON } from "./fixtures.ts";
import { SimFs } from "./sim-fs.ts";

const DIR = "/data";
const FOLDER = "/data/recordings";
const DAY_MS = 86_400_000;
const UNBOUNDED = Number.MAX_SAFE_INTEGER;

const fresh = (): SimFs => new SimFs({ files: new Map(), folders: new Set([DIR]) });
const opened = (fs: SimFs, segmentBytes = 1_000, hasRoom = true): RecordingLog =>
  new RecordingLog({ dir: DIR, fs, segmentBytes, hasRoom: async () => hasRoom });
const line = (id: string, filler = 300): string => JSON.stringify({ id, text: "x".repeat(filler) });
const idOf = (found: unknown): string | undefined => (found as { id: string } | undefined)?.id;

describe("recordings on the disk", () => {
  test("are found by id and moment, by this run and the next", async () => {
    const fs = fresh();
    const log = opened(fs);
    for (let index = 0; index < 10; index += 1)
      await log.add(line(`req_${index}`), NOON + index * 60 * 60_000, UNBOUNDED);
    const next = opened(new SimFs(fs.afterKill()));
    for (const reader of [log, next]) {
      for (let index = 0; index < 10; index += 1)
        expect(idOf(await reader.find(`req_${index}`, [NOON + index * 60 * 60_000]))).toBe(`req_${index}`);
      expect(await reader.find("req_none", [NOON])).toBeUndefined();
    }
    await next.add(line("req_next"), NOON + DAY_MS, UNBOUNDED);
    expect(idOf(await next.find("req_next", [NOON + DAY_MS]))).toBe("req_next");
  });

  test("that a kill has torn are not shown, and the next run writes elsewhere", async () => {
    const fs = fresh();
    const log = opened(fs, 1_000_000);
    await log.add(line("req_whole"), NOON, UNBOUNDED);
    await log.add(line("req_torn"), NOON, UNBOUNDED);
    const disk = fs.afterKill();
    const [path, bytes] = [...disk.files].find(([name]) => name.startsWith(FOLDER)) ?? ["", Buffer.alloc(0)];
    for (const length of [bytes.length - 1, bytes.length - 100, bytes.length - 330]) {
      const torn = new SimFs({ ...disk, files: new Map([[path, bytes.subarray(0, length)]]) });
      const next = opened(torn);
      await next.add(line("req_later"), NOON, UNBOUNDED);
      expect(await next.find("req_torn", [NOON])).toBeUndefined();
      expect(idOf(await next.find("req_whole", [NOON]))).toBe("req_whole");
      expect(idOf(await next.find("req_later", [NOON]))).toBe("req_later");
    }
  });

  test("are bounded: the oldest go first, and there is never more than was allowed", async () => {
    const fs = fresh();
    const log = opened(fs);
    for (let index = 0; index < 50; index += 1) {
      await log.add(line(`req_${index}`), NOON + index, 5_000);
      expect((await log.size()).bytes).toBeLessThanOrEqual(5_000);
    }
    expect(await log.find("req_0", [NOON])).toBeUndefined();
    expect(idOf(await log.find("req_49", [NOON]))).toBe("req_49");
  });

  test("are deleted by day, all at once, and one larger than the bound is not kept", async () => {
    const fs = fresh();
    const log = opened(fs, 1_000_000);
    for (let day = 0; day < 5; day += 1) await log.add(line(`req_${day}`), NOON + day * DAY_MS, UNBOUNDED);
    await log.trim({ from: NOON + 2 * DAY_MS, to: Infinity }, UNBOUNDED);
    expect((await fs.list(FOLDER)).length).toBe(3);
    expect((await log.size()).oldest).toBe(NOON + 2 * DAY_MS);
    await log.clear();
    expect(await fs.list(FOLDER)).toEqual([]);
    expect(await log.size()).toEqual({ bytes: 0, oldest: null });
    await log.add(line("req_after"), NOON, UNBOUNDED);
    expect(idOf(await log.find("req_after", [NOON]))).toBe("req_after");
    await log.add(line("req_huge", 9_000), NOON, 5_000);
    expect((await log.size()).bytes).toBe(0);
  });

  test.each([40, -40])(
    "made while the clock was wrong by %i years are found, bounded in files, and deleted first",
    async (years) => {
      const fs = fresh();
      const log = opened(fs, 1_000_000);
      const wrong = NOON + years * 365 * DAY_MS;
      for (let index = 0; index < 20; index += 1) await log.add(line(`req_wrong_${index}`), wrong + index, UNBOUNDED);
      for (let index = 0; index < 20; index += 1) await log.add(line(`req_right_${index}`), NOON + index, UNBOUNDED);
      expect(await fs.list(FOLDER)).toHaveLength(2);
      expect(idOf(await log.find("req_wrong_19", [wrong + 19]))).toBe("req_wrong_19");
      expect(idOf(await log.find("req_right_19", [NOON + 19]))).toBe("req_right_19");
      await log.trim({ from: -Infinity, to: Infinity }, UNBOUNDED);
      expect(await fs.list(FOLDER)).toHaveLength(2);
      await log.trim({ from: NOON - 7 * DAY_MS, to: NOON + DAY_MS }, UNBOUNDED);
      expect((await log.size()).oldest).toBe(NOON);
      expect(idOf(await log.find("req_right_19", [NOON + 19]))).toBe("req_right_19");
    },
  );

  test("survive every refusal of the disk: what was acknowledged is whole, what was refused is not there", async () => {
    const counting = fresh();
    await write(opened(counting));
    for (let call = 0; call < counting.calls; call += 1) {
      const fs = fresh();
      fs.fault = { call, code: "ENOSPC" };
      const log = opened(fs);
      const stored = await write(log);
      fs.fault = null;
      const next = opened(new SimFs(fs.afterKill()));
      for (let index = 0; index < 6; index += 1) {
        const found = idOf(await next.find(`req_${index}`, [NOON + index]));
        expect(found).toBe(stored.has(index) ? `req_${index}` : undefined);
      }
    }
  });

  test("leave the disk to what matters more", async () => {
    const fs = fresh();
    const log = opened(fs, 1_000, false);
    await expect(log.add(line("req_1"), NOON, UNBOUNDED)).rejects.toThrow("too little room");
    expect(await fs.list(FOLDER)).toEqual([]);
  });
});

async function write(log: RecordingLog): Promise<ReadonlySet<number>> {
  const stored = new Set<number>();
  for (let index = 0; index < 6; index += 1) {
    try {
      await log.add(line(`req_${index}`), NOON + index, UNBOUNDED);
      stored.add(index);
    } catch {
      // The next one is tried all the same.
    }
  }
  return stored;
}
