import { asList, isRecord } from "../../lib/records.ts";
import type { Document, TranslationContext } from "../translation.ts";

/** How long a response can be continued by its id. */
const RESPONSE_SECONDS = 60 * 60;

/** Values by key, bounded by their characters; the oldest go first. */
class BoundedMemory<K, T> {
  readonly #entries = new Map<K, { readonly value: T; readonly size: number }>();
  readonly #maxCharacters: number;
  readonly #onRemoved: (key: K) => void;
  #characters = 0;
  /** Shared iterator: a new one walks over everything that was deleted lately. */
  #oldest = this.#entries.keys();

  constructor(maxCharacters: number, onRemoved: (key: K) => void = () => undefined) {
    this.#maxCharacters = maxCharacters;
    this.#onRemoved = onRemoved;
  }

  get(key: K): T | undefined {
    return this.#entries.get(key)?.value;
  }

  set(key: K, value: T, size: number): void {
    this.#delete(key);
    this.#entries.set(key, { value, size });
    this.#characters += size;
    while (this.#characters > this.#maxCharacters) {
      const { value: oldest, done } = this.#oldest.next();
      if (done === true) this.#oldest = this.#entries.keys();
      else this.#delete(oldest);
    }
  }

  #delete(key: K): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#characters -= entry.size;
    this.#entries.delete(key);
    this.#onRemoved(key);
  }
}

/** About the length of a value as JSON, without writing it. */
function countCharacters(value: unknown): number {
  if (typeof value === "string") return value.length + 2;
  if (typeof value !== "object" || value === null) return 4;
  let characters = 1;
  if (Array.isArray(value)) for (const inner of value as readonly unknown[]) characters += 1 + countCharacters(inner);
  else for (const name in value) characters += name.length + 4 + countCharacters((value as Document)[name]);
  return characters;
}

type Items = readonly unknown[];

/**
 * Remembers recent output for clients that refer to it by id: OpenAI's API stores responses by default, and the Vercel
 * AI SDK relies on that. In memory only and bounded; ids have some 140 random bits, so that a client can only find its
 * own.
 */
export class ItemMemory {
  readonly #outputs: BoundedMemory<Items, null>;
  /** Outputs whose ids are indexed on the next lookup, as few clients look up any. */
  readonly #unindexed = new Set<Items>();
  readonly #index = new Map<unknown, { readonly item: Document; readonly output: Items }>();
  /** Conversations by their last response's id, with their expiry in Unix seconds. */
  readonly #conversations: BoundedMemory<string, { readonly items: Items; readonly until: number }>;

  /** @param maxCharacters over all items, and again over all conversations. */
  constructor(maxCharacters: number) {
    this.#outputs = new BoundedMemory(maxCharacters, (output) => this.#forget(output));
    this.#conversations = new BoundedMemory(maxCharacters);
  }

  find(id: string): Document | undefined {
    for (const output of this.#unindexed)
      for (const item of output) if (isRecord(item)) this.#index.set(item["id"], { item, output });
    this.#unindexed.clear();
    return this.#index.get(id)?.item;
  }

  keep(output: Items, size = countCharacters(output)): void {
    this.#unindexed.add(output);
    this.#outputs.set(output, null, size);
  }

  #forget(output: Items): void {
    if (this.#unindexed.delete(output)) return;
    for (const item of output)
      if (isRecord(item) && this.#index.get(item["id"])?.output === output) this.#index.delete(item["id"]);
  }

  /** The items of a conversation up to a response, for an hour after it. @param now Unix seconds */
  conversation(responseId: string, now: number): Items | undefined {
    const stored = this.#conversations.get(responseId);
    return stored === undefined || now > stored.until ? undefined : stored.items;
  }

  keepConversation(responseId: string, items: Items, now: number, size = countCharacters(items)): void {
    this.#conversations.set(responseId, { items, until: now + RESPONSE_SECONDS }, size);
  }
}

/** Context of a translation from the Responses API. Without a memory, references to items are refused. */
export interface ResponsesContext extends TranslationContext {
  readonly items?: ItemMemory;
  /** Unix seconds at the end of the response; by default those at its start. */
  readonly nowAtEnd?: () => number;
  /** The response that the request continues, whose conversation is in its input already. */
  readonly previous?: string | null;
}

/** `input` as items. */
export function readItems(input: unknown): readonly unknown[] {
  return typeof input === "string" ? [{ type: "message", role: "user", content: input }] : asList(input);
}

/** Resolves item references of a request that are still in memory. */
export function withKnownItems(items: readonly unknown[], memory: ItemMemory | undefined): readonly unknown[] {
  if (memory === undefined) return items;
  return items.map((item) => {
    const named = isRecord(item) && item["type"] === "item_reference" && typeof item["id"] === "string";
    return named ? (memory.find(item["id"] as string) ?? item) : item;
  });
}

/**
 * A request that continues a response of late, with the whole conversation instead of that response's id; the same object
 * for any other. Instructions of earlier requests do not carry over (github.com/openai/openai-python,
 * src/openai/types/responses/response_create_params.py, `instructions`, 2026-11-28).
 * @param now Unix seconds
 */
export function withConversation<T extends Document>(body: T, memory: ItemMemory, now: number): T {
  const { previous_response_id: id, input } = body;
  const before = typeof id === "string" ? memory.conversation(id, now) : undefined;
  if (before === undefined) return body;
  return { ...body, previous_response_id: null, input: [...before, ...readItems(input)] };
}

/** Stores a response and its conversation, unless the client disabled storage. */
export function keepResponse(
  response: Document,
  request: Document,
  { items: memory, now: startedAt, nowAtEnd }: Pick<ResponsesContext, "items" | "now" | "nowAtEnd">,
): void {
  if (memory === undefined || request["store"] === false) return;
  const output = asList(response["output"]);
  const size = countCharacters(output);
  memory.keep(output, size);
  const input = withKnownItems(readItems(request["input"]), memory);
  const now = nowAtEnd?.() ?? startedAt;
  memory.keepConversation(String(response["id"]), [...input, ...output], now, size + countCharacters(input));
}
