import { expect, it } from "vitest";
import { errorRegistry } from "../../../../gateway/core/errors.ts";
import { getProblem, getRemedy } from "../../../../renderer/components/request/request-problem.tsx";
import { en } from "../../../../renderer/locales/en.ts";
import { receiptOf } from "../../../e2e/browser/receipts.ts";

/** They end before there is a request with a receipt, or come from /control alone. */
const WITHOUT_RECEIPT: readonly string[] = [
  "invalid_control_token",
  "forbidden_host",
  "forbidden_origin",
  "local_only",
  "invalid_media_link",
  "media_link_expired",
  "unknown_url",
  "method_not_allowed",
  "conflict",
  "not_cancellable",
  "range_not_satisfiable",
  "upgrade_refused",
  "headers_too_large",
];

it("has a remedy for every code that a receipt may have", () => {
  const known = Object.keys(en.requestLog.remedies);
  expect(Object.keys(errorRegistry).filter((code) => !known.includes(code))).toEqual(WITHOUT_RECEIPT);
});

it.each([
  [{}, null],
  [{ outcome: "failed", status: 402, code: "insufficient_quota" }, en.errors.codes.insufficient_quota],
  [{ outcome: "failed", status: 400, code: "their_own_code" }, "their_own_code"],
  [{ outcome: "failed", status: 400, code: "constructor" }, "constructor"],
  [{ outcome: "interrupted" }, en.requests.outcomeHelp.interrupted],
] as const)("says of %j: %s", (change, problem) => {
  expect(getProblem(receiptOf(0, change), en)).toBe(problem);
});

it.each([
  ["the key's limit", "", /the key's requests per minute/],
  ["the provider's limit", "openai", /until the provider/],
])("tells of %s what to do", (_name, provider, remedy) => {
  expect(getRemedy({ code: "rate_limit_exceeded", provider }, en)).toMatch(remedy);
});
