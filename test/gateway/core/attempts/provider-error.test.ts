import { describe, expect, it } from "vitest";
import { errorBody, errorHeaders } from "../../../../gateway/core/errors.ts";
import {
  mayHaveStarted,
  toGatewayError,
  type ProviderError,
} from "../../../../gateway/core/attempts/provider-error.ts";

const SECRET = "provider-secret-0001";
const error = (change: Partial<ProviderError>): ProviderError => ({
  kind: "bad_request",
  status: 400,
  message: `Said with ${SECRET}.`,
  type: null,
  code: null,
  param: null,
  retryAfter: null,
  ...change,
});
const shown = (change: Partial<ProviderError>) => toGatewayError(error(change), "My provider", [SECRET]);
const SAID = "Said with [redacted].";

describe("what a provider's error is to the client", () => {
  it.each<[Partial<ProviderError>, number, string | null, string, string]>([
    [{ code: "InvalidParameter" }, 400, "InvalidParameter", "invalid_request_error", SAID],
    [{ status: 422, code: null }, 422, "invalid_value", "invalid_request_error", SAID],
    [
      { type: "image_generation_user_error", code: "moderation_blocked" },
      400,
      "moderation_blocked",
      "image_generation_user_error",
      SAID,
    ],
    [
      { kind: "model_not_found", status: 404, code: "InvalidEndpointOrModel.NotFound", type: "x" },
      404,
      "model_not_found",
      "invalid_request_error",
      SAID,
    ],
    [
      { kind: "auth", status: 401 },
      502,
      "vendor_auth",
      "upstream_error",
      `My provider refused the key that Postern holds for it: ${SAID} Replace the key on the Providers page.`,
    ],
    [
      { kind: "no_money", status: 400 },
      503,
      "vendor_out_of_credit",
      "upstream_error",
      `The account behind My provider is out of credit: ${SAID}`,
    ],
    [{ kind: "rate", status: 429, code: "Throttling" }, 429, "rate_limit_exceeded", "rate_limit_error", SAID],
    [{ kind: "overload", status: 500 }, 502, "upstream_error", "upstream_error", `My provider failed: ${SAID}`],
    ...[502, 503, 504, 529].map((status): [Partial<ProviderError>, number, string, string, string] => [
      { kind: "overload", status },
      status,
      "upstream_error",
      "upstream_error",
      `My provider failed: ${SAID}`,
    ]),
    [{ type: SECRET, code: `no ${SECRET}` }, 400, "no [redacted]", "[redacted]", SAID],
    [
      { kind: "loop", status: 508 },
      508,
      "loop_detected",
      "upstream_error",
      "My provider points back at Postern itself. Give it the provider's own base URL.",
    ],
  ])("%j", (change, status, code, type, message) => {
    const gatewayError = shown(change);
    expect(gatewayError.status).toBe(status);
    expect(errorBody(gatewayError, "nested", "r")).toEqual({ error: { message, type, param: null, code } });
  });

  it.each([
    ["Wrong key", "Wrong key."],
    ["Wrong key.", "Wrong key."],
    ["密钥错误。", "密钥错误。"],
  ])("ends what the provider said before it goes on: %s", (message, text) => {
    expect(shown({ kind: "auth", status: 401, message }).message).toContain(`: ${text} Replace the key`);
  });

  it("shows programs what Anthropic tells them, without keys", () => {
    expect(shown({ details: { spent: [SECRET] } }).details.anthropic).toEqual({ spent: ["[redacted]"] });
    expect(shown({}).details).not.toHaveProperty("anthropic");
  });

  it("names the provider's field", () => {
    expect(shown({ param: SECRET }).details.param).toBe("[redacted]");
    expect(shown({ param: "messages[0].content" }).details.param).toBe("messages[0].content");
    expect(shown({ kind: "model_not_found", status: 404, param: "model" }).details.param).toBe("model");
  });

  it("never tells a client of Anthropic's dialect more than the provider said", () => {
    for (const [kind, status, type] of [
      ["bad_request", 400, "invalid_request_error"],
      ["bad_request", 413, "request_too_large"],
      ["model_not_found", 404, "not_found_error"],
      ["rate", 429, "rate_limit_error"],
      ["overload", 529, "overloaded_error"],
    ] as const) {
      expect(errorBody(shown({ kind, status }), "anthropic", "r")).toEqual({
        type: "error",
        error: { type, message: SAID },
        request_id: "r",
      });
    }
  });

  it.each([
    ["rate", 30, "30"],
    ["rate", null, "5"],
    ["overload", 12.2, "13"],
    ["overload", null, undefined],
  ] as const)("%s after %s s is Retry-After %s", (kind, retryAfter, header) => {
    expect(errorHeaders(shown({ kind, status: kind === "rate" ? 429 : 503, retryAfter }))["retry-after"]).toBe(header);
  });
});

describe("whether a provider may have started", () => {
  it.each<[Partial<ProviderError>, boolean]>([
    [{ status: 500 }, true],
    [{ status: 500, type: "server_error" }, true],
    [{ status: 502 }, true],
    [{ status: 408 }, true],
    [{ status: 408, type: "timeout", code: "x" }, true],
    [{ status: 499 }, false],
    [{ status: 503 }, true],
    [{ status: 503, code: "503" }, true],
    [{ status: 503, code: "slow_down" }, false],
    [{ status: 503, type: "overloaded" }, false],
    [{ status: 529, type: "overloaded_error" }, false],
    [{ status: 529 }, true],
    [{ status: 500, kind: "rate" }, false],
    [{ status: 500, kind: "bad_request" }, false],
  ])("%j: %s", (change, started) => {
    const one = { kind: "overload", ...change } as const;
    expect(mayHaveStarted(error(one))).toBe(started);
    if (one.kind === "overload") expect(shown(one).details.uncertain).toBe(started);
  });
});
