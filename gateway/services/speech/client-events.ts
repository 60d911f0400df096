import { errorBody } from "../../core/errors.ts";
import type { GatewayError } from "../../core/errors.ts";
import type { Units } from "../../core/models/model.ts";
import type { SpeechBytes, SpeechSource } from "./speech-source.ts";

/**
 * Content type if a client requested `stream_format: "sse"` (docs/providers/openai.md#speech), whichever side makes the
 * events.
 */
export const EVENTS_TYPE = "text/event-stream; charset=utf-8";

/** Wraps a source's audio in events if its provider makes none. */
export function inEvents(source: SpeechSource): SpeechSource {
  return { ...source, contentType: EVENTS_TYPE, pieces: getDeltas(source.pieces), abort: () => source.abort() };
}

async function* getDeltas(pieces: SpeechSource["pieces"]): SpeechSource["pieces"] {
  for await (const { sound } of pieces) yield { send: getDelta(sound), sound } satisfies SpeechBytes;
}

function getDelta(sound: Buffer): Buffer {
  return Buffer.from(getFrame({ type: "speech.audio.delta", audio: sound.toString("base64") }));
}

/** The event that ends the sound. Providers that bill characters report no tokens. */
export function doneEvent({ input = 0, output = 0, character }: Units): string {
  const usage = { input_tokens: input, output_tokens: output, total_tokens: input + output };
  return getFrame({
    type: "speech.audio.done",
    usage: character === undefined ? usage : { ...usage, characters: character },
  });
}

/** An error in a stream of events whose status was sent already. */
export function getErrorEvent(error: GatewayError, requestId: string): string {
  return getFrame(errorBody(error, "nested", requestId));
}

function getFrame(data: object): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}
