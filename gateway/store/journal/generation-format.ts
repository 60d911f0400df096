import { createHash } from "node:crypto";
import { isRecord } from "../../lib/records.ts";
import type { Clock } from "../../lib/clock.ts";
import { frame } from "../disk/line.ts";
import { COLLECTIONS } from "../disk/memory.ts";
import type { LiveDocument } from "../disk/memory.ts";
import type { StoreFile } from "../disk/store-fs.ts";
import type { OpenCall } from "../store.ts";

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

/** @returns null when a value is no header of a generation. */
export function asHeader(value: unknown): GenerationHeader | null {
  if (!isRecord(value) || value["format"] !== "postern-state") return null;
  const usage = value["usage"];
  const good =
    Number.isSafeInteger(value["schemaVersion"]) &&
    Number.isSafeInteger(value["seq"]) &&
    typeof value["at"] === "number" &&
    isRecord(usage) &&
    Number.isSafeInteger(usage["n"]) &&
    isRecord(usage["segments"]);
  return good ? (value as unknown as GenerationHeader) : null;
}

export const generationName = (seq: number): string => `state.${seq}.ndjson`;
