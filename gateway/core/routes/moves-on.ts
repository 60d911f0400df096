import { isRepeatable } from "../attempts/retry.ts";
import type { ErrorCode, GatewayError } from "../errors.ts";

/** Failures specific to a provider: unreachable, key refused, out of credit, too slow, failing. */
const OF_PROVIDERS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "no_upstream",
  "vendor_auth",
  "vendor_out_of_credit",
  "upstream_error",
  "upstream_timeout",
  "upstream_overloaded",
  "connection_paced",
  "loop_detected",
]);

/**
 * Tells whether a fallback chain may continue with the next model after this failure, before any response was
 * delivered.
 * @param unsafe whether a repeated execution does harm
 */
export function movesOn(error: GatewayError, unsafe: boolean): boolean {
  if (!isRepeatable(error, unsafe)) return false;
  return (
    OF_PROVIDERS.has(error.code) ||
    saysProvider(error, "rate_limit_exceeded", "model_not_found") ||
    isNotOfRequest(error) ||
    isTooLong(error)
  );
}

/** Tells whether an error from before any call means that the provider's dialect cannot express the request. */
export function cannotBeTranslated({ code }: GatewayError): boolean {
  return code === "unsupported_value" || code === "unsupported_parameter" || code === "invalid_value";
}

/** Postern's own limits use the same codes; only a provider's error has provider details. */
function saysProvider({ code, details }: GatewayError, ...codes: readonly ErrorCode[]): boolean {
  return codes.includes(code) && details.provider !== undefined;
}

/** Statuses that mean an invalid request. */
const OF_REQUESTS: ReadonlySet<number | undefined> = new Set([undefined, 400, 413, 422]);

/**
 * Tells whether a refusal is not caused by the request: the address has no such endpoint (405), the model is gone
 * (410), a conflict (409), or an unsupported country ("User location is not supported for the API use.": Google's
 * FAILED_PRECONDITION, https://ai.google.dev/gemini-api/docs/troubleshooting, read 2026-11-24).
 */
function isNotOfRequest({ code, details: { provider } }: GatewayError): boolean {
  if (code !== "invalid_value" || provider === undefined) return false;
  return !OF_REQUESTS.has(provider.status) || provider.code === "FAILED_PRECONDITION";
}

/**
 * Codes and messages of providers for a prompt beyond the context size: OpenAI's code, which most compatible servers
 * use; llama.cpp's type; and messages of those without either (Anthropic, Gemini, DashScope, Mistral, xAI, OpenRouter,
 * Ollama, LM Studio, vLLM, SiliconFlow, Moonshot, Zhipu, Bedrock, Together, TGI, GitHub Copilot, Ark, Cohere).
 */
const TOO_LONG_CODES: ReadonlySet<string> = new Set([
  "context_length_exceeded",
  "exceed_context_size_error",
  "model_max_prompt_tokens_exceeded",
]);
const TOO_LONG_WORDS = [
  /(prompt|input) is too long/i,
  /maximum (context|prompt|model) length/i,
  /context (length|window|size|limit)\b.{0,80}\b(exceed|too (long|large|small)|overflow|not enough)/i,
  /(exceed|exceeds|exceeded|longer than|larger than|greater than|too (long|large) for)\b.{0,80}\bcontext/i,
  /input token count.{0,40}exceeds the maximum/i,
  /range of input length should be/i,
  /exceeded model token limit/i,
  /prompt exceeds max length/i,
  /prompt_tokens.{0,40}max_seq_len/i,
  /prompt token count.{0,40}exceeds the limit/i,
  /\binputs`? (tokens )?.{0,40}must (be <=|have less than)/i,
  /tokens of .{0,40}exceed max message tokens/i,
  /^too many tokens: /i,
];
/** Messages about the response only: the client's max tokens exceed the model's. */
const OF_RESPONSES = /^\W*max_(completion_|output_)?tokens\b(?!.*\b(input|prompt|messages)\b)/is;
/** Max characters of a provider's message to search. */
const LOOKED_AT = 1_000;

/** Tells whether a provider refused a request because its prompt exceeds the context. */
export function isTooLong({ details: { provider } }: GatewayError): boolean {
  if (provider === undefined || (provider.status !== 400 && provider.status !== 413 && provider.status !== 422))
    return false;
  if (TOO_LONG_CODES.has(provider.code ?? "") || TOO_LONG_CODES.has(provider.type ?? "")) return true;
  // A body too large for one provider, or for its tokens per minute, may fit the next.
  if (provider.status === 413) return true;
  const message = (provider.message ?? "").slice(0, LOOKED_AT);
  if (OF_RESPONSES.test(message)) return false;
  return TOO_LONG_WORDS.some((words) => words.test(message));
}
