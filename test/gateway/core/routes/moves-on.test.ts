import { describe, expect, it } from "vitest";
import { GatewayError, type ErrorCode, type ErrorDetails } from "../../../../gateway/core/errors.ts";
import { cannotBeTranslated, movesOn } from "../../../../gateway/core/routes/moves-on.ts";

const refused = (message: string, more: { code?: string; type?: string; status?: number } = {}): GatewayError =>
  new GatewayError("invalid_value", message, { provider: { status: 400, message, ...more } });

describe("the next model of a chain is asked", () => {
  it.each<[ErrorCode, ErrorDetails]>([
    ["no_upstream", {}],
    ["vendor_auth", {}],
    ["vendor_out_of_credit", {}],
    ["upstream_error", { provider: { status: 503 } }],
    ["upstream_error", { uncertain: true }],
    ["upstream_timeout", { uncertain: true }],
    ["rate_limit_exceeded", { retryAfter: 5, provider: { message: "slow down" } }],
    ["model_not_found", { provider: { message: "no such model" } }],
    ["invalid_value", { provider: { status: 405 } }],
    ["invalid_value", { provider: { status: 409, message: "conflict" } }],
    ["invalid_value", { provider: { status: 410, message: "The model has been retired" } }],
    ["invalid_value", { provider: { status: 400, code: "FAILED_PRECONDITION", message: "User location" } }],
  ])("after %s %o", (code, details) => {
    expect(movesOn(new GatewayError(code, "x", details), false)).toBe(true);
  });

  it.each([
    refused("too many tokens", { code: "context_length_exceeded" }),
    refused("request (9000 tokens) exceeds the available context size", { type: "exceed_context_size_error" }),
    refused("prompt is too long: 210000 tokens > 200000 maximum"),
    refused("This model's maximum context length is 65536 tokens. However, you requested 70000 tokens."),
    refused("The input token count (1100000) exceeds the maximum number of tokens allowed (1048576)."),
    refused("Range of input length should be [1, 129024]"),
    refused("Prompt contains 40000 tokens, too large for model with 32768 maximum context length"),
    refused("This model's maximum prompt length is 131072 but the request contains 150000 tokens."),
    refused("Input is longer than the context of this model", { status: 413 }),
    refused("the request exceeds the model's context window"),
    refused("input length and `max_tokens` exceed context limit: 199759 + 21333 > 200000"),
    refused("Your input exceeds the context window of this model. Please adjust your input and try again."),
    refused("The number of tokens to keep from the initial prompt is greater than the context length (n_keep: 13055)"),
    refused(
      "Trying to keep the first 10136 tokens when context the overflows. However, the model is loaded with context length of only 7866 tokens, which is not enough.",
    ),
    refused("length of prompt_tokens (163280) must be less than max_seq_len (32768)."),
    refused("Invalid request: Your request exceeded model token limit: 262144 (requested: 269030)"),
    refused(
      "'max_tokens' is too large: 2000. This model's maximum context length is 4096 tokens and your request has 2104 input tokens.",
    ),
    refused("The decoder prompt (length 20000) is longer than the maximum model length of 8192."),
    refused("Input is too long for requested model."),
    refused("Prompt exceeds max length", { code: "1261" }),
    refused("Request too large for model `kimi-k2` on tokens per minute (TPM): Limit 10000, Requested 15088", {
      status: 413,
      code: "rate_limit_exceeded",
      type: "tokens",
    }),
    refused("Input validation error: `inputs` tokens + `max_new_tokens` must be <= 8193. Given: 9000 `inputs` tokens", {
      status: 422,
    }),
    refused("Input validation error: `inputs` must have less than 4095 tokens. Given: 5000", { status: 422 }),
    refused("prompt token count of 150000 exceeds the limit of 128000", { code: "model_max_prompt_tokens_exceeded" }),
    refused("Total tokens of image and text exceed max message tokens"),
    refused("too many tokens: size limit exceeded by 1000 tokens. Try using shorter or fewer inputs."),
    refused("Request exceeds the maximum size", { status: 413, type: "request_too_large" }),
  ])("where the prompt is longer than the context: $message", (error) => {
    expect(movesOn(error, true)).toBe(true);
  });
});

describe("the failure is the client's", () => {
  it.each<[ErrorCode, ErrorDetails]>([
    ["rate_limit_exceeded", { retryAfter: 5 }],
    ["concurrency_limit_exceeded", {}],
    ["insufficient_quota", {}],
    ["storage_unavailable", {}],
    ["shutting_down", {}],
    ["model_not_found", { param: "model" }],
    ["invalid_value", { provider: { status: 400, message: "messages: roles must alternate" } }],
    ["invalid_value", { provider: { status: 400, message: "max_tokens: must be at most 8192" } }],
    ["invalid_value", { provider: { status: 400, message: "max_tokens (50000) is greater than the context length" } }],
    [
      "invalid_value",
      { provider: { status: 400, message: "`max_completion_tokens` exceeds the model's context window" } },
    ],
    [
      "invalid_value",
      { provider: { status: 400, message: "max_tokens must be <= 16384, which is less than the context_window" } },
    ],
    ["invalid_value", { provider: { status: 400, message: "Range of max_tokens should be [1, 8192]" } }],
    ["invalid_value", { param: "context_length_exceeded" }],
    ["field_not_allowed", {}],
  ])("after %s %o", (code, details) => {
    expect(movesOn(new GatewayError(code, "maximum context length", details), false)).toBe(false);
  });
});

it("sends no other request where the request may have been executed and that does harm", () => {
  const uncertain = new GatewayError("upstream_timeout", "x", { uncertain: true });
  expect(movesOn(uncertain, true)).toBe(false);
  expect(movesOn(new GatewayError("no_upstream", "x", { uncertain: false }), true)).toBe(true);
});

// A pattern that backtracks would need minutes for them.
it.each(["context ", "exceeds "])("reads a sentence of 1.6 MB made of %j", (word) => {
  expect(movesOn(refused(word.repeat(200_000)), false)).toBe(false);
});

it.each<[ErrorCode, boolean]>([
  ["unsupported_value", true],
  ["unsupported_parameter", true],
  ["invalid_value", true],
  ["model_not_found", false],
])("%s says that a request cannot be translated for a provider: %s", (code, expected) => {
  expect(cannotBeTranslated(new GatewayError(code, "x"))).toBe(expected);
});
