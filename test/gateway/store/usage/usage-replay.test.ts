import { expect, test } from "vitest";
import { DailyRows } from "../../../../gateway/core/usage/daily-rows.ts";
import type { SpendRow } from "../../../../gateway/core/usage/aggregate.ts";
import { frame } from "../../../../gateway/store/disk/line.ts";
import type { Quarantine } from "../../../../gateway/store/quarantine.ts";
import type { OpenCall } from "../../../../gateway/store/store.ts";
import { replayUsage } from "../../../../gateway/store/usage/usage-replay.ts";
import { openCall, receipt } from "../fixtures.ts";
import { SimFs } from "../sim-fs.ts";

const FOLDER = "/data/usage";
const [OCTOBER, NOVEMBER] = [Date.UTC(2026, 9, 20), Date.UTC(2026, 10, 20)];
const line = (n: number, at = NOVEMBER): string => frame(JSON.stringify({ n, receipt: receipt(`r${n}`, { at }) }));
const call = (n: number, id: string): string => frame(JSON.stringify({ n, call: openCall(id) }));

interface Given {
  readonly segments: Readonly<Record<string, string>>;
  /** Where the state stands. */
  readonly n?: number;
  readonly counted?: Readonly<Record<string, number>>;
  readonly isKept?: boolean;
  readonly open?: readonly string[];
}

async function replay({ segments, n = 0, counted = {}, isKept = true, open = [] }: Given) {
  const fs = new SimFs({
    files: new Map(
      Object.entries(segments).map(([month, text]) => [`${FOLDER}/usage-${month}.ndjson`, Buffer.from(text, "latin1")]),
    ),
    folders: new Set(["/data", FOLDER]),
  });
  const told: string[] = [];
  const quarantine = {
    tell: (_reason: string, message: string) => void told.push(message),
    keep: async (name: string, bytes: Buffer, reason: string, message: string) => {
      await new Promise((resolve) => setImmediate(resolve));
      told.push(`${name} ${bytes.length} ${reason}: ${message}`);
      return isKept;
    },
  };
  const rows = { spend: new Map<string, SpendRow>(), daily: new DailyRows() };
  const openCalls = new Map<string, OpenCall>(open.map((id) => [id, openCall(id)]));
  const from = { n, segments: counted };
  const result = await replayUsage(fs, FOLDER, from, rows, openCalls, quarantine as unknown as Quarantine);
  const spent = rows.spend.get("*")?.total_nano ?? 0;
  return { ...result, told, spent, calls: [...openCalls.keys()] };
}

const two = line(1) + line(2);

test("receipts after the state are counted, in the order of their numbers over all months", async () => {
  const october = line(2, OCTOBER) + line(3, OCTOBER);
  const november = line(1) + line(4);
  const result = await replay({ segments: { "2026-10": october, "2026-11": november } });
  expect(result).toMatchObject({ n: 4, spent: 40, told: [], damaged: false });
  expect([...result.ends]).toEqual([
    ["2026-10", october.length],
    ["2026-11", november.length],
  ]);
  expect([...result.read]).toEqual([
    ["usage-2026-10.ndjson", null],
    ["usage-2026-11.ndjson", null],
  ]);
});

test("what the state has is neither read nor counted again", async () => {
  const text = two + line(3);
  const result = await replay({ segments: { "2026-11": text }, n: 2, counted: { "2026-11": two.length } });
  expect(result).toMatchObject({ n: 3, spent: 10, told: [], damaged: false });
  const none = await replay({ segments: { "2026-11": two }, n: 2, counted: { "2026-11": two.length } });
  expect([none.n, none.spent, none.read.size, none.ends.get("2026-11")]).toEqual([2, 0, 0, two.length]);
});

test("calls without a receipt stay open, those with one do not", async () => {
  const text = call(0, "a") + call(0, "r1") + line(1) + call(1, "c");
  const result = await replay({ segments: { "2026-11": text }, open: ["before", "r1"] });
  expect([result.calls.toSorted(), result.n]).toEqual([["a", "before", "c"], 1]);
});

test.each([
  ["is shorter than it was", line(1), two.length],
  ["has no line ending there", two, line(1).length + 3],
  ["was left at no number", two, 0.5],
  ["was left before its beginning", two, -1],
])("a segment that %s is read again as a whole, and that is reported", async (_what, text, length) => {
  const result = await replay({ segments: { "2026-11": text }, n: 0, counted: { "2026-11": length } });
  expect(result).toMatchObject({ damaged: true, spent: text === two ? 20 : 10 });
  expect(result.told).toEqual([expect.stringContaining("(usage/usage-2026-11.ndjson) is not as it was left")]);
  expect(result.read.has("usage-2026-11.ndjson")).toBe(true);
});

test.each([
  [1, true],
  [0, false],
])("a segment of %d bytes that is gone is reported: %j", async (bytes, isReported) => {
  const result = await replay({ segments: { "2026-11": line(1) }, counted: { "2026-10": bytes } });
  expect([result.damaged, result.told.length]).toEqual([isReported, isReported ? 1 : 0]);
});

test.each([true, false])("a torn end is left out, and cut off where there is a copy: %j", async (isKept) => {
  const text = two + line(3).slice(0, 30);
  const result = await replay({ segments: { "2026-11": text }, isKept });
  expect(result).toMatchObject({ n: 2, spent: 20, damaged: true });
  expect(result.ends.get("2026-11")).toBe(two.length);
  expect(result.read.get("usage-2026-11.ndjson")).toEqual(
    isKept ? { start: two.length, end: text.length, torn: true } : null,
  );
  expect(result.told).toEqual([
    `usage-2026-11.ndjson.from-${two.length} 30 torn: The last line of usage/usage-2026-11.ndjson was not written to its end and was cut off.`,
  ]);
});

test("damaged lines are kept, and the others are counted", async () => {
  const changed = line(2).replace("gpt", "own");
  const strange = frame('{"n":"3"}');
  const text = line(1) + changed + strange + line(4);
  const result = await replay({ segments: { "2026-11": text } });
  expect(result).toMatchObject({ n: 4, spent: 20, damaged: true });
  expect(result.ends.get("2026-11")).toBe(text.length);
  expect(result.told).toEqual([
    `usage-2026-11.ndjson.from-${line(1).length} ${changed.length + strange.length} damaged: The usage log (usage/usage-2026-11.ndjson) is damaged: 2 lines of it were changed. All other receipts are counted.`,
  ]);
});

test("rows that are ahead of the state are counted on from their own number", async () => {
  const daily = new DailyRows();
  const spend = new Map<string, SpendRow>([
    ["*", { id: "*", n: 7, total_nano: 70, days: [], months: [], last_used_at: 0 }],
  ]);
  const fs = new SimFs({ files: new Map(), folders: new Set(["/data", FOLDER]) });
  const from = { n: 2, segments: {} };
  expect((await replayUsage(fs, FOLDER, from, { spend, daily }, new Map(), {} as Quarantine)).n).toBe(7);
});
