import { basename, join } from "node:path";
import { copyFile } from "../backups/backup.ts";
import { replaceFile } from "../disk/atomic-file.ts";
import { NEWLINE } from "../disk/line.ts";
import { segmentName } from "../disk/segments.ts";
import type { StoreFile, StoreFs } from "../disk/store-fs.ts";
import { EARLIER_LIST } from "../tasks/task-questions.ts";
import { MARKER_FILE, SCHEMA_VERSION, TASKS_FOLDER, USAGE_FOLDER, findMarker, writeMarker } from "./data-folder.ts";
import { findStateFiles } from "./state-files.ts";
import { getSegments, upgradeGeneration, upgradeLines } from "./upgrade-lines.ts";
import type { FileKind } from "./upgrade-lines.ts";

const READ_BYTES = 256 * 1024;

/** @returns the newest layout in its marker and states; 0 without any */
export async function getLayout(fs: StoreFs, dir: string): Promise<number> {
  const path = join(dir, MARKER_FILE);
  const marker = (await fs.size(path)) === null ? null : findMarker(await fs.readWhole(path));
  // The common case: its states need no check here, because opening the folder reads them.
  if (marker?.schemaVersion === SCHEMA_VERSION) return SCHEMA_VERSION;
  const { generations } = await findStateFiles(fs, dir);
  return Math.max(marker?.schemaVersion ?? 0, ...generations.map(({ schemaVersion }) => schemaVersion));
}

export const isEarlier = (layout: number): boolean => layout < SCHEMA_VERSION;

/**
 * Copies the files of a data folder of an earlier layout and upgrades the copies. Damaged bytes are copied unchanged.
 * The list of archived tasks is omitted, because it is rebuilt from the archive.
 * @param files from `dataFiles`
 */
export async function copyUpgraded(fs: StoreFs, from: string, to: string, files: readonly string[]): Promise<void> {
  const marker = files.includes(MARKER_FILE) ? findMarker(await fs.readWhole(join(from, MARKER_FILE))) : null;
  const states = files.filter((file) => getKind(file) === "state");
  const offsets = new Positions();
  for (const file of states) offsets.want(getSegments(await fs.readWhole(join(from, file))));
  for (const file of files) {
    const kind = getKind(file);
    const [source, target] = [join(from, file), join(to, file)];
    if (kind === "state" || basename(file) === EARLIER_LIST || (file === MARKER_FILE && marker !== null)) continue;
    if (kind === null) await copyFile(fs, source, target, Infinity);
    else await upgradeFile(fs, source, target, kind, kind === "usage" ? offsets.of(basename(file)) : undefined);
  }
  for (const file of states) {
    const bytes = await fs.readWhole(join(from, file));
    const upgraded = upgradeGeneration(bytes, SCHEMA_VERSION, (month, offset) => offsets.moveOffset(month, offset));
    await withNew(fs, join(to, file), (target) => target.write(upgraded, 0));
  }
  if (marker !== null) await writeMarker(fs, to, { ...marker, schemaVersion: SCHEMA_VERSION });
}

/**
 * Upgrades the library's list in place. The original is kept as `index.layout-1.ndjson`, because backups do not include
 * the library.
 */
export async function upgradeMediaIndex(fs: StoreFs, media: string): Promise<void> {
  const index = join(media, "index.ndjson");
  if ((await fs.size(index)) === null) return;
  const before = join(media, "index.layout-1.ndjson");
  if ((await fs.size(before)) === null) {
    const bytes = await fs.readWhole(index);
    await replaceFile(fs, before, (file) => file.write(bytes, 0));
  }
  await replaceFile(fs, index, (file) => upgradeInto(fs, before, file, "media"));
}

/** Returns the kind of a file in the data folder; null for files without lines. */
function getKind(file: string): FileKind | null {
  if (file.startsWith(USAGE_FOLDER)) return "usage";
  if (file.startsWith(TASKS_FOLDER)) return "tasks";
  if (file.startsWith("state.")) return "state";
  return file.startsWith("journal.") ? "journal" : null;
}

type OnPosition = (before: number, after: number) => void;

const upgradeFile = (fs: StoreFs, from: string, to: string, kind: FileKind, onPosition?: OnPosition): Promise<void> =>
  withNew(fs, to, (target) => upgradeInto(fs, from, target, kind, onPosition));

async function withNew(fs: StoreFs, path: string, fill: (file: StoreFile) => Promise<void>): Promise<void> {
  const file = await fs.open(path, "create");
  try {
    await fill(file);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Upgrades in memory that the longest line bounds: segments and archives are large. */
async function upgradeInto(
  fs: StoreFs,
  from: string,
  target: StoreFile,
  kind: FileKind,
  onPosition?: OnPosition,
): Promise<void> {
  const source = await fs.open(from, "read");
  let rest: Buffer = Buffer.alloc(0);
  let read = 0;
  let written = 0;
  const take = async (bytes: Buffer): Promise<void> => {
    const each =
      onPosition === undefined ? undefined : (b: number, a: number): void => onPosition(read + b, written + a);
    const upgraded = upgradeLines(kind, bytes, each);
    await target.write(upgraded, written);
    read += bytes.length;
    written += upgraded.length;
  };
  try {
    for (;;) {
      const chunk = Buffer.allocUnsafe(READ_BYTES);
      const length = await source.read(chunk, read + rest.length);
      const bytes = Buffer.concat([rest, chunk.subarray(0, length)]);
      const whole = length < READ_BYTES ? bytes.length : bytes.lastIndexOf(NEWLINE) + 1;
      rest = bytes.subarray(whole);
      if (whole > 0) await take(bytes.subarray(0, whole));
      if (length < READ_BYTES) return;
    }
  } finally {
    await source.close();
  }
}

/** Maps positions of states in the usage log to those after the upgrade. */
class Positions {
  readonly #moved = new Map<string, Map<number, number>>();

  want(segments: Readonly<Record<string, number>>): void {
    for (const [month, offset] of Object.entries(segments)) {
      const findMoved = this.#moved.get(segmentName(month)) ?? new Map<number, number>();
      // Until a line ends there: -1 makes the log be read from its start.
      this.#moved.set(segmentName(month), findMoved.set(offset, offset === 0 ? 0 : -1));
    }
  }

  of(segment: string): OnPosition | undefined {
    const moved = this.#moved.get(segment);
    if (moved === undefined) return undefined;
    return (before, after) => {
      if (moved.has(before)) moved.set(before, after);
    };
  }

  moveOffset(month: string, offset: number): number {
    return this.#moved.get(segmentName(month))?.get(offset) ?? -1;
  }
}
