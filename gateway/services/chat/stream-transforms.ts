import type { Document, Translation } from "../../codecs/translation.ts";
import type { Dialect } from "./dialect.ts";
import type { StreamTransform } from "../calls/stream-reader.ts";

/** Every event as it came: client and provider speak the same dialect. */
export function untouched(dialect: Dialect): StreamTransform {
  return { pass: () => undefined, ending: (last) => (last?.raw ?? dialect.closing) + dialect.endMark };
}

/**
 * A chat stream without the usage that the gateway asked for and the client did not: its chunk is dropped, or the field
 * emptied where it came with something else (docs/contract.md#chat).
 */
export function withoutUsage(dialect: Dialect): StreamTransform {
  return {
    ...untouched(dialect),
    pass(chunk) {
      if (chunk["usage"] === undefined || chunk["usage"] === null) return undefined;
      const { choices } = chunk;
      if (Array.isArray(choices) && choices.length === 0) return "";
      return dialect.frame({ ...chunk, usage: null });
    },
  };
}

/** Events that are put right before they are passed on. */
export function mended(
  transform: StreamTransform,
  dialect: Dialect,
  mend: (event: Document) => Document,
): StreamTransform {
  return {
    ...transform,
    pass(event) {
      const right = mend(event);
      return transform.pass(right) ?? (right === event ? undefined : dialect.frame(right));
    },
  };
}

/**
 * The provider's dialect made into the client's. Comments of the provider stay what they are.
 * @param take every event in the client's dialect, as an object
 */
export function translated(
  translation: Translation,
  client: Dialect,
  showUsage: boolean,
  take?: (event: Document) => void,
): StreamTransform {
  const stream = translation.stream();
  const write = (events: readonly Document[]): string => {
    let text = "";
    for (const event of events) {
      take?.(event);
      if (showUsage || !isBareUsage(event)) text += client.frame(event);
    }
    return text;
  };
  return {
    pass: (data) => write(stream.event(data)),
    ending: (last, units) =>
      (last === null ? "" : write(stream.event(last.data))) + write(stream.end(units)) + client.endMark,
  };
}

/** The same passage for a caller inside Postern, which takes every event as an object; what is written is for observers. */
export function handedOver(transform: StreamTransform, take: (event: Document) => void): StreamTransform {
  return {
    pass(data) {
      take(data);
      return transform.pass(data);
    },
    ending(last, units) {
      if (last !== null) take(last.data);
      return transform.ending(last, units);
    },
  };
}

/** The last chunk of a chat stream, which only clients that asked for usage get. */
function isBareUsage(event: Document): boolean {
  const { choices } = event;
  return event["object"] === "chat.completion.chunk" && Array.isArray(choices) && choices.length === 0;
}
