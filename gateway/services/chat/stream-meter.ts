import { isUtf8 } from "node:buffer";
import type { Units } from "../../core/model.ts";
import { splitFrames } from "../../upstream/frames.ts";
import type { Frame } from "../../upstream/frames.ts";
import { isRecord } from "../../lib/records.ts";

/** What a run of whole events of a chat stream turned out to hold. */
export type Reading =
  /** Pass `bytes` on (null: nothing of it is for the client). */
  | { readonly kind: "frames"; readonly bytes: Buffer | null; readonly done: boolean }
  /** The vendor reported an error in-band; `bytes` came before it. */
  | { readonly kind: "error"; readonly bytes: Buffer | null; readonly body: unknown }
  /** Not a chat stream: `why` says what it is instead. */
  | { readonly kind: "malformed"; readonly bytes: Buffer | null; readonly why: string };

/**
 * Reads a chat stream as it passes: usage, delivered text, errors, the end. The bytes go on as the vendor wrote them;
 * only the usage that the client did not ask for is taken out (contract: "Chat").
 */
export class StreamMeter {
  /** The vendor's last word about usage; null while there is none. */
  usage: Units | null = null;
  /** Text, reasoning and tool arguments that were passed on, for counting where the vendor reports nothing. */
  delivered = "";
  /** An event of the answer passed. */
  started = false;
  /** Indices of answers that have begun, and of those whose finish reason came: `n` of them may run side by side. */
  readonly #begun = new Set<unknown>();
  readonly #done = new Set<unknown>();
  readonly #showUsage: boolean;
  readonly #toUnits: (usage: unknown) => Units | null;

  constructor(showUsage: boolean, toUnits: (usage: unknown) => Units | null) {
    this.#showUsage = showUsage;
    this.#toUnits = toUnits;
  }

  /** Every answer has its finish reason: the stream is complete even if `[DONE]` never comes. */
  get finished(): boolean {
    return this.#done.size > 0 && this.#done.size === this.#begun.size;
  }

  /** @param bytes whole events only. */
  read(bytes: Buffer): Reading {
    if (!isUtf8(bytes)) return { kind: "malformed", bytes: null, why: "bytes that are not UTF-8" };
    const frames = splitFrames(bytes.toString("utf8"));
    let edited = false;
    for (let index = 0; index < frames.length; index++) {
      const frame = frames[index];
      if (frame === undefined || frame.data === null) continue;
      const before = (): Buffer | null => join(frames, index, edited, bytes);
      if (isEndMark(frame.data)) return { kind: "frames", bytes: join(frames, index, edited, bytes), done: true };
      const chunk = parse(frame.data);
      if (chunk === undefined) return { kind: "malformed", bytes: before(), why: "an event that is not JSON" };
      if (!isRecord(chunk)) return { kind: "malformed", bytes: before(), why: "an event that is not an object" };
      if (chunk["error"] !== undefined && chunk["error"] !== null)
        return { kind: "error", bytes: before(), body: chunk };
      this.started = true;
      const shown = this.#readChunk(frame, chunk);
      if (shown !== frame) {
        frames[index] = shown;
        edited = true;
      }
    }
    return { kind: "frames", bytes: edited ? join(frames, frames.length, true, bytes) : bytes, done: false };
  }

  /** @returns the frame to pass on: the same one, or one without the usage that was not asked for. */
  #readChunk(frame: Frame, chunk: Record<string, unknown>): Frame {
    const choices = chunk["choices"];
    if (Array.isArray(choices)) for (const choice of choices) this.#readChoice(choice);
    const usage = chunk["usage"];
    if (usage === undefined || usage === null) return frame;
    this.usage = this.#toUnits(usage) ?? this.usage;
    if (this.#showUsage) return frame;
    if (Array.isArray(choices) && choices.length === 0) return NOTHING;
    return { raw: `data: ${JSON.stringify({ ...chunk, usage: null })}\n\n`, data: "" };
  }

  #readChoice(choice: unknown): void {
    if (!isRecord(choice)) return;
    this.#begun.add(choice["index"]);
    if (typeof choice["finish_reason"] === "string") this.#done.add(choice["index"]);
    const delta = choice["delta"];
    if (!isRecord(delta)) return;
    if (typeof delta["content"] === "string") this.delivered += delta["content"];
    if (typeof delta["reasoning_content"] === "string") this.delivered += delta["reasoning_content"];
    else if (typeof delta["reasoning"] === "string") this.delivered += delta["reasoning"];
    if (Array.isArray(delta["tool_calls"])) for (const call of delta["tool_calls"]) this.#readToolCall(call);
  }

  #readToolCall(call: unknown): void {
    if (!isRecord(call) || !isRecord(call["function"])) return;
    const { name, arguments: text } = call["function"];
    if (typeof name === "string") this.delivered += name;
    if (typeof text === "string") this.delivered += text;
  }
}

const NOTHING: Frame = { raw: "", data: null };

/** `[DONE]`, with the spaces and quotes that some servers put around it. */
function isEndMark(data: string): boolean {
  return data.length < 12 && data.replaceAll(/[\s"]/g, "") === "[DONE]";
}

/** The bytes of the first `count` frames, as they came unless one was edited. */
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
