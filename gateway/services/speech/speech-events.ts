import type { Units } from "../../core/models/model.ts";
import type { ProviderError } from "../../core/attempts/provider-error.ts";
import { bodyChunks } from "../../upstream/body-chunks.ts";
import { UpstreamFailure } from "../../upstream/failure.ts";
import { FrameCutter, splitFrames } from "../../upstream/frames.ts";
import type { SpeechPiece } from "../../providers/speech.ts";
import { inBandError, isError } from "../calls/whole-response.ts";
import { ProviderRefusal } from "./speech-source.ts";
import type { SpeechInput } from "./speech-source.ts";

/** An event of a provider's stream of sound. */
export interface SpeechEvent {
  /** Event as the provider wrote it, with its blank line. */
  readonly raw: string;
  /** Null for unknown kinds of events. */
  readonly piece: SpeechPiece | null;
}

/**
 * Yields a provider's audio stream event by event, until the event that completes it.
 * @throws UpstreamFailure if it ends earlier, ProviderRefusal for an error event.
 */
export async function* getSpeechEvents(input: SpeechInput): AsyncGenerator<SpeechEvent, void, undefined> {
  for await (const run of getWholeEvents(input)) {
    for (const event of findEvents(input, run)) {
      yield event;
      if (event.piece?.done === true) return;
    }
  }
  throw new UpstreamFailure("broken", true, "the stream ended before the sound was whole");
}

/** Yields the stream in runs of whole events. Some servers omit the last blank line; half an event is dropped. */
async function* getWholeEvents({ opened }: SpeechInput): AsyncGenerator<Buffer, void, undefined> {
  const cutter = new FrameCutter();
  for await (const chunk of bodyChunks(opened.exchange)) {
    const whole = cut(cutter, chunk);
    if (whole !== null) yield whole;
  }
  const { rest } = cutter;
  if (rest !== null && isWhole(rest)) yield Buffer.concat([rest, BLANK]);
}

const BLANK = Buffer.from("\n\n");

function isWhole(event: Buffer): boolean {
  return splitFrames(event.toString("utf8")).every(({ data }) => data !== null && getParsed(data) !== undefined);
}

/** @throws ProviderRefusal for an event that is an error. */
function* findEvents(input: SpeechInput, run: Buffer): Generator<SpeechEvent, void, undefined> {
  for (const { raw, data } of splitFrames(run.toString("utf8"))) {
    const parsed = data === null ? undefined : getParsed(data);
    const piece = input.adapter.fromEvent(parsed);
    if (piece === null && isError(parsed)) throw new ProviderRefusal(findError(input, raw, parsed));
    yield { raw, piece };
  }
}

function findError({ opened, adapter }: SpeechInput, raw: string, body: unknown): ProviderError {
  const status = adapter.readStatus(raw);
  if (status === null || status < 400) return inBandError(opened, body);
  return opened.candidate.connection.provider.errors.fromResponse(status, opened.exchange.headers, body);
}

/** Cumulative usage: the latest report. */
export class LastUnits {
  #units: Units | null = null;

  get units(): Units | null {
    return this.#units;
  }

  note({ units }: { readonly units: Units | null }): void {
    this.#units = units ?? this.#units;
  }
}

function cut(cutter: FrameCutter, chunk: Buffer): Buffer | null {
  try {
    return cutter.push(chunk);
  } catch {
    throw new UpstreamFailure("malformed", true, "an event of the stream is too large");
  }
}

function getParsed(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}
