import { createHash } from "node:crypto";
import { isRecord } from "../../lib/records.ts";
import { NEWLINE, parseLine, readLines, unframe } from "../disk/line.ts";
import { emptyDocument } from "../disk/memory.ts";
import type { LiveDocument } from "../disk/memory.ts";
import type { OpenCall } from "../store.ts";
import { asSpendRow, readDailyRow } from "../usage/row-checks.ts";
import { RowLines, coldBefore, dayOfLine } from "../usage/row-lines.ts";
import { isCollection, isValidRecord } from "../validate.ts";
import { isOpenCall } from "../usage/usage-check.ts";
import { asDeltaHeader } from "./delta-format.ts";
import type { DeltaHeader } from "./delta-format.ts";
import { asHeader } from "./generation-format.ts";
import type { GenerationHeader } from "./generation-format.ts";

export interface WholeContent {
  readonly sha256: string;
  /** Max number of its rows. Null if another version wrote it: then each row is checked. */
  readonly n: number | null;
}

export interface GenerationContent {
  readonly header: GenerationHeader | null;
  /** Null unless every byte is intact. */
  readonly whole: WholeContent | null;
  /** Content that could be read if the generation is not whole. */
  readonly document: LiveDocument;
  readonly openCalls: Map<string, OpenCall>;
  /** Lines that are as they were written and whose records this version cannot use. */
  readonly invalid: readonly Buffer[];
}

/** Program that writes generations: rows that the same one wrote before need no check each. */
export interface Writer {
  readonly schemaVersion: number;
  readonly writtenBy: string;
}

/** Parses the bytes of a generation in any condition. The bytes stay referenced. */
export function readGeneration(bytes: Buffer, writer: Writer): GenerationContent {
  return readSealed(bytes, writer) ?? readDamaged(bytes);
}

type ReadContent = GenerationContent & { invalid: Buffer[] };

function emptyContent(header: GenerationHeader | null, whole: WholeContent | null): ReadContent {
  return { header, whole, document: emptyDocument(), openCalls: new Map(), invalid: [] };
}

interface SealedBytes {
  readonly header: unknown;
  readonly sha256: string;
  readonly count: unknown;
  readonly n: unknown;
  /** Offset of the records. */
  readonly start: number;
  readonly end: number;
}

/**
 * The trailer's digest proves that all bytes are intact, so the checksums of the lines need no check.
 * @returns null if it does not match
 */
function sealedBytes(bytes: Buffer): SealedBytes | null {
  const start = bytes.indexOf(NEWLINE) + 1;
  const end = bytes.lastIndexOf(NEWLINE, bytes.length - 2) + 1;
  if (bytes.at(-1) !== NEWLINE || start === 0 || end < start) return null;
  const trailer = unframe(bytes.subarray(end, -1));
  const sha256 = digest(bytes.subarray(0, end));
  if (!isRecord(trailer) || trailer["sha256"] !== sha256) return null;
  const header = unframe(bytes.subarray(0, start - 1));
  return { header, sha256, count: trailer["count"], n: trailer["n"], start, end };
}

function readSealed(bytes: Buffer, writer: Writer): GenerationContent | null {
  const sealed = sealedBytes(bytes);
  const header = asHeader(sealed?.header);
  if (sealed === null || header === null) return null;
  const ours = header.schemaVersion === writer.schemaVersion && header.writtenBy === writer.writtenBy;
  const n = ours && Number.isSafeInteger(sealed.n) ? (sealed.n as number) : null;
  const content = emptyContent(header, { sha256: sealed.sha256, n });
  const cold = new ColdLines(bytes, n === null ? "" : coldBefore(header.at));
  let count = 0;
  for (let start = sealed.start; start < sealed.end; count += 1) {
    const end = bytes.indexOf(NEWLINE, start);
    if (!cold.take(start, end)) {
      const value = parseLine(bytes, start, end);
      if (value === undefined) return null;
      if (!takeRecord(content, value)) content.invalid.push(Buffer.from(bytes.subarray(start, end + 1)));
    }
    start = end + 1;
  }
  if (sealed.count !== count) return null;
  cold.finish();
  for (const [day, lines] of cold.days) content.document.daily.cool(day, lines);
  return content;
}

/** The rows of days that are over, which stay lines. */
class ColdLines {
  readonly days = new Map<string, RowLines>();
  readonly #bytes: Buffer;
  readonly #before: string;
  /** Lines of one day that follow each other. */
  #run = { day: "", start: 0, end: 0, count: 0 };

  /** @param before the first day that is not cold */
  constructor(bytes: Buffer, before: string) {
    this.#bytes = bytes;
    this.#before = before;
  }

  /** @returns whether the line is one of them */
  take(start: number, end: number): boolean {
    const day = this.#before === "" ? null : dayOfLine(this.#bytes, start);
    if (day === null || day >= this.#before) return false;
    const run = this.#run;
    if (day !== run.day || start !== run.end) {
      this.finish();
      this.#run = { day, start, end: end + 1, count: 1 };
    } else {
      run.end = end + 1;
      run.count += 1;
    }
    return true;
  }

  finish(): void {
    const { day, start, end, count } = this.#run;
    if (count === 0) return;
    let lines = this.days.get(day);
    if (lines === undefined) this.days.set(day, (lines = new RowLines()));
    lines.add(this.#bytes.subarray(start, end), count);
    this.#run = { day: "", start: 0, end: 0, count: 0 };
  }
}

export interface DeltaContent {
  readonly header: DeltaHeader;
  readonly lines: readonly { readonly value: unknown; readonly bytes: Buffer }[];
}

/** @returns null for bytes that are not a whole delta */
export function readDelta(bytes: Buffer): DeltaContent | null {
  const sealed = sealedBytes(bytes);
  const header = asDeltaHeader(sealed?.header);
  if (sealed === null || header === null) return null;
  const lines: { value: unknown; bytes: Buffer }[] = [];
  for (let start = sealed.start; start < sealed.end;) {
    const end = bytes.indexOf(NEWLINE, start);
    lines.push({ value: parseLine(bytes, start, end), bytes: bytes.subarray(start, end + 1) });
    start = end + 1;
  }
  return lines.length === sealed.count ? { header, lines } : null;
}

/** Puts a delta into the generation that it continues. @returns lines whose records this version cannot use */
export function applyDelta(content: Pick<GenerationContent, "document" | "openCalls">, delta: DeltaContent): Buffer[] {
  content.openCalls.clear();
  const invalid: Buffer[] = [];
  for (const { value, bytes } of delta.lines) {
    if (!takeGone(content.document, value) && !takeRecord(content, value)) invalid.push(Buffer.from(bytes));
  }
  return invalid;
}

function takeGone(document: LiveDocument, value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { in: name, gone } = value;
  if (!isCollection(name) || typeof gone !== "string") return false;
  document[name].delete(gone);
  return true;
}

/** Reads line by line with checksums, skipping damaged lines. */
function readDamaged(bytes: Buffer): GenerationContent {
  const { lines } = readLines(bytes);
  const header = asHeader(lines[0]?.value);
  const content = emptyContent(header, null);
  for (const line of header === null ? lines : lines.slice(1)) takeRecord(content, line.value);
  return content;
}

function takeDaily({ daily }: GenerationContent["document"], record: unknown): boolean {
  const row = readDailyRow(record);
  if (row !== null) daily.set(row.id, row);
  return row !== null;
}

const digest = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");

function takeRecord(
  { document, openCalls }: Pick<GenerationContent, "document" | "openCalls">,
  value: unknown,
): boolean {
  if (!isRecord(value)) return false;
  const { in: name, record } = value as { in: unknown; record: unknown };
  if (isCollection(name)) {
    if (!isValidRecord(name, record)) return false;
    (document[name] as Map<string, typeof record>).set(record.id, record);
    return true;
  }
  const spend = name === "spend" ? asSpendRow(record) : null;
  if (spend !== null) document.spend.set(spend.id, spend);
  else if (name === "daily") return takeDaily(document, record);
  else if (name === "calls" && isOpenCall(record)) openCalls.set(record.id, record);
  else return false;
  return true;
}
