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
import { openCall, seededRandom } from "../fixtures.ts";
import { anyReceipt } from "./any-receipt.ts";

export const DAY_MS = 86_400_000;
export const COUNT = 3_000;
export const samples = fc.sample(anyReceipt, { numRuns: 200, seed: 7 });
export const OCTOBER = "2026-10";
export const NOVEMBER = "2026-11";

export const lineOf = (n: number, value: object): string => frame(JSON.stringify({ n, receipt: value }));

/** Some lines of a log, by the months of their segments. */
export type Segments = Map<string, string[]>;

/** A log of two months, whose clock goes back now and then; with calls, and lines that are invalid. */
export function linesOf(seed: number, longestStep: number, count = COUNT): Segments {
  const random = seededRandom(seed);
  const segments: Segments = new Map();
  let at = Date.UTC(2026, 9, 21);
  for (let index = 0; index < count; index += 1) {
    at += Math.floor((random() - 0.1) * 2 * ((16 * DAY_MS + 6 * longestStep) / count));
    if (random() < 0.002 && at < Date.UTC(2026, 9, 28)) at -= Math.floor(random() * longestStep);
    const sample = samples[Math.floor(random() * samples.length)] as Receipt;
    const id = random() < 0.1 ? sample.id : `req_${index}`;
    const value = { ...sample, id, at, ...(random() < 0.3 ? { session: `s${index >> 6}` } : {}) };
    const lines = segments.get(utcMonth(at)) ?? [];
    segments.set(utcMonth(at), lines);
    if (random() < 0.2) lines.push(frame(JSON.stringify({ n: index, call: openCall(id, { at }) })));
    if (random() < 0.01) lines.push("no line at all\n");
    const { endpoint: _endpoint, ...odd } = value;
    const chance = random();
    if (chance < 0.01) lines.push(lineOf(index + 1, value).replace("ms", "sm"));
    else if (chance < 0.02) lines.push("\0".repeat(40) + lineOf(index + 1, value));
    else lines.push(lineOf(index + 1, chance < 0.04 ? odd : value));
  }
  return segments;
}

/** @param folder of the data, in which there is a folder `usage` */
export async function writeLog(folder: string, segments: ReadonlyMap<string, readonly string[]>): Promise<void> {
  for (const [month, lines] of segments) await writeFile(join(folder, "usage", segmentName(month)), lines.join(""));
}

/** Searches by what is in the log, of which each lets some in. */
export const SEARCHES: readonly Search[] = [
  {},
  { since: Date.UTC(2026, 9, 28), until: Date.UTC(2026, 10, 2) },
  { since: Date.UTC(2026, 9, 30) },
  { until: Date.UTC(2026, 9, 25) },
  { session: "s20" },
  { model: "gpt-5" },
  { status: "failed", since: Date.UTC(2026, 9, 29) },
  { q: "req_12" },
  { q: "s20", recorded: new Set(["req_5", "req_2500"]) },
];

/** Compares thousands of receipts: Vitest, which shows what differs, takes ten times as long. */
export function expectSame(found: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(found, expected)) expect(found).toEqual(expected);
}
