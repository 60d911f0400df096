import * as z from "zod";
import { isRecord } from "../../lib/records.ts";
import { mediaEntrySchema, mediaOriginSchema } from "../../contract/media.ts";
import type { MediaEntry, MediaOriginRecord } from "../../contract/media.ts";
import type { PosterFile } from "./media-row.ts";

/** A result that lies at a provider's address and is to be fetched. */
export interface PendingMedia {
  readonly id: string;
  readonly at: number;
  readonly url: string;
  /** `host:port` of the connection that gave the address: that host may be private. */
  readonly target: string;
  /** Unix milliseconds; then the provider has deleted it. */
  readonly expires_at: number;
  readonly origin: MediaOriginRecord;
}

/** Line of the library's log. */
export type MediaLine =
  /** The first line of a log. */
  | { readonly op: "begun" }
  /** A result was saved: its file was whole on the disk before this line was written. Ends a pending one of its id. */
  | { readonly op: "add"; readonly entry: MediaEntry; readonly extension: string }
  /** A result is to be fetched; after a restart too. */
  | { readonly op: "pending"; readonly pending: PendingMedia }
  /** A pending result was given up. */
  | { readonly op: "drop"; readonly id: string }
  /** The file of an entry was found missing, or found again. */
  | { readonly op: "missing" | "found"; readonly id: string }
  /** An entry has this still; its file was whole before. Takes the place of an earlier one. */
  | { readonly op: "poster"; readonly id: string; readonly poster: PosterFile }
  /** Entries were taken out of every list. Until then (Unix ms) they can be brought back; then their files go. */
  | { readonly op: "deleted"; readonly ids: readonly string[]; readonly until: number }
  | { readonly op: "restored"; readonly ids: readonly string[] }
  /** Deleted entries whose files are gone, but for those that others name. */
  | { readonly op: "removed"; readonly ids: readonly string[] };

const pendingSchema = z.looseObject({
  id: z.string(),
  at: z.number().int(),
  url: z.string(),
  target: z.string(),
  expires_at: z.number().int(),
  origin: mediaOriginSchema.loose(),
});

/** Whether this is no line of a library at all, also not of a newer version's: another file's. */
export const isForeign = (value: unknown): boolean => !isRecord(value) || typeof value["op"] !== "string";

/** Checks what the list is made of and nothing more: a start may have to look at 100,000 of these. */
export function asMediaLine(value: unknown): MediaLine | undefined {
  return isRecord(value) && isLine(value) ? (value as unknown as MediaLine) : undefined;
}

function isLine(value: Readonly<Record<string, unknown>>): boolean {
  switch (value["op"]) {
    case "begun":
      return true;
    case "add":
      return isEntry(value["entry"]) && typeof value["extension"] === "string";
    case "pending":
      return pendingSchema.safeParse(value["pending"]).success;
    case "drop":
    case "missing":
    case "found":
      return typeof value["id"] === "string";
    case "poster":
      return typeof value["id"] === "string" && isPoster(value["poster"]);
    case "deleted":
      return areIds(value["ids"]) && Number.isSafeInteger(value["until"]);
    case "restored":
    case "removed":
      return areIds(value["ids"]);
    default:
      return false;
  }
}

const areIds = (value: unknown): boolean => Array.isArray(value) && value.every((id) => typeof id === "string");

const isHash = (value: unknown): boolean => typeof value === "string" && /^[0-9a-f]{64}$/.test(value);

function isPoster(value: unknown): value is PosterFile {
  return (
    isRecord(value) &&
    isHash(value["sha256"]) &&
    /^\w{1,5}$/.test(String(value["extension"])) &&
    Number.isSafeInteger(value["bytes"])
  );
}

function isEntry(value: unknown): value is MediaEntry {
  return (
    isRecord(value) &&
    typeof value["id"] === "string" &&
    Number.isSafeInteger(value["at"]) &&
    typeof value["kind"] === "string" &&
    typeof value["type"] === "string" &&
    Number.isSafeInteger(value["bytes"]) &&
    isHash(value["sha256"]) &&
    (value["origin"] === null || isOrigin(value["origin"]))
  );
}

function isOrigin(value: unknown): boolean {
  return (
    isRecord(value) &&
    typeof value["model"] === "string" &&
    typeof value["key"] === "string" &&
    typeof value["prompt"] === "string" &&
    (value["nano"] === null || typeof value["nano"] === "number")
  );
}

/** The whole entry, for showing it. @returns undefined when its fields are not what this version knows. */
export function asMediaEntry(value: unknown): MediaEntry | undefined {
  const line = asMediaLine(value);
  if (line?.op !== "add") return undefined;
  const entry = mediaEntrySchema.safeParse(line.entry);
  return entry.success ? entry.data : undefined;
}

/** Whether this version will read all of a line again that it is about to write. */
export function isMediaLine(line: MediaLine): boolean {
  return line.op === "add" ? asMediaEntry(line) !== undefined : asMediaLine(line) !== undefined;
}
