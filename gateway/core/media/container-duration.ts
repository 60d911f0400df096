/**
 * Duration of the audio in a complete MP4 or WebM file, computed from its samples and blocks instead of the declared
 * duration; and duration and size of a video, as declared. Every byte is read at most once, whatever the file contains.
 */

/** A box of ISO/IEC 14496-12, without its head. */
interface Box {
  readonly type: string;
  readonly body: Buffer;
}

/** Max boxes that lie in one: a fragment for each second of two days. */
const MAX_BOXES = 200_000;

function* readBoxes(file: Buffer): Generator<Box, void, undefined> {
  for (let at = 0, left = MAX_BOXES; at + 8 <= file.length && left > 0; left--) {
    let size = file.readUInt32BE(at);
    let head = 8;
    if (size === 1 && at + 16 <= file.length) {
      size = Number(file.readBigUInt64BE(at + 8));
      head = 16;
    }
    const end = size === 0 ? file.length : at + size;
    if (end < at + head) return;
    yield { type: file.toString("latin1", at + 4, at + 8), body: file.subarray(at + head, end) };
    at = end;
  }
}

function findBox(file: Buffer | null, ...path: readonly string[]): Buffer | null {
  let found = file;
  for (const type of path) {
    let next: Buffer | null = null;
    if (found !== null) {
      for (const box of readBoxes(found)) {
        if (box.type !== type) continue;
        next = box.body;
        break;
      }
    }
    found = next;
  }
  return found;
}

/** An audio track. Times are in its own units. */
interface Track {
  readonly unitsPerSecond: number;
  /** Default duration of samples, used if the fragment has none. */
  readonly usual: number;
  length: number;
}

/**
 * Measures MP4, M4A and QuickTime, whole or in fragments as Safari records them. The longest audio track counts, or the
 * whole file if there is no such track.
 * @returns seconds; null if unknown
 */
export function isoSeconds(file: Buffer): number | null {
  const movie = findBox(file, "moov");
  return movie === null
    ? null
    : (longestTrack(file, movie, /soun/) ?? positiveOrNull(headSeconds(findBox(movie, "mvhd"))));
}

/** Header fields of a film; null if missing. */
export interface Film {
  /** Pixels as they are shown. */
  readonly width: number | null;
  readonly height: number | null;
  readonly seconds: number | null;
}

/** MP4 and QuickTime, also without the boxes of their pictures and sound. */
export function isoFilm(file: Buffer): Film {
  const movie = findBox(file, "moov");
  const seconds =
    movie && (positiveOrNull(headSeconds(findBox(movie, "mvhd"))) ?? longestTrack(file, movie, /soun|vide/));
  for (const { type, body } of readBoxes(movie ?? Buffer.alloc(0))) {
    const handler = type === "trak" ? findBox(body, "mdia", "hdlr") : null;
    const head = findBox(body, "tkhd");
    if (handler?.toString("latin1", 8, 12) === "vide" && head !== null) return { ...shownSize(head), seconds };
  }
  return { width: null, height: null, seconds };
}

/** `tkhd`, which ends with a matrix and the size in 1/65,536 pixels (ISO/IEC 14496-12, 8.3.2). */
function shownSize(head: Buffer): Pick<Film, "width" | "height"> {
  const at = head[0] === 1 ? 88 : 76;
  if (head.length < at + 8) return { width: null, height: null };
  const [width, height] = [head.readUInt16BE(at), head.readUInt16BE(at + 4)];
  const isTurned = head.readInt32BE(at - 36) === 0 && head.readInt32BE(at - 32) !== 0;
  return isTurned ? { width: height, height: width } : { width, height };
}

function longestTrack(file: Buffer, movie: Buffer, handlers: RegExp): number | null {
  const tracks = findTracks(movie, handlers);
  for (const { type, body } of readBoxes(file)) if (type === "moof") addFragments(body, tracks);
  return positiveOrNull(
    Math.max(0, ...[...tracks.values()].map(({ length, unitsPerSecond }) => length / unitsPerSecond)),
  );
}

function findTracks(movie: Buffer, handlers: RegExp): Map<number, Track> {
  const usual = usualLengths(findBox(movie, "mvex"));
  const tracks = new Map<number, Track>();
  for (const { type, body } of readBoxes(movie)) {
    if (type !== "trak") continue;
    const id = trackId(findBox(body, "tkhd"));
    const media = findBox(body, "mdia");
    const handler = findBox(media, "hdlr");
    if (handler === null || !handlers.test(handler.toString("latin1", 8, 12))) continue;
    const unitsPerSecond = timescale(findBox(media, "mdhd"));
    if (unitsPerSecond === 0) continue;
    const length = sampleLengths(findBox(media, "minf", "stbl", "stts"));
    tracks.set(id, { unitsPerSecond, usual: usual.get(id) ?? 0, length });
  }
  return tracks;
}

function trackId(head: Buffer | null): number {
  const at = head?.[0] === 1 ? 20 : 12;
  return head !== null && head.length >= at + 4 ? head.readUInt32BE(at) : 0;
}

function timescale(head: Buffer | null): number {
  const at = head?.[0] === 1 ? 20 : 12;
  return head !== null && head.length >= at + 4 ? head.readUInt32BE(at) : 0;
}

function headSeconds(head: Buffer | null): number {
  const scale = timescale(head);
  if (head === null || scale === 0) return 0;
  if (head[0] === 1) return head.length >= 32 ? Number(head.readBigUInt64BE(24)) / scale : 0;
  return head.length >= 20 ? head.readUInt32BE(16) / scale : 0;
}

/** `stts`: how many samples have which length. */
function sampleLengths(table: Buffer | null): number {
  if (table === null) return 0;
  let length = 0;
  for (let at = 8; at + 8 <= table.length; at += 8) length += table.readUInt32BE(at) * table.readUInt32BE(at + 4);
  return length;
}

function usualLengths(extension: Buffer | null): Map<number, number> {
  const usual = new Map<number, number>();
  if (extension === null) return usual;
  for (const { type, body } of readBoxes(extension)) {
    if (type === "trex" && body.length >= 16) usual.set(body.readUInt32BE(4), body.readUInt32BE(12));
  }
  return usual;
}

/** Fields of `tfhd` that may stand before the usual length, and of `trun` before its samples (ISO/IEC 14496-12, 8.8.7 and 8.8.8). */
const BASE_OFFSET = 0x1;
const DESCRIPTION = 0x2;
const USUAL_LENGTH = 0x8;
const DATA_OFFSET = 0x1;
const FIRST_FLAGS = 0x4;
const SAMPLE_LENGTH = 0x1_00;
const SAMPLE_FIELDS = [0x1_00, 0x2_00, 0x4_00, 0x8_00] as const;

function addFragments(fragment: Buffer, tracks: ReadonlyMap<number, Track>): void {
  for (const { type, body } of readBoxes(fragment)) {
    if (type !== "traf") continue;
    const head = findBox(body, "tfhd");
    if (head === null || head.length < 8) continue;
    const track = tracks.get(head.readUInt32BE(4));
    if (track === undefined) continue;
    const usual = lengthInHead(head) ?? track.usual;
    for (const run of readBoxes(body)) if (run.type === "trun") track.length += runLength(run.body, usual);
  }
}

function lengthInHead(head: Buffer): number | null {
  const flags = head.readUInt32BE(0);
  const at = 8 + (flags & BASE_OFFSET ? 8 : 0) + (flags & DESCRIPTION ? 4 : 0);
  return flags & USUAL_LENGTH && head.length >= at + 4 ? head.readUInt32BE(at) : null;
}

function runLength(run: Buffer, usual: number): number {
  if (run.length < 8) return 0;
  const flags = run.readUInt32BE(0);
  const count = run.readUInt32BE(4);
  if (!(flags & SAMPLE_LENGTH)) return count * usual;
  const step = 4 * SAMPLE_FIELDS.filter((field) => (flags & field) !== 0).length;
  const start = 8 + (flags & DATA_OFFSET ? 4 : 0) + (flags & FIRST_FLAGS ? 4 : 0);
  const end = Math.min(run.length - 3, start + count * step);
  let length = 0;
  for (let at = start; at < end; at += step) length += run.readUInt32BE(at);
  return length;
}

/** Matroska elements that are read (RFC 9559, 5.1). */
const SEGMENT = 0x18_53_80_67;
const INFO = 0x15_49_a9_66;
const SCALE = 0x2a_d7_b1;
const LENGTH = 0x44_89;
const CLUSTER = 0x1f_43_b6_75;
const CLUSTER_TIME = 0xe7;
const GROUP = 0xa0;
const BLOCK = 0xa1;
const SIMPLE_BLOCK = 0xa3;
const TRACKS = 0x16_54_ae_6b;
const TRACK = 0xae;
const VIDEO = 0xe0;
const ENTERED: ReadonlySet<number> = new Set([SEGMENT, INFO, CLUSTER, GROUP, TRACKS, TRACK, VIDEO]);
/** Stored size of a video in pixels, and its display size if that differs. */
const SIDES: ReadonlyMap<number, "width" | "height"> = new Map([
  [0xb0, "width"],
  [0xba, "height"],
  [0x54_b0, "width"],
  [0x54_ba, "height"],
]);

/** Nanoseconds per time unit if the file states none. */
const USUAL_SCALE = 1_000_000;
/** Assumed duration of the last block, if it is the only one: blocks only state their start. */
const USUAL_BLOCK_MS = 20;

/**
 * Measures WebM and Matroska by the start times of blocks: browsers' recordings do not state their duration.
 * @returns seconds; null if unknown
 */
export const matroskaSeconds = (file: Buffer): number | null => readMatroska(file).blockSeconds;

/** WebM and Matroska. */
export function matroskaFilm(file: Buffer): Film {
  const { width, height, headSeconds: declaredSeconds, blockSeconds } = readMatroska(file);
  return { width, height, seconds: declaredSeconds ?? blockSeconds };
}

interface Matroska extends Pick<Film, "width" | "height"> {
  /** Duration stated by the header. */
  readonly headSeconds: number | null;
  /** Duration by its blocks; null if it has no blocks. */
  readonly blockSeconds: number | null;
}

function readMatroska(file: Buffer): Matroska {
  const sides: { width: number | null; height: number | null } = { width: null, height: null };
  let scale = USUAL_SCALE;
  let length = 0;
  let cluster = 0;
  let last = -1;
  let before = -1;
  for (let at = 0; at < file.length;) {
    const id = readId(file, at);
    const size = id === null ? null : readSize(file, at + id.bytes);
    if (id === null || size === null) break;
    const body = at + id.bytes + size.bytes;
    const { value } = size;
    // Elements that contain others are entered rather than skipped; their sizes may be unknown.
    at = ENTERED.has(id.value) ? body : body + value;
    if (id.value === SCALE) scale = readUnsigned(file, body, value) || USUAL_SCALE;
    else if (id.value === LENGTH) length = readFloat(file, body, value);
    else if (SIDES.has(id.value)) sides[SIDES.get(id.value) ?? "width"] = readUnsigned(file, body, value) || null;
    else if (id.value === CLUSTER_TIME) cluster = readUnsigned(file, body, value);
    else if (id.value === BLOCK || id.value === SIMPLE_BLOCK) {
      const track = readSize(file, body);
      const place = body + (track?.bytes ?? 1);
      const time = place + 2 <= file.length ? cluster + file.readInt16BE(place) : -1;
      if (time <= last) continue;
      before = last;
      last = time;
    }
  }
  const unit = scale / 1e9;
  const head = positiveOrNull(length * unit);
  const end = positiveOrNull(last * unit + (before < 0 ? USUAL_BLOCK_MS / 1_000 : (last - before) * unit));
  return { ...sides, headSeconds: head, blockSeconds: last < 0 ? head : end };
}

/** A variable-length integer, whose first byte gives its length (RFC 8794, 4). */
interface Vint {
  readonly value: number;
  /** Bytes that it occupies. */
  readonly bytes: number;
}

/** An element's id, with the marks of its length. */
function readId(file: Buffer, at: number): Vint | null {
  const bytes = Math.clz32(file[at] ?? 0) - 23;
  if (bytes > 4 || at + bytes > file.length) return null;
  return { value: file.readUIntBE(at, bytes), bytes };
}

/** Returns an element's size, without its marks; the file's length if unknown. */
function readSize(file: Buffer, at: number): Vint | null {
  const first = file[at] ?? 0;
  const bytes = Math.clz32(first) - 23;
  if (bytes > 8 || at + bytes > file.length) return null;
  let value = first & (0xff >> bytes);
  let open = value === 0xff >> bytes;
  for (let index = 1; index < bytes; index += 1) {
    const next = file[at + index] ?? 0;
    open &&= next === 0xff;
    value = value * 256 + next;
  }
  return { value: open ? file.length : value, bytes };
}

function readUnsigned(file: Buffer, at: number, size: number): number {
  return size > 0 && size <= 6 && at + size <= file.length ? file.readUIntBE(at, size) : 0;
}

function readFloat(file: Buffer, at: number, size: number): number {
  if (at + size > file.length) return 0;
  if (size === 4) return file.readFloatBE(at);
  return size === 8 ? file.readDoubleBE(at) : 0;
}

const positiveOrNull = (seconds: number): number | null => (Number.isFinite(seconds) && seconds > 0 ? seconds : null);
