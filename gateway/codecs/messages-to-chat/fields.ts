import { isRecord } from "../../lib/records.ts";
import type { Document } from "../translation.ts";

/** Helpers for parsed JSON: values that are missing or of another type read as empty. */

const NO_FIELDS: Document = {};

/** Returns a non-empty string; null for everything else. */
export function readText(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

export function readRecord(value: unknown): Document {
  return isRecord(value) ? value : NO_FIELDS;
}

/** The objects of a list. */
export function readRecords(value: unknown): readonly Document[] {
  return Array.isArray(value) ? (value as readonly unknown[]).filter((item): item is Document => isRecord(item)) : [];
}

export function readNumber(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

/** Content in either of its two forms as blocks: a plain text is one text block. */
export function readBlocks(content: unknown): readonly Document[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : readRecords(content);
}
