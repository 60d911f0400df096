import type { Document } from "../translation.ts";

/**
 * Writes the content blocks of a stream of Anthropic's: one open at a time, indexes from 0
 * (docs/providers/anthropic.md#streams).
 */
export class BlockWriter {
  #index = -1;
  #open = false;

  /** Closes the block before. @param block how it begins, without its content. */
  open(block: Document, events: Document[]): void {
    this.close(events);
    this.#index += 1;
    this.#open = true;
    events.push({ type: "content_block_start", index: this.#index, content_block: block });
  }

  delta(delta: Document, events: Document[]): void {
    events.push({ type: "content_block_delta", index: this.#index, delta });
  }

  close(events: Document[]): void {
    if (!this.#open) return;
    this.#open = false;
    events.push({ type: "content_block_stop", index: this.#index });
  }
}
