import { readAmount } from "../../core/money/credit.ts";
import { isRecord } from "../../lib/records.ts";
import type { CreditAdapter } from "../credit.ts";

/**
 * `is_available` says whether it suffices for calls; an account can have both currencies
 * (https://api-docs.deepseek.com/api/get-user-balance, read 2026-11-30).
 */
export const credit: CreditAdapter = {
  path: "/user/balance",
  fromResponse: (body) => {
    if (!isRecord(body) || !Array.isArray(body["balance_infos"])) return null;
    const balances = body["balance_infos"].filter(isRecord).flatMap(({ currency, total_balance }) => {
      const nano = readAmount(total_balance);
      return nano === null || (currency !== "USD" && currency !== "CNY") ? [] : [{ currency, nano }];
    });
    if (balances.length === 0 && body["is_available"] !== false) return null;
    const isUsedUp = body["is_available"] === false || balances.every(({ nano }) => nano <= 0);
    return { balances, isUsedUp };
  },
};
