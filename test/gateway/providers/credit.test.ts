import { expect, it } from "vitest";
import { providers } from "../../../gateway/providers/registry.ts";
import type { ProviderId } from "../../../gateway/providers/registry.ts";
import type { Provider } from "../../../gateway/providers/provider.ts";

/** Bodies as the providers' documentation has them; their addresses stand next to the adapters. */
const moonshot = (available_balance: number) => ({
  code: 0,
  data: { available_balance, voucher_balance: 46.58893, cash_balance: 3.00001 },
  scode: "0x0",
  status: true,
});
const openrouter = (limit: number | null, limit_remaining: number | null) => ({
  data: {
    label: "sk-or-v1-au7...890",
    limit,
    limit_remaining,
    limit_reset: null,
    usage: 25.5,
    is_free_tier: false,
    rate_limit: { requests: 1000, interval: "1h", note: "This field is deprecated and safe to ignore." },
  },
});
const deepseek = (is_available: boolean, ...totals: readonly (readonly [string, string])[]) => ({
  is_available,
  balance_infos: totals.map(([currency, total_balance]) => ({
    currency,
    total_balance,
    granted_balance: "0.00",
    topped_up_balance: total_balance,
  })),
});
const siliconflow = (totalBalance: string) => ({
  code: 20000,
  message: "OK",
  status: true,
  data: { id: "u", name: "", balance: "0.88", status: "normal", chargeBalance: "88.00", totalBalance },
});
const stepfun = (type: string, balance: number) => ({
  object: "account",
  type,
  balance,
  total_cash_balance: 0,
  total_voucher_balance: 26,
});
const novita = (availableBalance: string) => ({
  availableBalance,
  cashBalance: "800000",
  creditLimit: "200000",
  pendingCharges: "0",
  outstandingInvoices: "0",
});

const read = (id: ProviderId, host: string, body: unknown) => {
  const provider: Provider = providers[id];
  const found = provider.findCredit?.(host);
  const credit = found?.fromResponse(body);
  const balances = credit?.balances.map(({ currency, nano }) => `${nano / 1e9} ${currency}`).join(", ");
  return [found?.path, credit === null ? null : `${balances}${credit?.isUsedUp === true ? " used up" : ""}`];
};

const COMPATIBLE = "openai-compatible";

it.each<[ProviderId, string, unknown, string, string | null]>([
  ["deepseek", "api.deepseek.com", deepseek(true, ["CNY", "110.00"]), "/user/balance", "110 CNY"],
  ["deepseek", "api.deepseek.com", deepseek(true, ["USD", "1.20"], ["CNY", "0.00"]), "/user/balance", "1.2 USD, 0 CNY"],
  ["deepseek", "api.deepseek.com", deepseek(false, ["USD", "0.01"]), "/user/balance", "0.01 USD used up"],
  ["deepseek", "api.deepseek.com", deepseek(true, ["USD", "-0.01"]), "/user/balance", "-0.01 USD used up"],
  ["deepseek", "api.deepseek.com", deepseek(false), "/user/balance", " used up"],
  ["deepseek", "api.deepseek.com", deepseek(true), "/user/balance", null],
  ["deepseek", "api.deepseek.com", deepseek(true, ["EUR", "5.00"]), "/user/balance", null],
  [COMPATIBLE, "api.moonshot.ai", moonshot(49.58894), "/v1/users/me/balance", "49.58894 USD"],
  [COMPATIBLE, "api.moonshot.cn", moonshot(0), "/v1/users/me/balance", "0 CNY used up"],
  [COMPATIBLE, "openrouter.ai", openrouter(100, 74.5), "/api/v1/key", "74.5 USD"],
  [COMPATIBLE, "openrouter.ai", openrouter(null, null), "/api/v1/key", ""],
  [COMPATIBLE, "openrouter.ai", openrouter(5, -0.01), "/api/v1/key", "-0.01 USD used up"],
  [COMPATIBLE, "openrouter.ai", { data: {} }, "/api/v1/key", null],
  [COMPATIBLE, "api.siliconflow.com", siliconflow("88.88"), "/v1/user/info", "88.88 USD"],
  [COMPATIBLE, "ai-gateway.vercel.sh", { balance: "95.50", total_used: "4.50" }, "/v1/credits", "95.5 USD"],
  [COMPATIBLE, "api.novita.ai", novita("1000000"), "/openapi/v1/billing/balance/detail", "100 USD"],
  [COMPATIBLE, "api.stepfun.com", stepfun("prepaid", 0), "/v1/accounts", "0 CNY used up"],
  [COMPATIBLE, "api.stepfun.com", stepfun("postpaid", 0), "/v1/accounts", ""],
])("%s reads the credit of %s from %j", (id, host, body, path, credit) => {
  expect(read(id, host, body)).toEqual([path, credit]);
});

it.each(["api.deepseek.com", "api.moonshot.ai", "openrouter.ai", "api.siliconflow.com", "ai-gateway.vercel.sh"])(
  "says nothing of a body of %s that it cannot read",
  (host) => {
    const id = host === "api.deepseek.com" ? "deepseek" : COMPATIBLE;
    for (const body of [null, [], "ok", 5, {}, { data: null }, { data: [] }, { error: { message: "no" } }])
      expect(read(id, host, body)[1]).toBeNull();
  },
);

it("does not ask servers that are not known to report it", () => {
  for (const host of ["api.groq.com", "127.0.0.1", "constructor", "api.siliconflow.cn"])
    expect(providers[COMPATIBLE].findCredit?.(host)).toBeUndefined();
});
