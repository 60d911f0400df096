import { isRecord } from "../../lib/records.ts";
import type { Document } from "../translation.ts";

/**
 * Repairs the arguments of a tool call to one JSON object: empty output, text around the object, raw line breaks in
 * strings, bad escapes, extra commas, an object inside a string, or truncated text.
 *
 * It works incrementally, so that a stream can forward pieces: output is never retracted, and does not depend on how
 * the input was split. Valid JSON is unchanged.
 */
export class ToolArguments {
  /** Position: `before` the object; `other`: not an object; `inside` it; `after` its end. */
  #place: "before" | "other" | "inside" | "after" = "before";
  /** The passed-on text; in `other`, the received text. */
  #text = "";
  #inString = false;
  #escaped = false;
  /** A comma and the space after it, until it is known that an item follows. */
  #comma = "";
  readonly #closers: string[] = [];

  /** Whether the object is closed; later input is ignored. */
  get complete(): boolean {
    return this.#place === "after";
  }

  /** @returns what of the object can be passed on now. */
  push(piece: string): string {
    const start = this.#place === "before" ? this.#enter(piece) : 0;
    if (this.#place === "other") {
      this.#text += piece.slice(start);
      return "";
    }
    if (this.#place !== "inside") return "";
    const sound = this.#inside(piece, start);
    this.#text += sound;
    return sound;
  }

  /** @returns the rest that completes the object. Called once, at the end. */
  end(): string {
    if (this.#place === "after") return "";
    if (this.#place === "inside") return getCompletion(this.#text, this.#inString, this.#closers.toReversed().join(""));
    return JSON.stringify(this.#place === "other" ? findObject(this.#text) : {});
  }

  /** Skips text before the object. @returns the start offset of the object. */
  #enter(piece: string): number {
    for (let index = 0; index < piece.length; index += 1) {
      const character = piece[index];
      if (character === "{") this.#place = "inside";
      else if (character === '"' || character === "[") this.#place = "other";
      if (this.#place !== "before") return index;
    }
    return piece.length;
  }

  #inside(piece: string, start: number): string {
    let sound = "";
    let from = start;
    for (let index = start; index < piece.length; index += 1) {
      const instead = this.#inString ? this.#inText(piece, index) : this.#between(piece, index);
      if (instead !== null) {
        sound += piece.slice(from, index) + instead;
        from = index + 1;
      }
      if (this.#place === "after") return sound + piece.slice(from, index + 1);
    }
    return sound + piece.slice(from);
  }

  /** A character of a string. @returns what to write instead of it; null: itself. */
  #inText(piece: string, index: number): string | null {
    const code = piece.charCodeAt(index);
    if (this.#escaped) {
      this.#escaped = false;
      return ESCAPABLE.includes(piece.charAt(index)) ? null : `\\${escapedControl(code) ?? piece.charAt(index)}`;
    }
    if (code === BACKSLASH) this.#escaped = true;
    else if (code === QUOTE) this.#inString = false;
    return escapedControl(code);
  }

  /** A character outside of strings. @returns what to write instead of it; null: itself. */
  #between(piece: string, index: number): string | null {
    const character = piece.charAt(index);
    if (character === "," || (this.#comma !== "" && character.trim() === "")) {
      this.#comma = character === "," ? "," : this.#comma + character;
      return "";
    }
    const closes = character === "}" || character === "]";
    if (closes) {
      this.#closers.pop();
      if (this.#closers.length === 0) this.#place = "after";
    } else if (character === "{") this.#closers.push("}");
    else if (character === "[") this.#closers.push("]");
    else if (character === '"') this.#inString = true;
    if (this.#comma === "") return null;
    const unsent = closes ? this.#comma.slice(1) : this.#comma;
    this.#comma = "";
    return unsent + character;
  }
}

/** Parses the complete arguments of a call. Never throws: unreadable text becomes an empty object. */
export function parsedArguments(text: string): Document {
  const whole = parseOrNothing(text);
  if (isRecord(whole)) return whole;
  const repaired = new ToolArguments();
  return buildObjectOr(parseOrNothing(repaired.push(text) + repaired.end()));
}

const BACKSLASH = 0x5c;
const QUOTE = 0x22;
const FIRST_PRINTABLE = 0x20;
const ESCAPABLE = '"\\/bfnrtu';

function escapedControl(code: number): string | null {
  return code < FIRST_PRINTABLE ? JSON.stringify(String.fromCharCode(code)).slice(1, -1) : null;
}

/** Candidates that complete a value cut in the middle, before the brackets are closed; the first that fits is taken. */
const REST_OF_STRING = ["", "\\", "0", "00", "000", "0000"].flatMap((rest) => [`${rest}"`, `${rest}":null`]);
const REST_OF_VALUE = ["", "null", ":null", "0", "e", "ue", "rue", "se", "lse", "alse", "l", "ll", "ull"];

function getCompletion(text: string, inString: boolean, closers: string): string {
  const rests = inString ? REST_OF_STRING : REST_OF_VALUE;
  const fitting = rests.find((rest) => parseOrNothing(text + rest + closers) !== undefined);
  return (fitting ?? "") + closers;
}

/** An object that was encoded as a string, or is the only item of a list. */
function findObject(text: string): Document {
  const value = parseOrNothing(text);
  if (typeof value === "string") return buildObjectOr(parseOrNothing(value));
  return buildObjectOr(Array.isArray(value) && value.length === 1 ? (value as readonly unknown[])[0] : value);
}

function buildObjectOr(value: unknown): Document {
  return isRecord(value) ? value : {};
}

/** Undefined if it is not JSON. */
function parseOrNothing(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
