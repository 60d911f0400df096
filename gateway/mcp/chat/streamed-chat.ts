import { chatDialect } from "../../services/chat/dialects/chat.ts";
import type { ToolDeps } from "../tool/tool-deps.ts";
import type { ToolCall } from "../tool/tool.ts";
import { chatInput } from "./chat-arguments.ts";
import { isRecord } from "../../lib/records.ts";

/** A model's output, assembled from whole messages or from the chunks of a stream. */
export class ChatResponse {
  text = "";
  /** Reasoning, if the provider shows it. */
  reasoning = "";
  refusal = "";
  /** Finish reason of the chat API; null while in progress. */
  finishReason: string | null = null;

  /** Number of characters received. */
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
    const message = first["delta"] ?? first["message"];
    if (isRecord(message)) {
      this.text += getText(message["content"]);
      this.refusal += getText(message["refusal"]);
      this.reasoning += getText(message["reasoning_content"] ?? message["reasoning"]);
    }
    const reason = first["finish_reason"];
    if (typeof reason === "string") this.finishReason = reason;
  }
}

/** A text, or the text of a list of parts, which some providers respond with. */
function getText(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part) => (isRecord(part) && typeof part["text"] === "string" ? part["text"] : "")).join("");
}

/** Shorter than the time after which clients give up on a silent call (60 s in the SDKs). */
const BEAT_MS = 5_000;

/**
 * Runs a streamed conversation and reports the length of its response. Progress is in characters, plus one every few
 * seconds, so that a silently reasoning model does not appear dead.
 * @returns the partial response if the client cancelled
 * @throws GatewayError also for failures after a part of the response
 */
export async function streamedChat(
  deps: Pick<ToolDeps, "runChat" | "later">,
  call: ToolCall,
  body: Readonly<Record<string, unknown>>,
): Promise<ChatResponse> {
  const result = new ChatResponse();
  let beats = 0;
  let cancel = (): void => {};
  const tell = (): void =>
    call.progress.report({ progress: result.characters + beats, message: getWords(result, String(body["model"])) });
  const beat = (): void => {
    tell();
    beats += 1;
    cancel = deps.later(BEAT_MS, beat);
  };
  const events = (event: unknown): void => {
    result.add(event);
    tell();
  };
  try {
    beat();
    const response = await deps.runChat.run(chatDialect, { ...chatInput(call, body), events }, call.client);
    if (response !== null && "error" in response && response.error !== null) throw response.error;
  } finally {
    cancel();
  }
  return result;
}

function getWords({ text, refusal, reasoning }: ChatResponse, model: string): string {
  const written = text.length + refusal.length;
  if (written > 0) return `${model} has written ${count(written)}`;
  return reasoning === ""
    ? `${model} works on the response`
    : `${model} is reasoning, ${count(reasoning.length)} so far`;
}

function count(characters: number): string {
  return `${characters.toLocaleString("en-US")} ${characters === 1 ? "character" : "characters"}`;
}
