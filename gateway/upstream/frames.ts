/** A line of a stream longer than this is an attack or a mistake; large images in one frame stay below it. */
export const MAX_FRAME_BYTES = 32 * 1024 * 1024;

const LF = 10;
const CR = 13;

/**
 * Cuts a byte stream of server-sent events into runs of whole events, without changing a byte. What is not whole yet is
 * kept back: a vendor that dies in the middle of an event then leaves no half event behind at the client.
 */
export class FrameCutter {
  #rest: Buffer | null = null;

  /**
   * @returns the bytes of all events that are whole now, or null when none is.
   * @throws RangeError when one event is larger than MAX_FRAME_BYTES.
   */
  push(chunk: Buffer): Buffer | null {
    const rest = this.#rest;
    const buffer = rest === null ? chunk : Buffer.concat([rest, chunk]);
    const end = endOfLastEvent(buffer, rest === null ? 0 : Math.max(0, rest.length - 3));
    if (end === 0) {
      if (buffer.length > MAX_FRAME_BYTES) throw new RangeError("an event of the stream is too large");
      this.#rest = buffer;
      return null;
    }
    this.#rest = end === buffer.length ? null : buffer.subarray(end);
    return end === buffer.length ? buffer : buffer.subarray(0, end);
  }

  /** Bytes of an event that never ended; null when the stream ended cleanly. */
  get rest(): Buffer | null {
    return this.#rest;
  }
}

/** The index behind the last blank line at or after `from`; 0 when there is none. */
function endOfLastEvent(buffer: Buffer, from: number): number {
  for (let i = buffer.length - 1; i > from; i--) {
    const byte = buffer[i];
    if (byte !== LF && byte !== CR) continue;
    const before = buffer[i - 1];
    if (byte === LF && (before === LF || (before === CR && i >= 2 && isBreak(buffer[i - 2])))) return i + 1;
    if (byte === CR && before === CR) return i + 1;
  }
  return 0;
}

function isBreak(byte: number | undefined): boolean {
  return byte === LF || byte === CR;
}

/** One event of a stream. */
export interface Frame {
  /** The frame with its blank line, as the vendor wrote it. */
  readonly raw: string;
  /** Its `data` lines joined by line feeds; null for comments. */
  readonly data: string | null;
}

const BLANK_LINE = /\r\n\r\n|\n\n|\r\r|\n\r\n/g;

/** Splits text that holds whole events only into its frames. */
export function splitFrames(text: string): Frame[] {
  // Nearly every server ends lines with a line feed alone: no regular expression for it.
  if (!text.includes("\r")) return splitPlain(text);
  const frames: Frame[] = [];
  let start = 0;
  for (const match of text.matchAll(BLANK_LINE)) {
    const end = match.index + match[0].length;
    frames.push(frameOf(text.slice(start, end)));
    start = end;
  }
  if (start < text.length) frames.push(frameOf(text.slice(start)));
  return frames;
}

function splitPlain(text: string): Frame[] {
  const frames: Frame[] = [];
  let start = 0;
  while (start < text.length) {
    const blank = text.indexOf("\n\n", start);
    const end = blank < 0 ? text.length : blank + 2;
    const one = text.startsWith("data: ", start) && text.indexOf("\n", start) === blank;
    frames.push(one ? { raw: text.slice(start, end), data: text.slice(start + 6, blank) } : frameOf(text.slice(start, end)));
    start = end;
  }
  return frames;
}

function frameOf(raw: string): Frame {
  return { raw, data: dataOf(raw) };
}

function dataOf(raw: string): string | null {
  let data: string | null = null;
  for (const line of raw.split(/\r\n|\n|\r/)) {
    const text = line.startsWith("\uFEFF") ? line.slice(1) : line;
    if (!text.startsWith("data:")) continue;
    const value = text.slice(text[5] === " " ? 6 : 5);
    data = data === null ? value : `${data}\n${value}`;
  }
  return data;
}
