import type { EmbeddingsRequest } from "../../contract/embeddings.ts";
import { mostTextTokens } from "../money/text-tokens.ts";

/** A text, or an array of tokens. */
export type EmbeddingInput = string | readonly number[];

/** The inputs of a request in order. @param input passed `embeddingsRequestSchema`. */
export function listEmbeddingInputs(input: EmbeddingsRequest["input"]): readonly EmbeddingInput[] {
  if (typeof input === "string") return [input];
  const items = input as readonly string[] | readonly number[] | readonly (readonly number[])[];
  return typeof items[0] === "number" ? [items as readonly number[]] : (items as readonly EmbeddingInput[]);
}

/** Whether the inputs are tokens. They are all of one kind. */
export function areTokens(inputs: readonly EmbeddingInput[]): boolean {
  return typeof inputs[0] !== "string";
}

/** Tokens that models add around a text. */
const AROUND = 2;

/** Returns the max tokens of an input: its hold, and its share of a provider's total for one request. */
export function mostTokens(input: EmbeddingInput): number {
  return typeof input === "string" ? mostTextTokens(input) + AROUND : input.length;
}
