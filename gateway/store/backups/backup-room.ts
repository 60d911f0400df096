import { LOW_WATER_BYTES } from "../media/media-files.ts";
import { RECORDINGS_LEAVE_BYTES } from "../recording-log.ts";
import { errorCode } from "../disk/store-fs.ts";
import { NoRoomError, StoreWriteError } from "../store.ts";

const MIB = 1024 ** 2;
const RECEIPTS_BYTES = 16 * MIB;

/** Writes that stop when less than this is free on the disk of the data folder, the first to stop first. */
const MARKS = [
  { bytes: LOW_WATER_BYTES, what: "what models make" },
  { bytes: RECORDINGS_LEAVE_BYTES, what: "recordings" },
  { bytes: RECEIPTS_BYTES, what: "receipts and settings" },
] as const;

/**
 * Checks that a copy leaves enough space for running operations; receipts can always be written.
 * @param the failed action, as a sentence without its end
 * @param needed bytes of the copy @param free bytes of the disk
 * @param must whether nothing works without this copy, so that space for receipts suffices
 * @throws NoRoomError
 */
export function requireRoom(what: string, needed: number, free: number, must = false): void {
  const mark = (must ? MARKS.slice(-1) : MARKS).find(
    ({ bytes }) => (free >= bytes || bytes === RECEIPTS_BYTES) && free - needed < bytes,
  );
  if (mark === undefined) return;
  throw new NoRoomError(
    `${what}: it needs ${Math.ceil(needed / MIB)} MiB, ${Math.floor(free / MIB)} MiB are free on the disk of the data ` +
      `folder, and ${mark.bytes / MIB} MiB must stay free for ${mark.what}. Make room on that disk, or delete backups.`,
  );
}

/**
 * Explains a disk error to the user.
 * @param the failed action, as a sentence without its end
 * @returns a NoRoomError or another StoreWriteError; other errors are returned unchanged
 */
export function diskRefusal(what: string, error: unknown): unknown {
  const code = errorCode(error);
  if (code === "" || error instanceof StoreWriteError) return error;
  const full = code === "ENOSPC" || code === "EDQUOT";
  return new (full ? NoRoomError : StoreWriteError)(`${what}: ${getReason(code, error)}`, { cause: error });
}

function getReason(code: string, error: unknown): string {
  const path = error instanceof Error && "path" in error ? String(error.path) : "the data folder";
  switch (code) {
    case "ENOSPC":
    case "EDQUOT":
      return "the disk of the data folder is full. Make room on it, or delete backups, and try again.";
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return `${path} may not be read or written (${code}). Give it back to the user that runs Postern, and try again.`;
    default:
      return `the disk refused ${path} (${code}). Look at the disk, and try again.`;
  }
}
