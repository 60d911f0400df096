import type { CarriedThinking } from "../carried-thinking.ts";
import type { Document } from "../translation.ts";
import { readArguments, contentPart, readInput, readItem, summaryPart, type Piece } from "./pieces.ts";

type Content = Extract<Piece, { kind: "text" | "refusal" }>;

/**
 * The events of one item of a streamed response, without their sequence numbers (docs/providers/openai.md#responses).
 */
export class ItemEvents {
  readonly #piece: Piece;
  readonly #id: string;
  readonly #place: { readonly item_id: string; readonly output_index: number };
  /** Append-only and read once at the end, because reading it at each delta would copy it. */
  #text = "";
  readonly #logprobs: unknown[] = [];
  #carried: CarriedThinking = {};

  /** @param piece its data except the text */
  constructor(piece: Piece, id: string, outputIndex: number) {
    this.#piece = piece;
    this.#id = id;
    this.#place = { item_id: id, output_index: outputIndex };
  }

  item(status: "completed" | "incomplete"): Document {
    return readItem(this.#whole(), this.#id, status);
  }

  open(): readonly Document[] {
    const piece = this.#piece;
    const added = this.#itemEvent("added", readItem(piece, this.#id, "in_progress"));
    switch (piece.kind) {
      case "reasoning":
        return [added, this.#summaryEvent("part.added", { part: summaryPart("") })];
      case "text":
      case "refusal":
        return [added, this.#contentEvent("content_part.added", { part: contentPart(piece) })];
      case "call":
        return [added];
    }
  }

  grow(delta: string, logprobs: readonly unknown[]): readonly Document[] {
    if (delta === "") return [];
    this.#text += delta;
    this.#logprobs.push(...logprobs);
    switch (this.#piece.kind) {
      case "reasoning":
        return [this.#summaryEvent("text.delta", { delta })];
      case "refusal":
        return [this.#contentEvent("refusal.delta", { delta })];
      case "text":
        return [this.#contentEvent("output_text.delta", { delta, logprobs })];
      case "call":
        // The text of other tool kinds is inside the JSON of the function that represents them.
        if (this.#piece.identity.kind !== "function") return [];
        return [this.#event("function_call_arguments.delta", { delta })];
    }
  }

  /** Sets the provider's own data that a reasoning item must return to it. */
  sign(carried: CarriedThinking): void {
    this.#carried = carried;
  }

  close(status: "completed" | "incomplete"): readonly Document[] {
    return [...this.#contentDone(), this.#itemEvent("done", this.item(status))];
  }

  #whole(): Piece {
    const text = this.#text;
    if (this.#piece.kind === "text") return { ...this.#piece, text, logprobs: this.#logprobs };
    return this.#piece.kind === "reasoning"
      ? { ...this.#piece, text, carried: this.#carried }
      : { ...this.#piece, text };
  }

  #contentDone(): readonly Document[] {
    const piece = this.#whole();
    switch (piece.kind) {
      case "reasoning":
        return [
          this.#summaryEvent("text.done", { text: piece.text }),
          this.#summaryEvent("part.done", { part: summaryPart(piece.text) }),
        ];
      case "text":
      case "refusal":
        return [this.#textDone(piece), this.#contentEvent("content_part.done", { part: contentPart(piece) })];
      case "call":
        return this.#callDone(piece);
    }
  }

  #textDone(piece: Content): Document {
    return piece.kind === "refusal"
      ? this.#contentEvent("refusal.done", { refusal: piece.text })
      : this.#contentEvent("output_text.done", { text: piece.text, logprobs: piece.logprobs });
  }

  #callDone({ identity, text }: Extract<Piece, { kind: "call" }>): readonly Document[] {
    switch (identity.kind) {
      case "function": {
        const whole = readArguments(text);
        const { name } = identity;
        const done = this.#event("function_call_arguments.done", { name, arguments: whole });
        return whole === text ? [done] : [this.#event("function_call_arguments.delta", { delta: whole }), done];
      }
      case "custom": {
        const input = readInput(text);
        return [
          this.#event("custom_tool_call_input.delta", { delta: input }),
          this.#event("custom_tool_call_input.done", { input }),
        ];
      }
      case "tool_search":
        return [];
    }
  }

  #itemEvent(name: "added" | "done", item: Document): Document {
    return { type: `response.output_item.${name}`, output_index: this.#place.output_index, item };
  }

  #summaryEvent(name: string, fields: Document): Document {
    return { type: `response.reasoning_summary_${name}`, ...this.#place, summary_index: 0, ...fields };
  }

  #contentEvent(name: string, fields: Document): Document {
    return { type: `response.${name}`, ...this.#place, content_index: 0, ...fields };
  }

  #event(name: string, fields: Document): Document {
    return { type: `response.${name}`, ...this.#place, ...fields };
  }
}
