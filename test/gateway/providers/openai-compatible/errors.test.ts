import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toGatewayError } from "../../../../gateway/core/attempts/provider-error.ts";
import { errors as openaiErrors } from "../../../../gateway/providers/openai/errors.ts";
import { errors } from "../../../../gateway/providers/openai-compatible/errors.ts";
import { providerErrors } from "../../../fixtures/provider-errors.ts";

it.each(providerErrors)("$from ($status) is $kind", ({ status, headers, body, kind, code, message, param }) => {
  const error = errors.fromResponse(status, headers ?? {}, body);
  expect(error).toMatchObject({ kind, status });
  if (code !== undefined) expect(error.code).toBe(code);
  if (message !== undefined) expect(error.message).toBe(message);
  if (param !== undefined) expect(error.param).toBe(param);
  const shown = toGatewayError(error, "Provider", []);
  expect(shown.status).not.toBe(401);
  expect(shown.status).toBeGreaterThanOrEqual(400);
});

it("an organisation that is not verified for a model has no such model", () => {
  const body = {
    error: {
      message: "Your organization must be verified",
      type: "invalid_request_error",
      code: "model_not_found",
      param: null,
    },
  };
  expect(openaiErrors.fromResponse(403, {}, body)).toMatchObject({ kind: "model_not_found", status: 404 });
});

describe("the pause that a provider asks for", () => {
  const date = "Fri, 20 Nov 2026 12:00:00 GMT";
  it.each([
    [{ "retry-after": "7" }, 7],
    [{ "retry-after": "0.5" }, 0.5],
    [{ "retry-after-ms": "250" }, 0.25],
    [{ "retry-after-ms": "250", "retry-after": "1" }, 0.25],
    [{ "retry-after": "Fri, 20 Nov 2026 12:00:30 GMT", date }, 30],
    [{ "retry-after": "Fri, 20 Nov 2026 11:00:00 GMT", date }, null],
    [{ "retry-after": "soon" }, null],
    [{ "retry-after": "-5" }, null],
    [{ "retry-after": "1e300" }, 86_400],
    [{ "retry-after-ms": "1e300" }, 86_400],
    [{ "retry-after-ms": "-1", "retry-after": "3" }, 3],
    [{ "retry-after": "" }, null],
    [{ "retry-after": "NaN", "retry-after-ms": "x" }, null],
    [{}, null],
  ])("%j is %s s", (headers, seconds) => {
    expect(errors.fromResponse(429, headers, null).retryAfter).toBe(seconds);
  });
});

it("never throws, whatever comes", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 100, max: 999 }),
      fc.dictionary(fc.constantFrom("retry-after", "retry-after-ms", "date"), fc.string()),
      fc.jsonValue(),
      (status, headers, body) => {
        const error = errors.fromResponse(status, headers, body);
        expect(error.message.length).toBeGreaterThan(0);
        expect(error.message.length).toBeLessThanOrEqual(2_000);
        expect(error.retryAfter ?? 0).toBeGreaterThanOrEqual(0);
      },
    ),
  );
});
