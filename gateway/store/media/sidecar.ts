import { join } from "node:path";
import { crc32 } from "node:zlib";
import { mediaEntrySchema } from "../../contract/media.ts";
import type { MediaEntry } from "../../contract/media.ts";
import { mediaTypeByExtension } from "../../core/media/media-type.ts";
import { isRecord } from "../../lib/records.ts";
import { parseJson } from "../disk/atomic-file.ts";
import { errorCode } from "../disk/store-fs.ts";
import type { StoreFs } from "../disk/store-fs.ts";

/** Record of a result: the JSON file stored with its media file. It never changes. */
export interface Sidecar {
  readonly entry: MediaEntry;
  /** Extension of the media file. */
  readonly extension: string;
  /** Sort key of the list, increasing: microseconds of the save time, incremented to be unique. */
  readonly place: number;
}

/**
 * "damaged": altered, or not a file. "unknown": of another version, or of an id that differs only in case, which some
 * disks do not distinguish. "copied": of another result.
 */
export type FoundSidecar = Sidecar | "missing" | "damaged" | "unknown" | "copied";

const SCHEMA = 1;
const ID = /^media_\w{1,94}$/;

/** Whether an id may be part of a file's name. */
export const isMediaId = (id: string): boolean => ID.test(id);

/** Returns the folder name of a result, one of 256, derived from its id. */
export const getShard = (id: string): string => (crc32(id) & 0xff).toString(16).padStart(2, "0");

export const isShard = (name: string): boolean => /^[0-9a-f]{2}$/.test(name);

/** Path of a result's files without their extension. @param dir the library's folder */
export const getStem = (dir: string, id: string): string => join(dir, getShard(id), id);

export const getSidecarPath = (dir: string, id: string): string => `${getStem(dir, id)}.json`;

/** A file of the library, by its name. */
export interface NamedFile {
  readonly id: string;
  readonly kind: "sidecar" | "media" | "poster";
  readonly extension: string;
}

/** @returns null for files of others */
export function readName(name: string): NamedFile | null {
  const [, id = "", poster, extension = ""] = /^(media_\w{1,94})(\.poster)?\.(\w{1,5})$/.exec(name) ?? [];
  if (id === "") return null;
  if (extension === "json") return poster === undefined ? { id, kind: "sidecar", extension } : null;
  if (mediaTypeByExtension(extension) === null) return null;
  return { id, kind: poster === undefined ? "media" : "poster", extension };
}

export function writeSidecar({ entry, extension, place }: Sidecar): Buffer {
  const content = { schema: SCHEMA, entry, extension, place };
  return Buffer.from(`${JSON.stringify({ ...content, check: crc32(JSON.stringify(content)) })}\n`);
}

/** @param id by the file's name */
export function parseSidecar(bytes: Buffer, id: string): Exclude<FoundSidecar, "missing"> {
  try {
    const value = parseJson(bytes);
    if (!isRecord(value)) return "damaged";
    const { check, ...content } = value;
    if (check !== crc32(JSON.stringify(content))) return "damaged";
    const { schema, extension, place } = content;
    const entry = mediaEntrySchema.safeParse(content["entry"]);
    if (schema !== SCHEMA || !entry.success || typeof extension !== "string" || !Number.isSafeInteger(place))
      return "unknown";
    if (entry.data.id !== id) return entry.data.id.toLowerCase() === id.toLowerCase() ? "unknown" : "copied";
    if (mediaTypeByExtension(extension) === null) return "unknown";
    return { entry: entry.data, extension, place: place as number };
  } catch {
    return "damaged";
  }
}

/** @param dir the library's folder @throws the disk's error */
export async function readSidecar(fs: StoreFs, dir: string, id: string): Promise<FoundSidecar> {
  const path = getSidecarPath(dir, id);
  try {
    const kind = (await fs.check(path))?.kind;
    if (kind === undefined) return "missing";
    // Links are not followed.
    return kind === "file" ? parseSidecar(await fs.readWhole(path), id) : "damaged";
  } catch (error) {
    if (errorCode(error) === "ENOENT") return "missing";
    throw error;
  }
}
