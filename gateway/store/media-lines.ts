import * as z from "zod";
import { mediaEntrySchema, mediaOriginSchema } from "../contract/media.ts";
import type { MediaEntry } from "../contract/media.ts";
import { isObject } from "./validate.ts";

/** A result that lies at a vendor's address and is to be fetched. */
export interface PendingMedia {
  readonly id: string;
  readonly at: number;
  readonly url: string;
  /** `host:port` of the connection that gave the address: that host may be private. */
  readonly target: string;
  /** Unix milliseconds; then the vendor has deleted it. */
  readonly expires_at: number;
  readonly origin: MediaEntry["origin"];
}

/** What a line of the library's log says. */
export type MediaLine =
  /** A result was saved: its file was whole on the disk before this line was written. Ends a pending one of its id. */
  | { readonly op: "add"; readonly entry: MediaEntry; readonly extension: string }
  /** A result is to be fetched; after a restart too. */
  | { readonly op: "pending"; readonly pending: PendingMedia }
  /** A pending result was given up. */
  | { readonly op: "drop"; readonly id: string }
  /** The file of an entry was found missing, or found again. */
  | { readonly op: "missing" | "found"; readonly id: string };

const pendingSchema = z.looseObject({
  id: z.string(),
  at: z.number().int(),
  url: z.string(),
  target: z.string(),
  expires_at: z.number().int(),
  origin: mediaOriginSchema.loose(),
});

/** Checks what the list is made of and nothing more: a start may have to look at 100,000 of these. */
export function asMediaLine(value: unknown): MediaLine | undefined {
  if (!isObject(value)) return undefined;
  switch (value["op"]) {
    case "add":
      return isEntry(value["entry"]) && typeof value["extension"] === "string"
        ? (value as unknown as MediaLine)
        : undefined;
    case "pending":
      return pendingSchema.safeParse(value["pending"]).success ? (value as unknown as MediaLine) : undefined;
    case "drop":
    case "missing":
    case "found":
      return typeof value["id"] === "string" ? (value as unknown as MediaLine) : undefined;
    default:
      return undefined;
  }
}

function isEntry(value: unknown): value is MediaEntry {
  return (
    isObject(value) &&
    typeof value["id"] === "string" &&
    Number.isSafeInteger(value["at"]) &&
    typeof value["kind"] === "string" &&
    typeof value["type"] === "string" &&
    Number.isSafeInteger(value["bytes"]) &&
    /^[0-9a-f]{64}$/.test(String(value["sha256"])) &&
    isObject(value["origin"]) &&
    typeof value["origin"]["model"] === "string"
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
