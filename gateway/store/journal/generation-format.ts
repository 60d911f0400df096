import { createHash } from "node:crypto";
import { isRecord } from "../../lib/records.ts";
import type { Clock } from "../../lib/clock.ts";
import { frame } from "../disk/line.ts";
import type { LiveDocument } from "../disk/memory.ts";
import type { StoreFile } from "../disk/store-fs.ts";
import type { OpenCall } from "../store.ts";
import type { RecordsNow } from "./records-now.ts";

/** Fields that the headers of generations and deltas share. */
export interface HeaderFields {
  readonly schemaVersion: number;
  /** The last journal line that is in it for certain. Later ones may be in it in part: replaying them is harmless. */
  readonly seq: number;
  readonly at: number;
  readonly writtenBy: string;
  /** Position up to which the usage log is counted in it, by the same rule. */
  readonly usage: UsagePosition;
}

/**
 * A generation is one whole copy of the document: a header line, one line for each record, and a trailer with their
 * count and the SHA-256 of everything before it.
 */
export interface GenerationHeader extends HeaderFields {
  readonly format: "postern-state";
}

export interface UsagePosition {
  /** Number of the last receipt. */
  readonly n: number;
  /** Bytes of each segment, by month. */
  readonly segments: Readonly<Record<string, number>>;
}

/** A record in its current form, or the id of a deleted one. */
export type StateLine =
  | { readonly in: string; readonly record: unknown }
  | { readonly in: string; readonly gone: string };

/** Lines that were made before. */
export interface MadeLines {
  readonly bytes: Uint8Array;
  readonly count: number;
}

const SLICE_MS = 1;
const SLICE_CHARACTERS = 64 * 1024;
/** Records between two checks of the clock. */
const LOOK_EVERY = 8;

/** Size and hash of a written file. */
export interface Written {
  readonly bytes: number;
  /** Covers all but the trailer. */
  readonly sha256: string;
}

/**
 * Writes a generation or a delta in slices of about a millisecond, yielding to the event loop in between. Rows that
 * change meanwhile are written in either form; replaying the usage log corrects both.
 * @param lastNumber number of the last receipt: no row has a later one
 */
export async function writeLines(
  file: StoreFile,
  header: GenerationHeader | (HeaderFields & { readonly format: "postern-delta" }),
  lines: Iterable<StateLine | MadeLines>,
  clock: Clock,
  lastNumber: () => number,
): Promise<Written> {
  const hash = createHash("sha256");
  let position = 0;
  let count = 0;
  let slice = frame(JSON.stringify(header));
  let sliceEnds = clock.monotonic() + SLICE_MS;
  const write = async (bytes: Uint8Array): Promise<void> => {
    hash.update(bytes);
    await file.write(bytes, position);
    position += bytes.length;
    sliceEnds = clock.monotonic() + SLICE_MS;
  };
  const flush = async (): Promise<void> => {
    const bytes = Buffer.from(slice);
    slice = "";
    await write(bytes);
  };
  let looked = 0;
  for (const line of lines) {
    if ("bytes" in line) {
      await flush();
      for (let from = 0; from < line.bytes.length; from += COPY_BYTES)
        await write(line.bytes.subarray(from, from + COPY_BYTES));
      count += line.count;
      continue;
    }
    slice += frame(
      "record" in line ? `{"in":"${line.in}","record":${JSON.stringify(line.record)}}` : JSON.stringify(line),
    );
    count += 1;
    looked += 1;
    const full = slice.length >= SLICE_CHARACTERS || (looked % LOOK_EVERY === 0 && clock.monotonic() >= sliceEnds);
    if (full) await flush();
  }
  await flush();
  const sha256 = hash.copy().digest("hex");
  slice = frame(JSON.stringify({ count, sha256, n: lastNumber() }));
  await flush();
  return { bytes: position, sha256 };
}

/** Bytes hashed in a slice of time. */
const COPY_BYTES = 256 * 1024;

/** All that is in the document, records as they were at a moment. */
export function* wholeDocument(
  records: RecordsNow,
  document: LiveDocument,
  openCalls: readonly OpenCall[],
): Generator<StateLine | MadeLines> {
  yield* records.values();
  for (const record of document.spend.values()) yield { in: "spend", record };
  const written = new Set<string>();
  for (const [day, { parts, count }] of document.daily.coldDays) {
    written.add(day);
    for (const [index, bytes] of parts.entries()) yield { bytes, count: index === 0 ? count : 0 };
  }
  for (const [day, rows] of document.daily.warmDays) {
    // A day that a late receipt has warmed up since is skipped: the usage log has that receipt.
    if (!written.has(day)) for (const record of rows) yield { in: "daily", record };
  }
  for (const record of openCalls) yield { in: "calls", record };
}

/** @returns null if a value is not a generation header */
export function asHeader(value: unknown): GenerationHeader | null {
  if (!isRecord(value) || value["format"] !== "postern-state") return null;
  return areHeaderFields(value) ? (value as unknown as GenerationHeader) : null;
}

export function areHeaderFields(value: Readonly<Record<string, unknown>>): boolean {
  const usage = value["usage"];
  return (
    Number.isSafeInteger(value["schemaVersion"]) &&
    Number.isSafeInteger(value["seq"]) &&
    typeof value["at"] === "number" &&
    isRecord(usage) &&
    Number.isSafeInteger(usage["n"]) &&
    isRecord(usage["segments"])
  );
}

export const generationName = (seq: number): string => `state.${seq}.ndjson`;
