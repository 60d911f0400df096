import { createHash } from "node:crypto";
import { isRecord } from "../../lib/records.ts";
import { NEWLINE, jsonOf, readLines, unframe } from "../disk/line.ts";
import { emptyDocument } from "../disk/memory.ts";
import type { LiveDocument } from "../disk/memory.ts";
import type { OpenCall } from "../store.ts";
import { asSpendRow, dailyRowOf } from "../usage/row-checks.ts";
import { isCollection, isOpenCall, isRecordOf } from "../validate.ts";
import { asHeader } from "./generation-format.ts";
import type { GenerationHeader } from "./generation-format.ts";

export interface GenerationContent {
  readonly header: GenerationHeader | null;
  /** Whether every byte is as it was written. When not, `document` holds what could be made out. */
  readonly whole: boolean;
  readonly document: LiveDocument;
  readonly openCalls: Map<string, OpenCall>;
  /** Lines that are as they were written and whose records this version cannot use. */
  readonly invalid: readonly Buffer[];
}

/** Reads the bytes of a generation, whatever has become of them. */
export function readGeneration(bytes: Buffer): GenerationContent {
  return readSealed(bytes) ?? readDamaged(bytes);
}

function emptyContent(header: GenerationHeader | null, whole: boolean): GenerationContent & { invalid: Buffer[] } {
  return { header, whole, document: emptyDocument(), openCalls: new Map(), invalid: [] };
}

/**
 * The trailer's digest says that every byte is as it was written, so the lines need no look at their own checksums.
 * @returns null when it does not say so
 */
function readSealed(bytes: Buffer): GenerationContent | null {
  const recordsStart = bytes.indexOf(NEWLINE) + 1;
  const recordsEnd = bytes.lastIndexOf(NEWLINE, bytes.length - 2) + 1;
  if (bytes.at(-1) !== NEWLINE || recordsStart === 0 || recordsEnd < recordsStart) return null;
  const header = asHeader(unframe(bytes.subarray(0, recordsStart - 1)));
  const trailer = unframe(bytes.subarray(recordsEnd, -1));
  if (header === null || !isRecord(trailer) || trailer["sha256"] !== digest(bytes.subarray(0, recordsEnd))) return null;
  const content = emptyContent(header, true);
  let count = 0;
  for (let start = recordsStart; start < recordsEnd; count += 1) {
    const end = bytes.indexOf(NEWLINE, start);
    const value = jsonOf(bytes, start, end);
    if (value === undefined) return null;
    if (!takeRecord(content, value)) content.invalid.push(Buffer.from(bytes.subarray(start, end + 1)));
    start = end + 1;
  }
  return trailer["count"] === count ? content : null;
}

/** Line by line, each with its own checksum: what can be made out. */
function readDamaged(bytes: Buffer): GenerationContent {
  const { lines } = readLines(bytes);
  const header = asHeader(lines[0]?.value);
  const content = emptyContent(header, false);
  for (const line of header === null ? lines : lines.slice(1)) takeRecord(content, line.value);
  return content;
}

function takeDaily({ daily }: GenerationContent["document"], record: unknown): boolean {
  const row = dailyRowOf(record);
  if (row !== null) daily.set(row.id, row);
  return row !== null;
}

const digest = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");

function takeRecord({ document, openCalls }: GenerationContent, value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { in: name, record } = value as { in: unknown; record: unknown };
  if (isCollection(name)) {
    if (!isRecordOf(name, record)) return false;
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
