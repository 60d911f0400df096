import type { Document } from "../translation.ts";
import { recordsOf, textOf } from "./fields.ts";

/** What a chat message, or a delta of one, says. */
export interface Spoken {
  readonly thinking: string;
  readonly text: string;
  /** The model declined, in words that OpenAI keeps apart; they are part of `text`. */
  readonly refused: boolean;
}

/**
 * Reads all forms that vendors use: `reasoning_content` (DeepSeek, Qwen, xAI, llama.cpp) or `reasoning` (Ollama, LM
 * Studio, newer vLLM, OpenRouter), which some send both, and content as a text or as parts (Mistral's with thinking).
 */
export function spokenIn(message: Document): Spoken {
  const content = message["content"];
  const refusal = textOf(message["refusal"]);
  let thinking = textOf(message["reasoning_content"]) ?? textOf(message["reasoning"]) ?? "";
  let text = "";
  if (typeof content === "string") text = content;
  else {
    for (const part of recordsOf(content)) {
      if (part["type"] === "thinking") thinking += thinkingText(part["thinking"]);
      else text += textOf(part["text"]) ?? textOf(part["refusal"]) ?? "";
    }
  }
  return { thinking, text: text + (refusal ?? ""), refused: refusal !== null };
}

function thinkingText(thinking: unknown): string {
  if (typeof thinking === "string") return thinking;
  return recordsOf(thinking)
    .map((part) => textOf(part["text"]) ?? "")
    .join("");
}
