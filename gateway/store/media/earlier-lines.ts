import { mediaEntrySchema } from "../../contract/media.ts";
import type { MediaEntry } from "../../contract/media.ts";
import { mediaTypeByExtension } from "../../core/media/media-type.ts";
import { isRecord } from "../../lib/records.ts";
import { parsePending } from "./media-notes.ts";
import type { PendingMedia } from "./media-notes.ts";
import { isMediaId } from "./sidecar.ts";

/** Preview image of a video, by the hash of its file. */
export interface EarlierPoster {
  readonly sha256: string;
  readonly extension: string;
}

/** Line of the library's log in earlier versions. */
export type EarlierLine =
  /** First line of a log, and lines without data. */
  | { readonly op: "begun" | "missing" | "found" }
  /** A result was saved: its file was whole on the disk before this line was written. Ends a pending one of its id. */
  | { readonly op: "add"; readonly entry: MediaEntry; readonly extension: string }
  /** A result to be downloaded, also after a restart. */
  | { readonly op: "pending"; readonly pending: PendingMedia }
  /** A pending result was given up. */
  | { readonly op: "drop"; readonly id: string }
  /** An entry has this preview image, whose file was already complete. Replaces an earlier one. */
  | { readonly op: "poster"; readonly id: string; readonly poster: EarlierPoster }
  /** Entries were taken out of every list. Until then (Unix ms) they can be brought back; then their files go. */
  | { readonly op: "deleted"; readonly ids: readonly string[]; readonly until: number }
  | { readonly op: "restored"; readonly ids: readonly string[] }
  /** Deleted entries whose files are gone, except files that other entries use. */
  | { readonly op: "removed"; readonly ids: readonly string[] };

/** Whether this is another file's line, or a result that this version cannot use. Other lines may be a newer version's. */
export const isForeign = (value: unknown): boolean =>
  !isRecord(value) || typeof value["op"] !== "string" || (value["op"] === "add" && !isLine(value));

/** @returns null for lines that this version does not know */
export function parseLine(value: unknown): EarlierLine | null {
  return isRecord(value) && isLine(value) ? (value as unknown as EarlierLine) : null;
}

function isLine(value: Readonly<Record<string, unknown>>): boolean {
  switch (value["op"]) {
    case "begun":
    case "missing":
    case "found":
      return true;
    case "add":
      return isEntry(value["entry"]) && isExtension(value["extension"]);
    case "pending":
      return parsePending(value["pending"]) !== null;
    case "drop":
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

const isEntry = (value: unknown): boolean => {
  const { success, data } = mediaEntrySchema.safeParse(value);
  return success && isHash(data.sha256) && isMediaId(data.id);
};

const isExtension = (value: unknown): boolean => typeof value === "string" && mediaTypeByExtension(value) !== null;

function isPoster(value: unknown): boolean {
  return isRecord(value) && isHash(value["sha256"]) && isExtension(value["extension"]);
}
