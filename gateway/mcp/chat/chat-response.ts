import { isRecord } from "../../lib/records.ts";

/** What a model said, put together from whole messages or from the chunks of a stream. */
export class ChatResponse {
  text = "";
  /** Its reasoning, where the provider shows it. */
  reasoning = "";
  refusal = "";
  /** Why it ended, in the words of the chat API; null while it goes on. */
  finishReason: string | null = null;

  /** Characters that came so far. */
  get characters(): number {
    return this.text.length + this.reasoning.length + this.refusal.length;
  }

  /** @param document a chat completion or one chunk of it: its first choice is taken. */
  add(document: unknown): void {
    const choices = isRecord(document) ? document["choices"] : null;
    const first: unknown = Array.isArray(choices)
      ? choices.find((choice) => isRecord(choice) && (choice["index"] ?? 0) === 0)
      : null;
    if (!isRecord(first)) return;
    const said = first["delta"] ?? first["message"];
    if (isRecord(said)) {
      this.text += textOf(said["content"]);
      this.refusal += textOf(said["refusal"]);
      this.reasoning += textOf(said["reasoning_content"] ?? said["reasoning"]);
    }
    const reason = first["finish_reason"];
    if (typeof reason === "string") this.finishReason = reason;
  }
}

/** A text, or the text of a list of parts, which some providers respond with. */
function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part) => (isRecord(part) && typeof part["text"] === "string" ? part["text"] : "")).join("");
}
