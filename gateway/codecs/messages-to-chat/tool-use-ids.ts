import type { TranslationContext } from "../translation.ts";
import { withSignature } from "./tool-ids.ts";

/** The ids of one message's calls as its client is shown them: clean, one for each, and different from each other. */
export class ToolUseIds {
  readonly #context: TranslationContext;
  readonly #used = new Set<string>();

  constructor(context: TranslationContext) {
    this.#context = context;
  }

  /** @param call `id` null: the provider gave none, so that one is made. */
  shown(call: { readonly id: string | null; readonly signature: string | null }): string {
    const given = call.id === null || this.#used.has(call.id) ? `toolu_${this.#context.newId()}` : call.id;
    this.#used.add(given);
    return withSignature(given, call.signature);
  }
}
