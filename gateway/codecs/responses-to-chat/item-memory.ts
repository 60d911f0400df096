import { isRecord } from "../../lib/records.ts";
import type { Document, TranslationContext } from "../translation.ts";

/**
 * What was answered lately, for clients that only name it again: OpenAI's API keeps answers unless told otherwise, and
 * the Vercel AI SDK relies on that. In memory only, bounded, and gone when the gateway stops; an id holds some 140
 * random bits, so that nobody finds what was not told to them.
 */
export class ItemMemory {
  readonly #items = new Map<string, { readonly item: Document; readonly size: number }>();
  readonly #mostCharacters: number;
  #characters = 0;

  /** @param mostCharacters of JSON, over all items; the oldest go first. */
  constructor(mostCharacters: number) {
    this.#mostCharacters = mostCharacters;
  }

  find(id: string): Document | undefined {
    return this.#items.get(id)?.item;
  }

  keep(item: Document): void {
    const id = item["id"];
    if (typeof id !== "string" || this.#items.has(id)) return;
    const size = JSON.stringify(item).length;
    this.#items.set(id, { item, size });
    this.#characters += size;
    for (const [oldest, held] of this.#items) {
      if (this.#characters <= this.#mostCharacters) return;
      this.#items.delete(oldest);
      this.#characters -= held.size;
    }
  }
}

/** The context of a translation from the Responses API. Without a memory, items that are only named are refused. */
export interface ResponsesContext extends TranslationContext {
  readonly items?: ItemMemory;
}

/** The items of a request, with those in place that it only names and that are still known. */
export function withKnownItems(items: readonly unknown[], memory: ItemMemory | undefined): readonly unknown[] {
  if (memory === undefined) return items;
  return items.map((item) => {
    const named = isRecord(item) && item["type"] === "item_reference" && typeof item["id"] === "string";
    return named ? (memory.find(item["id"] as string) ?? item) : item;
  });
}

/** Keeps the output of a response, unless the client said that nothing is to be stored. */
export function keepOutput(output: readonly Document[], request: Document, memory: ItemMemory | undefined): void {
  if (memory === undefined || request["store"] === false) return;
  for (const item of output) memory.keep(item);
}
