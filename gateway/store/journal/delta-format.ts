import { isRecord } from "../../lib/records.ts";
import type { LiveDocument } from "../disk/memory.ts";
import type { OpenCall } from "../store.ts";
import { areHeaderFields } from "./generation-format.ts";
import type { HeaderFields, StateLine } from "./generation-format.ts";
import { recordsNow } from "./records-now.ts";
import type { RecordsNow } from "./records-now.ts";

/**
 * A delta contains the records that changed since a generation, in their current form: a generation with another
 * header. It saves a start the journal and usage lines between the two; if it is missing or damaged, those lines have
 * all of its content.
 */
export interface DeltaHeader extends HeaderFields {
  readonly format: "postern-delta";
  /** The generation that it continues, by its number and its digest. */
  readonly base: { readonly seq: number; readonly sha256: string };
}

export const deltaName = (seq: number): string => `delta.${seq}.ndjson`;

export const DELTA_NAME = /^delta\.(\d{1,15})\.ndjson$/;

/** @returns null if a value is not a delta header */
export function asDeltaHeader(value: unknown): DeltaHeader | null {
  if (!isRecord(value) || value["format"] !== "postern-delta" || !areHeaderFields(value)) return null;
  const base = value["base"];
  const good = isRecord(base) && Number.isSafeInteger(base["seq"]) && typeof base["sha256"] === "string";
  return good ? (value as unknown as DeltaHeader) : null;
}

/**
 * Returns the changes since a generation. The lines are made one by one, each when it is read.
 * @param before the records that are in the generation
 * @param n up to which number its rows have every receipt
 */
export function changedSince(
  document: LiveDocument,
  { before, n }: { readonly before: RecordsNow; readonly n: number },
  openCalls: readonly OpenCall[],
): StateLine[] {
  const lines: StateLine[] = [];
  const now = recordsNow(document);
  for (const [target, { in: name, record }] of now) {
    if (before.get(target)?.record !== record) lines.push({ in: name, record });
  }
  for (const [target, { in: name, record }] of before) {
    if (!now.has(target)) lines.push({ in: name, gone: record.id });
  }
  for (const row of document.spend.values()) if (row.n > n) lines.push({ in: "spend", record: row });
  for (const rows of document.daily.warmDays.values()) {
    for (const row of rows) if (row.n > n) lines.push({ in: "daily", record: row });
  }
  for (const call of openCalls) lines.push({ in: "calls", record: call });
  return lines;
}
