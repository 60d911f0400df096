import { isUtf8 } from "node:buffer";
import type { Document } from "../../codecs/translation.ts";
import type { Units } from "../../core/models/model.ts";
import type { ReportedBill } from "../../core/money/reported-bill.ts";
import { isRecord } from "../../lib/records.ts";
import { splitFrames } from "../../upstream/frames.ts";
import type { Frame } from "../../upstream/frames.ts";
import type { CountedText } from "../../core/money/text-tokens.ts";

/** How the relay treats an event of a provider's stream. `last`: it closes the stream. */
export type Noticed = "pass" | "error" | "last";

/** Observes one stream of a dialect for billing and errors. */
export interface StreamObserver {
  /** The provider's latest usage; null until it reports one. */
  readonly usage: Units | null;
  /** Whether a part of `usage` was counted here: the provider broke off before its last figures. */
  readonly partlyCounted: boolean;
  /** Billing facts that the provider reported; read after the stream has ended. */
  readonly reported: ReportedBill;
  /** Delivered text, reasoning and tool arguments, counted if the provider reports no usage. */
  readonly delivered: CountedText;
  /** An event of the response passed. */
  readonly started: boolean;
  /** Whether the response is complete, even if the closing event never comes. */
  readonly finished: boolean;
  /** The error read from an event, if the event's own fields differ from it. */
  readonly failure?: Document | null;
  notice(data: Document): Noticed;
}

/** Result of reading a run of whole events of a stream. */
export type Reading =
  /** Forward `bytes` (null: nothing is for the client). `done`: the end of the stream was among them. */
  | { readonly kind: "frames"; readonly bytes: Buffer | null; readonly done: boolean }
  /** The provider reported an error in-band; `bytes` came before it. */
  | { readonly kind: "error"; readonly bytes: Buffer | null; readonly body: unknown }
  /** The response is not a stream of this dialect; `why` says what it is. */
  | { readonly kind: "malformed"; readonly bytes: Buffer | null; readonly why: string };

/** Produces a text when it is written. Not a generator, whose values V8 promotes to the old generation. */
export type MakeText = () => string;

/** How a provider's events become the client's. */
export interface StreamTransform {
  /** Returns the event for the client; undefined if the provider's own event is passed on. */
  pass(data: Document): string | undefined;
  /**
   * Returns the texts that close a complete stream; each is produced when it is requested.
   * @param last the provider's closing event, which was held back; null if it sent none.
   * @param units billed units.
   */
  ending(last: { readonly raw: string; readonly data: Document } | null, units: Units): readonly MakeText[];
  /** Returns events that it holds back, for a stream that ends early. Absent: it holds none. */
  release?(): string;
}

/**
 * Reads a provider's stream and forwards it unchanged or translated. Closing events are held back until requested, so
 * that the receipt is written before the client sees the end.
 */
export class StreamReader {
  /** How much has passed. */
  bytes = 0;
  readonly #observer: StreamObserver;
  readonly #passage: StreamTransform;
  #last: { readonly raw: string; readonly data: Document } | null = null;

  constructor(observer: StreamObserver, transform: StreamTransform) {
    this.#observer = observer;
    this.#passage = transform;
  }

  get reported(): ReportedBill {
    return this.#observer.reported;
  }
  get usage(): Units | null {
    return this.#observer.usage;
  }
  /** Whether usage, or a part of it, has to be counted here. */
  get estimated(): boolean {
    return this.#observer.usage === null || this.#observer.partlyCounted;
  }
  get delivered(): CountedText {
    return this.#observer.delivered;
  }
  get started(): boolean {
    return this.#observer.started;
  }
  get finished(): boolean {
    return this.#observer.finished;
  }

  /** Returns the texts at the end of a complete stream. Call it once. @param units billed units */
  ending(units: Units): readonly MakeText[] {
    return this.#passage.ending(this.#last, units);
  }

  /** Returns what was held back, at the end of a stream that breaks off. */
  release(): string {
    return this.#passage.release?.() ?? "";
  }

  /** @param bytes whole events only. */
  read(bytes: Buffer): Reading {
    this.bytes += bytes.length;
    if (!isUtf8(bytes)) return { kind: "malformed", bytes: null, why: "bytes that are not UTF-8" };
    const frames = splitFrames(bytes.toString("utf8"));
    let edited = false;
    for (let index = 0; index < frames.length; index++) {
      const frame = frames[index];
      if (frame === undefined || frame.data === null) continue;
      // Proxies keep streams alive with empty events (https://github.com/openai/openai-go/issues/651, read 2026-11-28).
      if (frame.data.trim() === "") {
        frames[index] = { raw: "", data: null };
        edited = true;
        continue;
      }
      if (isEndMark(frame.data)) return { kind: "frames", bytes: join(frames, index, edited, bytes), done: true };
      const data = parse(frame.data);
      if (data === undefined)
        return { kind: "malformed", bytes: join(frames, index, edited, bytes), why: "an event that is not JSON" };
      if (!isRecord(data))
        return { kind: "malformed", bytes: join(frames, index, edited, bytes), why: "an event that is not an object" };
      const noticed = this.#observer.notice(data);
      if (noticed === "error")
        return { kind: "error", bytes: join(frames, index, edited, bytes), body: this.#observer.failure ?? data };
      if (noticed === "last") {
        this.#last = { raw: frame.raw, data };
        return { kind: "frames", bytes: join(frames, index, edited, bytes), done: true };
      }
      const shown = this.#passage.pass(data);
      if (shown !== undefined) {
        frames[index] = { raw: shown, data: null };
        edited = true;
      }
    }
    return { kind: "frames", bytes: edited ? join(frames, frames.length, true, bytes) : bytes, done: false };
  }
}

/** Detects `[DONE]`, with the spaces and quotes that some servers add. */
function isEndMark(data: string): boolean {
  return data.length < 12 && data.replaceAll(/[\s"]/g, "") === "[DONE]";
}

/** Joins the bytes of the first `count` events, unchanged unless one was edited. */
function join(frames: readonly Frame[], count: number, edited: boolean, whole: Buffer): Buffer | null {
  if (!edited && count === frames.length) return whole;
  let text = "";
  for (let index = 0; index < count; index++) text += frames[index]?.raw ?? "";
  return text === "" ? null : Buffer.from(text, "utf8");
}

/** `undefined` when it is not JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
