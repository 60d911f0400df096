import { expect, it } from "vitest";
import type { ProviderError } from "../../../../gateway/core/attempts/provider-error.ts";
import { afterFailure, afterProviderError, type NextStep } from "../../../../gateway/core/attempts/retry.ts";

const createError = (change: Partial<ProviderError>): ProviderError => ({
  kind: "overload",
  status: 503,
  message: "m",
  type: null,
  code: null,
  param: null,
  retryAfter: null,
  ...change,
});
const tryAfter = (waitMs: number): NextStep => ({ do: "again", waitMs });
const GIVE_UP: NextStep = { do: "give_up" };

it.each<[Partial<ProviderError>, number, NextStep]>([
  [{ kind: "auth", status: 401 }, 2, { do: "elsewhere" }],
  [{ kind: "no_money", status: 402 }, 2, { do: "elsewhere" }],
  [{ kind: "bad_request", status: 400 }, 0, GIVE_UP],
  [{ kind: "model_not_found", status: 404 }, 0, GIVE_UP],
  [{ status: 408 }, 0, GIVE_UP],
  [{ status: 501 }, 0, GIVE_UP],
  ...[429, 500, 502, 503, 504, 529].map((status) => [{ status }, 0, tryAfter(125)] as [object, number, NextStep]),
  [{}, 1, tryAfter(250)],
  [{}, 2, GIVE_UP],
  [{ status: 429, kind: "rate", retryAfter: 0.3 }, 0, tryAfter(425)],
  [{ status: 429, kind: "rate", retryAfter: 60 }, 1, tryAfter(60_250)],
  [{ status: 429, kind: "rate", retryAfter: 60.001 }, 0, GIVE_UP],
])("after %j and %i retries: %j", (change, retries, step) => {
  expect(afterProviderError(createError(change), retries, 0.5)).toEqual(step);
});

it.each<[boolean, number, number, NextStep]>([
  [true, 0, 0.5, GIVE_UP],
  [false, 0, 0, tryAfter(0)],
  [false, 0, 0.999, tryAfter(249)],
  [false, 1, 0.999, tryAfter(499)],
  [false, 2, 0, GIVE_UP],
])("without a response, sent %s, after %i retries and with jitter %s: %j", (sent, retries, random, step) => {
  expect(afterFailure(sent, retries, random)).toEqual(step);
});
