import { appendFile, mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { dirname, extname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Receipt } from "../../../../gateway/contract/receipt.ts";
import { utcMonth } from "../../../../gateway/lib/clock.ts";
import { segmentName } from "../../../../gateway/store/disk/segments.ts";
import { nodeStoreFs, type StoreFs } from "../../../../gateway/store/disk/store-fs.ts";
import type { PassedReceipt, Store } from "../../../../gateway/store/store.ts";
import { KeptSessions } from "../../../../gateway/store/usage/kept-sessions.ts";
import { ReceiptColumns } from "../../../../gateway/store/usage/receipt-columns.ts";
import type { NumberedUsageLog } from "../../../../gateway/store/usage/usage-log.ts";
import { UsageScan } from "../../../../gateway/store/usage/usage-scan.ts";
import { UsageSessions, type KeptBefore } from "../../../../gateway/store/usage/usage-sessions.ts";
import { temporaryFolder } from "../../../support/running-gateway.ts";
import { NOON, open, receipt, seededRandom } from "../fixtures.ts";
import {
  COUNT,
  DAY_MS,
  NOVEMBER,
  OCTOBER,
  clock,
  expectSame,
  lineOf,
  linesOf,
  packAll,
  plain,
  samples,
  writeLog,
} from "./column-logs.ts";
import { dose, thin } from "../../../support/dose.ts";

let folder: string;
beforeEach(async () => {
  folder = join(await temporaryFolder(), "usage");
  await mkdir(folder);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const columnsOf = (): ReceiptColumns => new ReceiptColumns(nodeStoreFs, folder);
const write = (segments: ReadonlyMap<string, readonly string[]>): Promise<void> => writeLog(folder, segments);

/** Sums of whole figures hang on no order. */
const wholes = samples.map((sample): Receipt => ({
  ...sample,
  nano: sample.nano === null ? null : sample.nano % 1_000_000,
  terms: sample.terms.map((term) => ({ ...term, quantity: Math.floor(term.quantity) })),
}));

/** The sessions of a log, as far as a number. @param kept what a start before has kept */
async function sessions(columns: ReceiptColumns, upTo: number, kept?: KeptBefore, most?: number) {
  const read = new UsageSessions({ worthKeeping: 400, mostSince: 1_500, sessions: most });
  let passed: Promise<unknown> = Promise.resolve();
  const scan = (visit: (receipt: PassedReceipt) => void, after?: number) => {
    const scanned = new UsageScan({ fs: nodeStoreFs, folder, clock, columns, after }, {}, visit).passFiles(null);
    passed = scanned;
    return scanned;
  };
  // Who asks does not wait for a long log.
  while ((await read.read(upTo, scan, kept)).reading) await passed;
  await read.stop();
  const { sums, complete } = await read.read(upTo, scan, kept);
  return { list: sums.list(), forgot: sums.forgot, complete };
}

test.each(
  thin(
    [
      ["goes on", 0],
      ["was set back by hours", DAY_MS / 3],
      ["was set back by days", 5 * DAY_MS],
    ] as const,
    2,
  ),
)("sessions of columns are those of lines where the clock %s", async (_, longestStep) => {
  await write(linesOf(longestStep + 31, longestStep, wholes));
  const columns = columnsOf();
  await packAll(columns);
  for (const upTo of [Infinity, COUNT - 700]) {
    const expected = await sessions(plain(), upTo);
    expect(expected.list.length).toBeGreaterThan(20);
    expectSame(await sessions(columns, upTo), expected);
  }
});

describe("sessions that were kept", () => {
  /** As a start after others has them; `used` says how often what was kept was enough, `kept` how often it was kept. */
  const start = (columns: ReceiptColumns, counts: { used: number; kept: number }): KeptBefore => {
    const file = new KeptSessions(nodeStoreFs, folder, columns, clock);
    return {
      load: async (most) => {
        const found = await file.load(most);
        if (found !== null) counts.used += 1;
        return found;
      },
      mark: () => columns.mark(),
      save: (sums) => {
        counts.kept += 1;
        return file.save(sums);
      },
    };
  };

  /** The newest names stand first: which these are hangs on the order of receipts where their clock was set back. */
  const sorted = ({ list, ...found }: Awaited<ReturnType<typeof sessions>>) => ({
    ...found,
    list: list.map((each) => ({ ...each, clients: each.clients.toSorted(), models: each.models.toSorted() })),
  });
  const exact = (found: Awaited<ReturnType<typeof sessions>>): unknown => found;
  const few = wholes.map((sample, index) => ({ ...sample, model: `m${index % 7}`, client: `c${index % 8}` }));

  test.each(
    thin(
      [
        ["never stops", inOrder(steadyLines()), exact],
        ["goes back by minutes", inOrder(linesOf(2, 0, few)), sorted],
        ["was set back by hours", inOrder(linesOf(3, DAY_MS / 3, few)), sorted],
        ["was set back by days", inOrder(linesOf(4, 5 * DAY_MS, few)), sorted],
      ],
      2,
    ),
  )(
    "are, with what came since, those of lines where the clock %s",
    async (_, all, seen) => {
      const counts = { used: 0, kept: 0 };
      for (const [seed, most] of thin(
        [
          [1, undefined],
          [2, 12],
          [3, 30],
        ] as const,
        2,
      )) {
        for (const name of await readdir(folder)) await rm(join(folder, name));
        const random = seededRandom(seed);
        for (let from = 0; from < all.length;) {
          const to = from + Math.floor(random() * dose(1_800, 900));
          for (const { month, line } of all.slice(from, to)) await appendFile(join(folder, segmentName(month)), line);
          from = to;
          const columns = columnsOf();
          // Some is not in columns yet, or nobody has looked.
          if (random() < 0.8) while ((await columns.pack(1, clock)) && random() < 0.9);
          const last = all[Math.min(to, all.length) - 1]?.n ?? 0;
          // Some was settled after it was asked for.
          const upTo = random() < 0.5 ? last : last - Math.floor(random() * 20);
          expect(seen(await sessions(columns, upTo, start(columns, counts), most))).toEqual(
            seen(await sessions(plain(), upTo, undefined, most)),
          );
        }
      }
      expect([counts.used > 3, counts.kept > 3]).toEqual([true, true]);
    },
    300_000,
  );

  test("are made anew where they are damaged, cut, of other columns or of another log", async () => {
    const columns = columnsOf();
    await write(steadyLines());
    await packAll(columns);
    const expected = await sessions(plain(), COUNT);
    const counts = { used: 0, kept: 0 };
    expectSame(await sessions(columns, COUNT, start(columns, counts)), expected);
    expectSame(await sessions(columnsOf(), COUNT, start(columnsOf(), counts)), expected);
    expect(counts).toEqual({ used: 1, kept: 1 });
    const [path, heads] = [join(folder, "usage.sessions"), join(folder, `usage-${OCTOBER}.heads`)];
    const [kept, made] = [await readFile(path), await readFile(heads)];
    const random = seededRandom(5);
    const turned = (bytes: Buffer): Buffer => {
      const other = Buffer.from(bytes);
      const place = Math.floor(random() * bytes.length);
      other[place] = (other[place] as number) ^ (1 << Math.floor(random() * 8));
      return other;
    };
    const other = { used: 0, kept: 0 };
    for (let round = 0; round < dose(3, 60); round += 1) {
      await writeFile(path, round % 3 === 0 ? kept.subarray(0, Math.floor(random() * kept.length)) : kept);
      if (round % 3 === 1) await writeFile(path, turned(kept));
      if (round % 3 === 2) await writeFile(heads, turned(made));
      const read = columnsOf();
      expectSame(await sessions(read, COUNT, start(read, other)), expected);
      await writeFile(heads, made);
    }
    expect(other.used).toBe(0);
    // A month of the log is gone; another log has come in its place; one that was gone is there again.
    await writeFile(path, kept);
    const october = await readFile(join(folder, segmentName(OCTOBER)));
    await rm(join(folder, segmentName(OCTOBER)));
    await holds(other);
    await writeFile(join(folder, segmentName(OCTOBER)), october.toString().replaceAll('"nano":1', '"nano":2'));
    await packAll(columnsOf());
    await writeFile(path, kept);
    await holds(other);
    expect(other.used).toBe(0);
  }, 300_000);

  test("are of a log whose receipts are all in columns up to a number, or are not kept", async () => {
    const line = (n: number): string =>
      lineOf(n, { ...(wholes[n % wholes.length] as Receipt), id: `req_${n}`, at: NOON });
    const add = (month: string, from: number, to: number): Promise<void> =>
      appendFile(
        join(folder, segmentName(month)),
        Array.from({ length: to - from }, (_, at) => line(from + at)).join(""),
      );
    const columns = columnsOf();
    await add(OCTOBER, 1, 500);
    await add(NOVEMBER, 500, 1_700);
    expect(await columns.mark()).toBeNull();
    // October was not looked at.
    await columns.pack(1, clock);
    expect(await columns.mark()).toBeNull();
    await packAll(columns);
    expect(await columns.mark()).toMatchObject({ n: 1_523 });
    // A clock was set back, and goes on.
    await add(OCTOBER, 1_700, 1_800);
    columns.touch(OCTOBER);
    await packAll(columns);
    expect(await columns.mark()).toBeNull();
    await add(NOVEMBER, 1_800, 3_000);
    columns.touch(NOVEMBER);
    await packAll(columns);
    expect(await columns.mark()).toMatchObject({ n: 2_647 });
    await add("2026-12", 3_000, 3_100);
    columns.touch("2026-12");
    await packAll(columns);
    expect(await columns.mark()).toBeNull();
  });

  test("need no disk that takes them", async () => {
    await write(steadyLines());
    const columns = columnsOf();
    await packAll(columns);
    const full = { ...start(columns, { used: 0, kept: 0 }), save: () => Promise.reject(new Error("ENOSPC")) };
    expectSame(await sessions(columns, COUNT, full), await sessions(plain(), COUNT));
  });

  async function holds(counts: { used: number; kept: number }): Promise<void> {
    const read = columnsOf();
    expectSame(await sessions(read, COUNT, start(read, counts)), await sessions(plain(), COUNT));
  }
});

/** Sessions that begin one after another and rest, of which some go on long after. */
function steadyLines(): Map<string, string[]> {
  const random = seededRandom(9);
  const segments = new Map<string, string[]>();
  for (let index = 0; index < COUNT; index += 1) {
    const at = Date.UTC(2026, 9, 21) + index * 400_000;
    const back = random() < 0.02 ? random() ** 3 * 60 : random() * 3;
    const session = `s${Math.max(0, (index >> 6) - Math.floor(back))}`;
    const sample = wholes[Math.floor(random() * wholes.length)] as Receipt;
    const { session: _session, ...alone } = sample;
    const value = random() < 0.4 ? alone : { ...sample, session };
    const lines = segments.get(utcMonth(at)) ?? [];
    segments.set(utcMonth(at), lines);
    lines.push(lineOf(index + 1, { ...value, id: `req_${index}`, at }));
  }
  return segments;
}

/** The lines of a log as they come. */
function inOrder(segments: ReadonlyMap<string, readonly string[]>) {
  let n = 0;
  const lines = [...segments].flatMap(([month, all]) =>
    all.map((line) => ({ month, line, n: (n = Number(/"n":(\d+)/.exec(line)?.[1] ?? n)) })),
  );
  return lines.toSorted((a, b) => a.n - b.n);
}

test("a start reads what came since, and nothing of before", async () => {
  const dir = dirname(folder);
  let read: string[] = [];
  const fs: StoreFs = {
    ...nodeStoreFs,
    open: async (path, how) => {
      const file = await nodeStoreFs.open(path, how);
      const plainRead = file.read.bind(file);
      file.read = (into, at) => {
        read.push(extname(path));
        return plainRead(into, at);
      };
      return file;
    },
  };
  let settled = 0;
  const settle = async ({ usage }: Store, count: number): Promise<void> => {
    for (const end = settled + count; settled < end; settled += 1)
      void usage.settle(receipt(`req_${settled}`, { at: NOON + settled, session: `s${settled >> 5}`, nano: settled }));
    await usage.synced();
  };
  const ask = async ({ usage }: Store) => {
    while ((await usage.sessions(clock)).reading);
    return (await usage.sessions(clock)).sums.list();
  };
  const blocksRead = (): number => read.filter((each) => each === ".blocks").length;
  const { store } = await open({ dir, fs });
  await settle(store, 34_000);
  const usage = store.usage as NumberedUsageLog;
  for (let second = 0; second < 60; second += 1) await usage.pack(clock);
  const before = await ask(store);
  expect(before).toHaveLength(1_063);
  expect(blocksRead()).toBeGreaterThan(3);
  await settle(store, 700);
  const [last] = await ask(store);
  expect(last).toMatchObject({ id: "s1084", requests: 12 });
  const expected = await ask(store);
  await store.close();
  read = [];
  const again = (await open({ dir, fs })).store;
  expect(await ask(again)).toEqual(expected);
  expect(blocksRead()).toBe(1);
  await settle(again, 5);
  expect((await ask(again))[0]).toMatchObject({ id: "s1084", requests: 17 });
  await again.close();
}, 300_000);
