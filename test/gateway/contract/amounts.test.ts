import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type * as z from "zod";
import { setBudgetSchema } from "../../../gateway/contract/budgets.ts";
import { applyClientSchema } from "../../../gateway/contract/clients.ts";
import { createKeySchema, updateKeySchema } from "../../../gateway/contract/key.ts";
import { MOST_USD } from "../../../gateway/contract/money.ts";
import { settingsSchema } from "../../../gateway/contract/settings-schema.ts";
import { setupFileSchema, setupSchema } from "../../../gateway/contract/setup.ts";
import { validate } from "../../../gateway/core/validation.ts";
import { nanoFromUsd, usdFromNano } from "../../../gateway/lib/money.ts";
import { readEnvironment } from "../../../gateway/services/connections/environment.ts";
import { isValidRecord } from "../../../gateway/store/validate.ts";
import { storedKey } from "../store/fixtures.ts";

const scope = { kind: "client", name: "app" };

/** Every way in which an amount of money comes in, with the name under which a refusal names it. */
const ways: readonly (readonly [string, z.ZodType, (usd: number) => unknown])[] = [
  ["limit_usd", createKeySchema, (limit_usd) => ({ name: "app", limit_usd })],
  ["limit_usd", updateKeySchema, (limit_usd) => ({ limit_usd })],
  ["limit_usd", setBudgetSchema, (limit_usd) => ({ scope, reset: "daily", limit_usd })],
  ["limit_usd", applyClientSchema, (limit_usd) => ({ parts: ["models"], models: {}, token: "t", limit_usd })],
  ["monthly_budget_usd", settingsSchema.partial(), (monthly_budget_usd) => ({ monthly_budget_usd })],
  ["keys[0].limit_usd", setupSchema, (limit_usd) => ({ keys: [{ name: "app", limit_usd }] })],
  ["budgets[0].limit_usd", setupSchema, (limit_usd) => ({ budgets: [{ scope, reset: "daily", limit_usd }] })],
  ["settings.monthly_budget_usd", setupSchema, (monthly_budget_usd) => ({ settings: { monthly_budget_usd } })],
  ["prices.m.input", setupSchema, (input) => ({ prices: { m: { input } } })],
  ["keys[0].limit_usd", setupFileSchema, (limit_usd) => ({ keys: [{ name: "app", limit_usd }] })],
];

describe.each(ways)("an amount as %s", (name, schema, body) => {
  it("is counted to the nano dollar where it is taken", () => {
    const amount = fc.oneof(fc.double({ min: 0, max: 2e9, noNaN: true }), fc.double({ min: 8.9e6, max: 9.1e6 }));
    fc.assert(
      fc.property(amount, (usd) => {
        const isTaken = schema.safeParse(body(usd)).success;
        expect(isTaken).toBe(usd <= MOST_USD);
        // A double of millions is itself no closer than that.
        if (isTaken) expect(Math.abs(usdFromNano(nanoFromUsd(usd)) - usd)).toBeLessThan(2e-9);
      }),
    );
  });

  it.each([[1e7], [1e9], [-1], [Number.POSITIVE_INFINITY], [Number.NaN]])("is refused in words as %d", (usd) => {
    expect(() => validate(schema, body(usd))).toThrow(
      expect.objectContaining({
        status: 400,
        message: expect.stringMatching(/expected an amount in USD from 0 to 9000000\b/) as unknown,
        details: expect.objectContaining({ param: name }) as unknown,
      }),
    );
  });
});

it("says of a key of the environment which amounts are taken", () => {
  const entry = { key: "sk-environment-key-0001", name: "app", limit_usd: 1e7 };
  const { keys, problems } = readEnvironment({ POSTERN_KEYS: JSON.stringify([entry]) });
  expect(keys).toEqual([]);
  expect(problems).toEqual([
    'Entry 0 of POSTERN_KEYS was ignored: its "limit_usd" is not valid (expected an amount in USD from 0 to 9000000).',
  ]);
});

describe("records that hold more than is taken now", () => {
  const budget = { id: "daily|client|app", scope, reset: "daily", created_at: 1 };
  const key = storedKey("key_1");

  it.each([[9_005_000_000_000_000], [1e18]])("are not damaged: %d", (limit_nano) => {
    expect(isValidRecord("keys", { ...key, limit_nano })).toBe(true);
    expect(isValidRecord("budgets", { ...budget, limit_nano })).toBe(true);
    expect(isValidRecord("settings", { id: "settings", monthly_budget_nano: limit_nano, sandbox: null })).toBe(true);
  });

  it.each([[-1], [0.5]])("are damaged where they are no amount: %d", (limit_nano) => {
    expect(isValidRecord("keys", { ...key, limit_nano })).toBe(false);
    expect(isValidRecord("budgets", { ...budget, limit_nano })).toBe(false);
  });
});
