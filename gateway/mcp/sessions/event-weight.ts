/** What an object costs beside its texts, and a number, roughly. */
const OBJECT_BYTES = 64;
const NUMBER_BYTES = 8;
/** Longer lists hold the same again and again: their first item is weighed for all. Results hold fewer pictures. */
const SHORT_LIST = 20;

/**
 * Roughly how many bytes of memory a message holds, without writing it as JSON: pictures in it are megabytes. Takes no
 * longer for thousands of vectors than for a word.
 */
export function weightOf(message: unknown): number {
  if (typeof message === "string") return message.length;
  if (typeof message !== "object" || message === null) return NUMBER_BYTES;
  if (Array.isArray(message) && message.length > SHORT_LIST) {
    return OBJECT_BYTES + message.length * weightOf(message[0]);
  }
  let bytes = OBJECT_BYTES;
  for (const name in message) bytes += weightOf((message as Record<string, unknown>)[name]);
  return bytes;
}
