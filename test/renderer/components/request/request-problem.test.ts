import { expect, it } from "vitest";
import { errorRegistry } from "../../../../gateway/core/errors.ts";
import { getRemedy } from "../../../../renderer/components/request/request-problem.tsx";
import { formatProblemInWords, getProblem } from "../../../../renderer/lib/error-sentence.ts";
import { en } from "../../../../renderer/locales/en.ts";
import { zh } from "../../../../renderer/locales/zh.ts";
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
])("reports %s what to do", (_name, provider, remedy) => {
  expect(getRemedy({ code: "rate_limit_exceeded", provider }, en)).toMatch(remedy);
});

it("says what the client got, in another language next to the words of the code", () => {
  const receipt = receiptOf(0, { outcome: "failed", status: 400, code: "invalid_value", message: "Send less." });
  expect(formatProblemInWords(receipt, { language: "en", t: en })).toBe("Send less.");
  const foreign = formatProblemInWords(receipt, { language: "zh", t: zh });
  expect(foreign).toBe(`${zh.errors.codes.invalid_value}${zh.errors.quoted("Send less.")}`);
  const { message: _none, ...earlier } = receipt;
  expect(formatProblemInWords(earlier, { language: "en", t: en })).toBe(en.errors.codes.invalid_value);
});
