import { createHash } from "node:crypto";
import type { UnseenMedium } from "../../core/chat/unseen-media.ts";

const MOST_ENTRIES = 1_000;
const MOST_CHARACTERS = 4_000_000;

/** Descriptions of media, in memory only, with LRU eviction. */
export class Descriptions {
  readonly #texts = new Map<string, string>();
  #characters = 0;

  get(id: string): string | undefined {
    const text = this.#texts.get(id);
    if (text === undefined) return undefined;
    this.#texts.delete(id);
    this.#texts.set(id, text);
    return text;
  }

  set(id: string, text: string): void {
    this.#forget(id);
    this.#texts.set(id, text);
    this.#characters += text.length;
    for (const oldest of this.#texts.keys()) {
      if (this.#texts.size <= MOST_ENTRIES && this.#characters <= MOST_CHARACTERS) return;
      this.#forget(oldest);
    }
  }

  #forget(id: string): void {
    this.#characters -= this.#texts.get(id)?.length ?? 0;
    this.#texts.delete(id);
  }
}

/**
 * Returns the cache id of a description: the bytes of the medium, or its address if it is not in the request; the model
 * that described it; and the key that paid for it, so that no other key profits from it.
 */
export function getDescriptionId({ kind, url }: UnseenMedium, model: string, key: string): string {
  const hash = createHash("sha256").update(JSON.stringify([key, model, kind]));
  const comma = url?.startsWith("data:") === true ? url.indexOf(",") : -1;
  if (url === null || comma === -1) return hash.update(`at ${String(url)}`).digest("base64");
  const isBase64 = url.slice(0, comma).toLowerCase().endsWith(";base64");
  return hash
    .update("of ")
    .update(Buffer.from(url.slice(comma + 1), isBase64 ? "base64" : "utf8"))
    .digest("base64");
}
