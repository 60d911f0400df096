import { isRepeatable } from "../attempts/retry.ts";
import type { ErrorCode, GatewayError } from "../errors.ts";

/** Failures of a provider that another model may not have: it cannot be reached, refuses our key, is out of credit, too slow, unwell. */
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
 * Whether the next model of a fallback chain may be asked after this failure of one, before a byte of a response was
 * delivered.
 * @param unsafe whether asking again does harm once the request may have been executed
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

/** Postern's own limits have the same codes; what a provider said has its words. */
function saysProvider({ code, details }: GatewayError, ...codes: readonly ErrorCode[]): boolean {
  return codes.includes(code) && details.provider !== undefined;
}

/** Statuses that say what is wrong with a request. */
const OF_REQUESTS: ReadonlySet<number | undefined> = new Set([undefined, 400, 413, 422]);

/**
 * Whether what a provider refused is not the request: its address takes no such calls (405), the model is gone (410), it is
 * at odds with itself (409), or it does not serve this country ("User location is not supported for the API use.":
 * Google's FAILED_PRECONDITION, https://ai.google.dev/gemini-api/docs/troubleshooting, read 2026-11-24).
 */
function isNotOfRequest({ code, details: { provider } }: GatewayError): boolean {
  if (code !== "invalid_value" || provider === undefined) return false;
  return !OF_REQUESTS.has(provider.status) || provider.code === "FAILED_PRECONDITION";
}

/**
 * Codes and words of providers for a prompt that is longer than the context of its model: OpenAI's code, which most
 * compatible servers have too; llama.cpp's type; and the sentences of those that have neither (Anthropic, Gemini,
 * DashScope, Mistral, xAI, OpenRouter, Ollama, LM Studio, vLLM, SiliconFlow, Moonshot, Zhipu, Bedrock, Together, TGI,
 * GitHub Copilot, Ark, Cohere).
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
/** Sentences that speak of the response alone: what the client has bounded it by is too much for the model. */
const OF_RESPONSES = /^\W*max_(completion_|output_)?tokens\b(?!.*\b(input|prompt|messages)\b)/is;
/** Max characters of a provider's message to search. */
const LOOKED_AT = 1_000;

/** Whether a provider refused a request because its prompt is longer than what the model can hold. */
export function isTooLong({ details: { provider } }: GatewayError): boolean {
  if (provider === undefined || (provider.status !== 400 && provider.status !== 413 && provider.status !== 422))
    return false;
  if (TOO_LONG_CODES.has(provider.code ?? "") || TOO_LONG_CODES.has(provider.type ?? "")) return true;
  // A body that is too large for one provider, or for its tokens per minute, may fit the next.
  if (provider.status === 413) return true;
  const message = (provider.message ?? "").slice(0, LOOKED_AT);
  if (OF_RESPONSES.test(message)) return false;
  return TOO_LONG_WORDS.some((words) => words.test(message));
}
