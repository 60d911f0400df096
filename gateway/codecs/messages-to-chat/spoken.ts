import type { Document } from "../translation.ts";
import { readCarriedFields } from "../carried-thinking.ts";
import type { CarriedThinking } from "../carried-thinking.ts";
import { readRecords, readText } from "./fields.ts";

/** Text content of a chat message or delta. */
export interface Spoken {
  readonly thinking: string;
  /** The fields that the provider wants back with the thought. */
  readonly carried: CarriedThinking;
  readonly text: string;
  /** Refusal text, which OpenAI sends separately; empty without a refusal. */
  readonly refusal: string;
}

/**
 * Reads all forms that providers use: `reasoning_content` (DeepSeek, Qwen, xAI, llama.cpp) or `reasoning` (Ollama, LM
 * Studio, newer vLLM, OpenRouter), which some send both, and content as a text or as parts (Mistral's with thinking).
 */
export function readMessage(message: Document): Spoken {
  const content = message["content"];
  let thinking = readText(message["reasoning_content"]) ?? readText(message["reasoning"]) ?? "";
  let text = "";
  if (typeof content === "string") text = content;
  else {
    for (const part of readRecords(content)) {
      if (part["type"] === "thinking") thinking += formatThinkingText(part["thinking"]);
      else text += readText(part["text"]) ?? readText(part["refusal"]) ?? "";
    }
  }
  return { thinking, carried: readCarriedFields(message), text, refusal: readText(message["refusal"]) ?? "" };
}

function formatThinkingText(thinking: unknown): string {
  if (typeof thinking === "string") return thinking;
  return readRecords(thinking)
    .map((part) => readText(part["text"]) ?? "")
    .join("");
}
