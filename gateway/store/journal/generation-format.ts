import { createHash } from "node:crypto";
import type { Clock } from "../../lib/clock.ts";
import { frame, readLines, skipByteOrderMark } from "../disk/line.ts";
import type { FoundLine } from "../disk/line.ts";
import { COLLECTIONS, emptyDocument } from "../disk/memory.ts";
import type { LiveDocument } from "../disk/memory.ts";
import type { StoreFile } from "../disk/store-fs.ts";
import type { OpenCall } from "../store.ts";
import { isCollection, isDailyRow, isObject, isOpenCall, isRecord, isSpendRow } from "../validate.ts";

/**
 * A generation is one whole copy of the document: a header line, one line for each record, and a trailer with their
 * count and the SHA-256 of everything before it.
 */
export interface GenerationHeader {
  readonly format: "postern-state";
  readonly schemaVersion: number;
  /** The last journal line that is in it for certain. Later ones may be in it in part: replaying them is harmless. */
  readonly seq: number;
  readonly at: number;
  readonly writtenBy: string;
  /** Up to where the usage log is counted in it, by the same rule. */
  readonly usage: UsagePosition;
}

export interface UsagePosition {
  /** Number of the last receipt. */
  readonly n: number;
  /** Bytes of each segment, by month. */
  readonly segments: Readonly<Record<string, number>>;
}

export interface GenerationContent {
  readonly header: GenerationHeader | null;
  /** Whether every byte is as it was written. When not, `document` holds what could be made out. */
  readonly whole: boolean;
  readonly document: LiveDocument;
  readonly openCalls: Map<string, OpenCall>;
  /** Lines that are as they were written and whose records this version cannot use. */
  readonly invalid: readonly Buffer[];
}

const SLICE_MS = 1;
const SLICE_CHARACTERS = 64 * 1024;
/** Records between two looks at the clock. */
const LOOK_EVERY = 8;

/**
 * Writes a generation in slices of about a millisecond, with the event loop free between them. Records that change
 * meanwhile are written in their old or their new form; the journal and the usage log put either right.
 */
export async function writeGeneration(
  file: StoreFile,
  header: GenerationHeader,
  document: LiveDocument,
  openCalls: readonly OpenCall[],
  clock: Clock,
): Promise<void> {
  const hash = createHash("sha256");
  let position = 0;
  let count = 0;
  let slice = frame(JSON.stringify(header));
  let sliceEnds = clock.monotonic() + SLICE_MS;
  const flush = async (): Promise<void> => {
    const bytes = Buffer.from(slice);
    slice = "";
    hash.update(bytes);
    await file.write(bytes, position);
    position += bytes.length;
    sliceEnds = clock.monotonic() + SLICE_MS;
  };
  for (const [name, record] of recordsOf(document, openCalls)) {
    slice += frame(`{"in":"${name}","record":${JSON.stringify(record)}}`);
    count += 1;
    const full = slice.length >= SLICE_CHARACTERS || (count % LOOK_EVERY === 0 && clock.monotonic() >= sliceEnds);
    if (full) await flush();
  }
  await flush();
  slice = frame(JSON.stringify({ count, sha256: hash.copy().digest("hex") }));
  await flush();
}

function* recordsOf(document: LiveDocument, openCalls: readonly OpenCall[]): Generator<[string, unknown]> {
  for (const name of COLLECTIONS) for (const record of document[name].values()) yield [name, record];
  for (const row of document.spend.values()) yield ["spend", row];
  for (const row of document.daily.values()) yield ["daily", row];
  for (const call of openCalls) yield ["calls", call];
}

export function readGeneration(bytes: Buffer): GenerationContent {
  const { lines, bad } = readLines(bytes);
  const header = asHeader(lines[0]?.value);
  const records = header === null ? lines : lines.slice(1);
  const whole = header !== null && bad.length === 0 && skipByteOrderMark(bytes) === 0 && isSealed(bytes, records);
  if (whole) records.pop();
  const content = { header, whole, document: emptyDocument(), openCalls: new Map(), invalid: [] as Buffer[] };
  for (const line of records) {
    if (!takeRecord(content, line.value) && whole) content.invalid.push(line.bytes);
  }
  return content;
}

/** Whether the last line is the trailer of exactly what stands before it. */
function isSealed(bytes: Buffer, records: readonly FoundLine[]): boolean {
  const trailer = records.at(-1)?.value;
  if (!isObject(trailer) || trailer["count"] !== records.length - 1) return false;
  const trailerStart = bytes.lastIndexOf("\n", bytes.length - 2) + 1;
  return createHash("sha256").update(bytes.subarray(0, trailerStart)).digest("hex") === trailer["sha256"];
}

function takeRecord({ document, openCalls }: GenerationContent, value: unknown): boolean {
  if (!isObject(value)) return false;
  const { in: name, record } = value as { in: unknown; record: unknown };
  if (isCollection(name)) {
    if (!isRecord(name, record)) return false;
    (document[name] as Map<string, typeof record>).set(record.id, record);
  } else if (name === "spend" && isSpendRow(record)) document.spend.set(record.id, record);
  else if (name === "daily" && isDailyRow(record)) document.daily.set(record.id, record);
  else if (name === "calls" && isOpenCall(record)) openCalls.set(record.id, record);
  else return false;
  return true;
}

/** @returns null when a value is no header of a generation. */
export function asHeader(value: unknown): GenerationHeader | null {
  if (!isObject(value) || value["format"] !== "postern-state") return null;
  const usage = value["usage"];
  const good =
    Number.isSafeInteger(value["schemaVersion"]) &&
    Number.isSafeInteger(value["seq"]) &&
    typeof value["at"] === "number" &&
    isObject(usage) &&
    Number.isSafeInteger(usage["n"]) &&
    isObject(usage["segments"]);
  return good ? (value as unknown as GenerationHeader) : null;
}

export const generationName = (seq: number): string => `state.${seq}.ndjson`;
