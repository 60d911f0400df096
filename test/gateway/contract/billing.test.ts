import { expect, test } from "vitest";
import {
  NEVER_EXPIRES,
  UNLIMITED_USD,
  billingUsageSchema,
  subscriptionSchema,
  usageQuerySchema,
} from "../../../gateway/contract/billing.ts";

test("a key without limits has the figures of the contract", () => {
  const subscription = {
    object: "billing_subscription",
    has_payment_method: false,
    plan: { id: "local", title: "Local" },
    soft_limit_usd: UNLIMITED_USD,
    hard_limit_usd: UNLIMITED_USD,
    system_hard_limit_usd: UNLIMITED_USD,
    access_until: NEVER_EXPIRES,
  };
  expect(subscriptionSchema.parse(subscription)).toMatchObject({
    hard_limit_usd: 100_000_000,
    access_until: 4_102_444_800,
  });
  expect(NEVER_EXPIRES).toBe(Date.UTC(2100, 0) / 1_000);
});

test.each([
  [{}, true],
  [{ start_date: "2026-11-01", end_date: "2026-11-30" }, true],
  [{ start_date: "2024-02-29", unknown: "x" }, true],
  [{ start_date: "2026-02-29" }, false],
  [{ start_date: "2026-11-31" }, false],
  [{ end_date: "20.11.2026" }, false],
  [{ end_date: "2026-11-20T08:00:00Z", start_date: "2026-11-01 00:00" }, true],
  [{ end_date: "" }, true],
])("the usage query %j is accepted: %s", (query, accepted) => {
  expect(usageQuerySchema.safeParse(query).success).toBe(accepted);
});

const guessed = { estimated_usage: 0.5, estimated_requests: 2, unknown_requests: 1 };
test.each([
  [{ object: "list", total_usage: 0.0000125, ...guessed }, true],
  [{ object: "list", total_usage: 0.0000125 }, false],
  [{ object: "list", total_usage: -1, ...guessed }, false],
  [{ total_usage: 1, ...guessed }, false],
])("%j is a usage answer: %s", (response, accepted) => {
  expect(billingUsageSchema.safeParse(response).success).toBe(accepted);
});
