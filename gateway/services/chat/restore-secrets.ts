import type { Document } from "../../codecs/translation.ts";
import { Masks } from "../../lib/masks.ts";
import { isRecord } from "../../lib/records.ts";
import type { MapPiece } from "../../lib/records.ts";
import type { StreamTransform } from "../calls/stream-reader.ts";
import type { Dialect } from "./dialect.ts";

/** Fields whose texts are JSON, or pieces of it. */
const JSON_FIELDS: ReadonlySet<string> = new Set(["arguments", "partial_json"]);
/** Events that wait for the rest of a mask; then it stays as it is. */
const MOST_WAITING = 256;

/** Returns a value with the secrets of its texts restored; the same value if it has no mask. */
export function restoreSecrets<T>(value: T, masks: Masks): T {
  return restoreValue(value, masks, false) as T;
}

function restoreValue(value: unknown, masks: Masks, inJson: boolean): unknown {
  if (typeof value === "string") return masks.restore(value, inJson);
  if (Array.isArray(value)) {
    const items = value.map((item) => restoreValue(item, masks, inJson));
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  if (!isRecord(value)) return value;
  const isDelta = String(value["type"]).endsWith("arguments.delta");
  let restored = value;
  for (const [name, inner] of Object.entries(value)) {
    const shown = restoreValue(inner, masks, JSON_FIELDS.has(name) || (isDelta && name === "delta"));
    if (shown !== inner) restored = { ...restored, [name]: shown };
  }
  return restored;
}

/** Restores secrets in the events of a provider's stream, also those whose masks arrive in several pieces. */
export function restoreStream(transform: StreamTransform, dialect: Dialect, masks: Masks): StreamTransform {
  const stream = new RestoredStream(dialect, masks);
  const pass = (event: Document): string => transform.pass(event) ?? dialect.frame(event);
  const release = (): string => stream.end().map(pass).join("");
  return {
    pass(event) {
      const events = stream.read(event);
      return events.length === 1 && events[0] === event ? transform.pass(event) : events.map(pass).join("");
    },
    release,
    ending(last, units) {
      const rest = release();
      const data = last === null ? null : restoreSecrets(last.data, masks);
      const shown = last === null || data === null || data === last.data ? last : { raw: dialect.frame(data), data };
      return [() => rest, ...transform.ending(shown, units)];
    },
  };
}

/** The start of a mask at the end of a piece. */
interface Beginning {
  /** Place of its event among those that wait. */
  readonly place: number;
  readonly text: string;
}

/** Events whose last piece may be the start of a mask wait for the next piece of the same text. */
class RestoredStream {
  readonly #dialect: Dialect;
  readonly #masks: Masks;
  #waiting: Document[] = [];
  /** Keyed by text; empty if none waits. */
  readonly #beginnings = new Map<string, Beginning>();

  constructor(dialect: Dialect, masks: Masks) {
    this.#dialect = dialect;
    this.#masks = masks;
  }

  /** @returns the events that are ready, in order */
  read(event: Document): readonly Document[] {
    // Events that only keep the connection open end no text.
    if (event["type"] === "ping") return [event];
    const begun = new Map<string, string>();
    let hasText = false;
    const joined = this.#map(event, (name, piece) => {
      hasText = true;
      const text = this.#takeBeginning(name) + piece;
      const length = Masks.measureStart(text);
      // An event may have several pieces of a text.
      if (length > 0) begun.set(name, text.slice(-length));
      else begun.delete(name);
      return text;
    });
    const restored = restoreSecrets(joined, this.#masks);
    for (const [run, text] of begun) this.#beginnings.set(run, { place: this.#waiting.length, text });
    const isWaiting = this.#beginnings.size > 0 && hasText && this.#waiting.length < MOST_WAITING;
    if (this.#waiting.length === 0 && !isWaiting) {
      this.#beginnings.clear();
      return [restored];
    }
    this.#waiting.push(restored);
    return isWaiting ? [] : this.end();
  }

  /** Returns what still waits. */
  end(): readonly Document[] {
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#beginnings.clear();
    return waiting;
  }

  /** Removes the start of a mask from its event, and returns it. */
  #takeBeginning(run: string): string {
    const beginning = this.#beginnings.get(run);
    const event = beginning && this.#waiting[beginning.place];
    if (beginning === undefined || event === undefined) return "";
    this.#beginnings.delete(run);
    const { text, place } = beginning;
    let pieces = 0;
    this.#map(event, (name, piece) => {
      if (name === run) pieces += 1;
      return piece;
    });
    this.#waiting[place] = this.#map(event, (name, piece) =>
      name === run && --pieces === 0 ? piece.slice(0, -text.length) : piece,
    );
    return text;
  }

  #map(event: Document, map: (run: string, piece: string) => string): Document {
    const mapPiece: MapPiece = (run, field, piece) => map(`${run} ${field}`, piece);
    return this.#dialect.mapText(mapPiece)(event);
  }
}
