import { readFileSync } from "node:fs";
import { responsesToChat } from "../../../../gateway/codecs/responses-to-chat/translate.ts";
import type { Document, Translation, TranslationContext } from "../../../../gateway/codecs/translation.ts";
import { countedIn } from "../support/counted.ts";
import { GatewayError } from "../../../../gateway/core/errors.ts";

/** A context whose ids count up from 1, so that two translations of the same response can be compared. */
export function contextOf(change: Partial<TranslationContext> = {}): TranslationContext {
  let count = 0;
  return {
    publicModel: "public-model",
    model: null,
    now: 1_700_000_000,
    newId: () => `id${(count += 1)}`,
    ...change,
  };
}

/** Of a body with a model and a greeting, and `fields`. */
export function translated(fields: Document = {}, change: Partial<TranslationContext> = {}): Translation {
  return responsesToChat({ model: "m", input: "hi", ...fields }, contextOf(change));
}

/** A whole response, with the figures that it reports. */
export function answered(translation: Translation, response: Document): Document {
  return translation.response(response, countedIn(response));
}

/** The messages that these items become. */
export function messagesFor(...items: readonly Document[]): unknown {
  return translated({ input: items }).body["messages"];
}

export function refusalOf(fields: Document): GatewayError {
  try {
    translated(fields);
  } catch (error) {
    if (error instanceof GatewayError) return error;
    throw error;
  }
  throw new Error("the translation was not refused");
}

export function fixture(name: string): Document {
  return JSON.parse(readFileSync(new URL(`fixtures/${name}`, import.meta.url), "utf8")) as Document;
}

/** A chunk of the first choice. */
export function chunk(delta: Document, finish: string | null = null): Document {
  return { object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason: finish }] };
}

/** All events of a stream of these chunks. */
export function eventsOf(translation: Translation, chunks: readonly Document[]): readonly Document[] {
  const stream = translation.stream();
  return [...chunks.flatMap((one) => stream.event(one)), ...stream.end(countedIn(...chunks))];
}

/** The response that a stream ends with. */
export function finalOf(events: readonly Document[]): Document {
  return events.at(-1)?.["response"] as Document;
}
