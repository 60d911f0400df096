import { UNLIMITED, createCredit, readAmount } from "../../core/money/credit.ts";
import type { Credit } from "../../core/money/credit.ts";
import { isRecord } from "../../lib/records.ts";
import type { CreditAdapter } from "../credit.ts";

type Fields = Readonly<Record<string, unknown>>;

/** An adapter for bodies with one amount. */
function readsOne(path: string, currency: string, read: (body: Fields) => number | null): CreditAdapter {
  return { path, fromResponse: (body) => (isRecord(body) ? createCredit(currency, read(body)) : null) };
}

const inData = ({ data }: Fields, field: string): unknown => (isRecord(data) ? data[field] : undefined);

/** The USD that the key may still spend; null without a limit. The account's own credit needs a management key. */
function readKeyLimit(body: unknown): Credit | null {
  const left = isRecord(body) ? inData(body, "limit_remaining") : undefined;
  return left === null ? UNLIMITED : createCredit("USD", readAmount(left));
}

const moonshot = (currency: string): CreditAdapter =>
  readsOne("/v1/users/me/balance", currency, (body) => readAmount(inData(body, "available_balance")));

/** Servers that report the credit of a key to that key, by host. */
export const CREDITS: Readonly<Record<string, CreditAdapter>> = {
  // https://openrouter.ai/docs/api/api-reference/api-keys/get-current-key and …/credits/get-credits, read 2026-11-30.
  "openrouter.ai": { path: "/api/v1/key", fromResponse: readKeyLimit },
  // At zero and below, calls are refused (https://platform.moonshot.cn/docs/api/balance, read 2026-11-30; in USD at
  // https://github.com/api-evangelist/moonshot-ai/blob/main/openapi/moonshot-ai-billing-api-openapi.yml, 2026-10-13).
  "api.moonshot.ai": moonshot("USD"),
  "api.moonshot.cn": moonshot("CNY"),
  // https://docs.siliconflow.com/cn/api-reference/userinfo/get-user-info, read 2026-11-30; in USD
  // (https://github.com/steipete/CodexBar/blob/main/docs/siliconflow.md, read 2026-11-30), which also says that
  // api.siliconflow.cn has not had it since 2026-08-14.
  "api.siliconflow.com": readsOne("/v1/user/info", "USD", (body) => readAmount(inData(body, "totalBalance"))),
  // https://vercel.com/docs/ai-gateway/usage, read 2026-11-30.
  "ai-gateway.vercel.sh": readsOne("/v1/credits", "USD", ({ balance }) => readAmount(balance)),
  // Ten-thousandths of a USD (https://novita.ai/docs/api-reference/basic-get-user-balance, read 2026-11-30).
  "api.novita.ai": readsOne("/openapi/v1/billing/balance/detail", "USD", ({ availableBalance }) =>
    readAmount(availableBalance, 4),
  ),
  // Accounts that pay afterwards have no credit (https://platform.stepfun.com/docs/zh/api-reference/accounts/get, read
  // 2026-11-30; the currency is that of its price list).
  "api.stepfun.com": {
    path: "/v1/accounts",
    fromResponse: (body) => {
      if (!isRecord(body)) return null;
      return body["type"] === "postpaid" ? UNLIMITED : createCredit("CNY", readAmount(body["balance"]));
    },
  },
};
