import { withoutMark } from "../lib/json.ts";

/** A line of a stream longer than this is an attack or a mistake; large images in one frame stay below it. */
export const MAX_FRAME_BYTES = 32 * 1024 * 1024;

const LF = 10;
const CR = 13;
const NONE = Buffer.alloc(0);
/** A blank line is at most `\r\n\r\n`: bytes of it that may precede its last one. */
const LOOK_BACK = 3;

/**
 * Splits a byte stream of server-sent events into runs of complete events, unchanged except for a leading byte order
 * mark. An incomplete event is held back, so that a provider that fails midway leaves no partial event at the client.
 */
export class FrameCutter {
  /** Pieces of an incomplete event; joined once, so that a long event has linear cost. */
  #pieces: Buffer[] = [];
  #size = 0;
  /** Last bytes of the pieces, in which a blank line may start. */
  #tail: Buffer = NONE;
  #hasStarted = false;

  /**
   * @returns the bytes of all complete events, or null without any.
   * @throws RangeError if one event is larger than MAX_FRAME_BYTES.
   */
  push(chunk: Buffer): Buffer | null {
    if (this.#size === 0) return isBlank(chunk) ? null : this.#cut(chunk, endOfLastEvent(chunk));
    const tail = this.#tail;
    return this.#cut(chunk, endOfLastEvent(Buffer.concat([tail, chunk])) - tail.length);
  }

  /** Number of buffered bytes. */
  get size(): number {
    return this.#size;
  }

  /** Bytes of an incomplete last event; null if the stream ended cleanly. */
  get rest(): Buffer | null {
    return this.#size === 0 ? null : Buffer.concat(this.#pieces, this.#size);
  }

  /** @param end offset in `chunk` after the last complete event; 0 or less without one */
  #cut(chunk: Buffer, end: number): Buffer | null {
    if (end <= 0) {
      this.#keep(chunk);
      if (this.#size > MAX_FRAME_BYTES) throw new RangeError("an event of the stream is too large");
      return null;
    }
    const last = end === chunk.length ? chunk : chunk.subarray(0, end);
    const whole = this.#size === 0 ? last : Buffer.concat([...this.#pieces, last], this.#size + end);
    this.#pieces = [];
    this.#size = 0;
    this.#tail = NONE;
    if (end < chunk.length) this.#keep(chunk.subarray(end));
    const run = this.#hasStarted ? whole : withoutMark(whole);
    this.#hasStarted = true;
    return run;
  }

  #keep(piece: Buffer): void {
    if (piece.length === 0) return;
    this.#pieces.push(piece);
    this.#size += piece.length;
    this.#tail =
      piece.length >= LOOK_BACK ? piece.subarray(-LOOK_BACK) : Buffer.concat([this.#tail, piece]).subarray(-LOOK_BACK);
  }
}

/**
 * Returns the index after the last blank line; 0 without a blank line. Lines end with LF, CR or CRLF (the SSE
 * standard).
 */
function endOfLastEvent(buffer: Buffer): number {
  for (let i = buffer.length - 1; i > 0; i--) {
    const byte = buffer[i];
    if (byte !== LF && byte !== CR) continue;
    const before = buffer[i - 1];
    if (byte === LF && (before === LF || (before === CR && i >= 2 && isBreak(buffer[i - 2])))) return i + 1;
    if (byte === CR && before === CR) return i + 1;
    // A CR at the very end after an LF may still become a CRLF.
    if (byte === CR && before === LF && i + 1 < buffer.length) return i + 1;
  }
  return 0;
}

/** Tells whether there are only line ends. */
export function isBlank(bytes: Buffer): boolean {
  for (const byte of bytes) if (!isBreak(byte)) return false;
  return true;
}

function isBreak(byte: number | undefined): boolean {
  return byte === LF || byte === CR;
}

/** An event of a stream. */
export interface Frame {
  /** The frame with its blank line, as the provider wrote it. */
  readonly raw: string;
  /** The event's `data` lines joined by line feeds; null for comments. */
  readonly data: string | null;
}

const BLANK_LINE = /(?:\r\n|\n|\r(?!\n))(?:\r\n|\n|\r)+/g;

/** Splits text with complete events only into its events. */
export function splitFrames(text: string): Frame[] {
  // Nearly every server uses LF only, which needs no regular expression.
  if (!text.includes("\r")) return splitPlain(text);
  const frames: Frame[] = [];
  let start = 0;
  for (const match of text.matchAll(BLANK_LINE)) {
    const end = match.index + match[0].length;
    frames.push(getFrame(text.slice(start, end)));
    start = end;
  }
  if (start < text.length) frames.push(getFrame(text.slice(start)));
  return frames;
}

function splitPlain(text: string): Frame[] {
  const first = text.indexOf("\n\n");
  // Most chunks are one event: no list that has room for more, and no pieces of the text but its data.
  if (first === text.length - 2 && isBare(text, 0, first)) return [{ raw: text, data: text.slice(6, first) }];
  const frames: Frame[] = [];
  let start = 0;
  while (start < text.length) {
    const blank = text.indexOf("\n\n", start);
    let end = blank < 0 ? text.length : blank + 2;
    while (text.charCodeAt(end) === LF) end += 1;
    const raw = text.slice(start, end);
    frames.push(isBare(text, start, blank) ? { raw, data: text.slice(start + 6, blank) } : getFrame(raw));
    start = end;
  }
  return frames;
}

/** Tells whether there is only one line of data from `start` to the blank line. */
function isBare(text: string, start: number, blank: number): boolean {
  return text.startsWith("data: ", start) && text.indexOf("\n", start) === blank;
}

function getFrame(raw: string): Frame {
  return { raw, data: getData(raw) };
}

const DATA_LINE = /(?<![^\r\n])\uFEFF?data: ?([^\r\n]*)/g;

function getData(raw: string): string | null {
  let data: string | null = null;
  for (const [, value = ""] of raw.matchAll(DATA_LINE)) data = data === null ? value : `${data}\n${value}`;
  return data;
}
