import { allowedInChat, readAllowed, readBound, setBound } from "../output-bound.ts";
import { createChatUnits } from "../../core/chat/chat-usage.ts";
import type { DialectAdapter } from "../provider.ts";
import { buildBearerHeaders } from "../wire-request.ts";
import { buildChatBody } from "./chat.ts";
import { chatReaches } from "./reaches.ts";

/**
 * The endpoint of completions at servers that have it: vLLM, llama.cpp, LM Studio, Ollama, Together and others. The
 * client's bytes go out; one that lacks it says so.
 */
export const completions: DialectAdapter = {
  reaches: chatReaches,
  toRequest: (call, secret) => ({
    method: "POST",
    path: "/completions",
    headers: buildBearerHeaders(secret),
    body: buildChatBody(call, call.bound === null ? {} : setBound(call, ["max_tokens"])),
  }),
  allows(call) {
    const { perChoice } = allowedInChat(call);
    const { n, best_of: best, prompt, max_tokens: requested } = call.body;
    const prompts = Array.isArray(prompt) && typeof prompt[0] !== "number" ? prompt.length : 1;
    return readAllowed(perChoice, Math.max(1, readBound(n) ?? 1, readBound(best) ?? 1) * prompts, readBound(requested));
  },
  toUnits: createChatUnits,
};
