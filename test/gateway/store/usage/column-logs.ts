import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import * as fc from "fast-check";
import { expect } from "vitest";
import type { Search } from "../../../../gateway/contract/matches-request.ts";
import type { Receipt } from "../../../../gateway/contract/receipt.ts";
import { utcMonth } from "../../../../gateway/lib/clock.ts";
import { frame } from "../../../../gateway/store/disk/line.ts";
import { segmentName } from "../../../../gateway/store/disk/segments.ts";
import { nodeStoreFs } from "../../../../gateway/store/disk/store-fs.ts";
import type { PassedReceipt, ReceiptSource } from "../../../../gateway/store/store.ts";
import { BLOCK_ROWS } from "../../../../gateway/store/usage/receipt-block.ts";
import { ReceiptColumns } from "../../../../gateway/store/usage/receipt-columns.ts";
import { UsageScan } from "../../../../gateway/store/usage/usage-scan.ts";
import { FixedClock, openCall, seededRandom } from "../fixtures.ts";
import { anyReceipt } from "./any-receipt.ts";

export const clock = new FixedClock();
export const DAY_MS = 86_400_000;
/** Three blocks of one month and some of another. */
export const COUNT = Math.round(3.4 * BLOCK_ROWS);
export const samples = fc.sample(anyReceipt, { numRuns: 200, seed: 7 });
export const NOVEMBER = "2026-11";
export const OCTOBER = "2026-10";

/** Knows no blocks: everything is read in its lines. */
export const plain = (): ReceiptColumns => new ReceiptColumns(nodeStoreFs, "/nowhere");

export const lineOf = (n: number, value: object): string => frame(JSON.stringify({ n, receipt: value }));
const numberAt = (index: number): number => index + 1;

/** A log of two months, whose clock goes back now and then; with calls, and lines that are none. */
export function linesOf(seed: number, longestStep: number, from: readonly Receipt[] = samples): Map<string, string[]> {
  const random = seededRandom(seed);
  const segments = new Map<string, string[]>();
  let at = Date.UTC(2026, 9, 21);
  for (let index = 0; index < COUNT; index += 1) {
    at += Math.floor((random() - 0.1) * 2 * ((16 * DAY_MS + 6 * longestStep) / COUNT));
    if (random() < 0.002 && at < Date.UTC(2026, 9, 28)) at -= Math.floor(random() * longestStep);
    const sample = from[Math.floor(random() * from.length)] as Receipt;
    const id = random() < 0.1 ? sample.id : `req_${index}`;
    const value = { ...sample, id, at, ...(random() < 0.3 ? { session: `s${index >> 6}` } : {}) };
    const lines = segments.get(utcMonth(at)) ?? [];
    segments.set(utcMonth(at), lines);
    if (random() < 0.2) lines.push(frame(JSON.stringify({ n: index, call: openCall(id, { at }) })));
    if (random() < 0.01) lines.push("no line at all\n");
    const { endpoint: _endpoint, ...odd } = value;
    const chance = random();
    if (chance < 0.01) lines.push(lineOf(numberAt(index), value).replace("ms", "sm"));
    else if (chance < 0.02) lines.push("\0".repeat(40) + lineOf(numberAt(index), value));
    else lines.push(lineOf(numberAt(index), chance < 0.04 ? odd : value));
  }
  return segments;
}

export async function writeLog(folder: string, segments: ReadonlyMap<string, readonly string[]>): Promise<void> {
  for (const [month, lines] of segments) await writeFile(join(folder, segmentName(month)), lines.join(""));
}

export async function packAll(columns: ReceiptColumns): Promise<void> {
  while (await columns.pack(2, clock));
}

const seenOf = (passed: PassedReceipt) => ({
  figures: [passed.n, passed.at, passed.status, passed.ms, passed.first_ms, passed.nano],
  kinds: [passed.sandbox, passed.stream],
  tokens: [passed.tokens, passed.output_tokens, passed.cached_tokens, passed.used()],
  at: passed.at,
  n: passed.n,
  texts: (
    ["id", "endpoint", "model", "code", "outcome", "client", "provider", "session", "project", "agent"] as const
  ).map((field) => passed.text(field)),
});
type Seen = ReturnType<typeof seenOf>;

/** What a scan passes, each with its whole receipt. */
export async function scanLog(
  folder: string,
  columns: ReceiptColumns,
  search: Search,
  how: { before?: { month: string; n: number } } = {},
): Promise<{ seen: Seen[]; receipts: (Receipt | null)[]; complete: boolean }> {
  const seen: Seen[] = [];
  const sources: ReceiptSource[] = [];
  const visit = (passed: PassedReceipt): void => {
    if (!passed.isWhole()) return;
    seen.push(seenOf(passed));
    sources.push(passed.source());
  };
  const parts = { fs: nodeStoreFs, folder, clock, columns };
  const { complete } = await new UsageScan(parts, search, visit).passFiles(how.before ?? null);
  return { seen, receipts: await columns.receipts(sources), complete };
}

/** Searches by what is in the log, of which each lets some in. */
export const SEARCHES: readonly Search[] = [
  {},
  { since: Date.UTC(2026, 9, 28), until: Date.UTC(2026, 10, 2) },
  { since: Date.UTC(2026, 9, 30) },
  { until: Date.UTC(2026, 9, 25) },
  { session: "s20" },
  { status: "failed", since: Date.UTC(2026, 9, 29) },
  { q: "req_12" },
  { q: "s20", recorded: new Set(["req_5", "req_3000"]) },
];

/** Compares thousands of receipts: Vitest, which shows what differs, takes ten times as long. */
export function expectSame(found: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(found, expected)) expect(found).toEqual(expected);
}
