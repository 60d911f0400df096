import { dirname, join } from "node:path";
import { crc32 } from "node:zlib";
import * as z from "zod";
import { getMessage } from "../../lib/message-of.ts";
import { isTemporary, parseJson, replaceWithJson, temporaryName } from "../disk/atomic-file.ts";
import { LOCK_FILE } from "../disk/lock.ts";
import { errorCode } from "../disk/store-fs.ts";
import type { StoreFs } from "../disk/store-fs.ts";
import type { Quarantine } from "../quarantine.ts";

/** The data folder cannot be used. The message is for the person who started Postern and says what to do. */
export class StoreOpenError extends Error {
  override readonly name = "StoreOpenError";
}

/** Identifies a data folder and the version that wrote it last. */
const markerSchema = z.looseObject({
  format: z.literal("postern-data"),
  schemaVersion: z.number().int(),
  writtenBy: z.string(),
  /** CRC-32 of the other members as JSON; missing in folders of earlier versions. */
  check: z.number().int().optional(),
});
export type Marker = z.infer<typeof markerSchema>;

/** The layout of the data folder that this version writes. It reads every earlier one. */
export const SCHEMA_VERSION = 2;
export const MARKER_FILE = "postern.json";
export const USAGE_FOLDER = "usage";
/** Video tasks that have left the document. */
export const TASKS_FOLDER = "tasks";
/** The history imported from agents' own logs. */
export const HISTORY_FOLDER = "history";

/**
 * Makes a missing folder, and checks whether it can be written.
 * @returns the names in it
 * @throws StoreOpenError when it is no folder or cannot be written
 */
export async function prepareFolder(fs: StoreFs, dir: string): Promise<ReadonlySet<string>> {
  try {
    await fs.makeFolder(dir);
    const names = await fs.list(dir);
    // An existing home or shared folder, given by mistake, keeps its mode.
    if (names.every((name) => name === LOCK_FILE) || names.includes(MARKER_FILE)) await fs.protect(dir);
    await tryToWrite(fs, dir);
    if (!names.includes(USAGE_FOLDER)) await fs.makeFolder(join(dir, USAGE_FOLDER));
    if (!names.includes(MARKER_FILE)) await syncNames(fs, dir);
    return new Set(names);
  } catch (error) {
    throw openError(dir, error);
  }
}

/** Explains an error of the disk while opening to the person who started Postern. */
export function openError(dir: string, error: unknown): StoreOpenError {
  return error instanceof StoreOpenError ? error : new StoreOpenError(cannotUse(dir, error), { cause: error });
}

/** A new folder must be there after a power cut, and so must the folders that it is in. */
async function syncNames(fs: StoreFs, dir: string): Promise<void> {
  await fs.syncFolder(dir);
  // Folders of others may not be opened by this user; then they were there before.
  for (let at = dirname(dir); at !== dirname(at); at = dirname(at)) await fs.syncFolder(at).catch(() => undefined);
}

/** Makes a file and removes it. @throws the system's error, except for a full disk. */
export async function tryToWrite(fs: StoreFs, dir: string): Promise<void> {
  const path = temporaryName(join(dir, "write-check"));
  try {
    await (await fs.open(path, "create")).close();
    await fs.remove(path);
  } catch (error) {
    // A full disk must not prevent a start: everything is readable, and writes continue once there is space.
    if (errorCode(error) !== "ENOSPC" && errorCode(error) !== "EDQUOT") throw error;
  }
}

function cannotUse(dir: string, error: unknown): string {
  const choose = "Choose another with --data-dir or POSTERN_DATA_DIR.";
  switch (errorCode(error)) {
    case "EACCES":
    case "EPERM":
      return (
        `The data folder ${dir} cannot be used by this user: ${getPlace(dir, error)} may not be read or written ` +
        `(${errorCode(error)}). Give it back to this user with chown and chmod, or start as the user that it belongs to. ` +
        choose
      );
    case "EIO":
      return (
        `The disk cannot read or write ${getPlace(dir, error)} (EIO), so the data folder ${dir} cannot be used. Look at ` +
        `the disk before anything else is written to it. ${choose}`
      );
    case "EROFS":
      return `The data folder ${dir} is on a read-only file system. ${choose}`;
    case "ENOTDIR":
    case "EEXIST":
      return `The data folder ${dir} is not a folder. ${choose}`;
    default:
      return `The data folder ${dir} cannot be used (${errorCode(error) || getMessage(error)}). ${choose}`;
  }
}

const getPlace = (dir: string, error: unknown): string =>
  error instanceof Error && "path" in error && typeof error.path === "string" ? error.path : dir;

/** Removes temporary files left by a crash. */
export async function removeTemporary(fs: StoreFs, dir: string): Promise<void> {
  for (const name of await fs.list(dir)) {
    if (isTemporary(name)) await fs.remove(join(dir, name)).catch(() => undefined);
  }
}

/** @returns null without a marker; a damaged one goes to quarantine and is recreated */
export async function readMarker(fs: StoreFs, dir: string, quarantine: Quarantine): Promise<Marker | null> {
  const path = join(dir, MARKER_FILE);
  if ((await fs.size(path)) === null) return null;
  const marker = findMarker(await fs.readWhole(path));
  if (marker !== null) return marker;
  await quarantine.move(MARKER_FILE, "damaged", `The file ${MARKER_FILE} was damaged and is made anew.`);
  return null;
}

/** @returns null for bytes that are not a marker, or whose checksum does not match */
export function findMarker(bytes: Buffer): Marker | null {
  try {
    const raw = parseJson(bytes);
    const marker = markerSchema.parse(raw, { jitless: true });
    const { check, ...rest } = raw as Marker;
    // Versions that name the checksum differently see it as one more member.
    const isWhole = check === undefined ? Object.keys(rest).length === MEMBERS : check === getCheck(rest);
    return isWhole ? marker : null;
  } catch {
    return null;
  }
}

/** Members of a marker without its check. */
const MEMBERS = 3;

const getCheck = (marker: object): number => crc32(JSON.stringify(marker));

export async function writeMarker(
  fs: StoreFs,
  dir: string,
  writer: { readonly schemaVersion: number; readonly writtenBy: string },
): Promise<void> {
  const marker = { format: "postern-data", schemaVersion: writer.schemaVersion, writtenBy: writer.writtenBy };
  await replaceWithJson(fs, join(dir, MARKER_FILE), { ...marker, check: getCheck(marker) });
}
