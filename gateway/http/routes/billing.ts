import type { Quota } from "../../services/quota.ts";
import { keyOf } from "../call-input.ts";
import type { Context } from "../state.ts";

/** `GET /v1/dashboard/billing/subscription` and `/usage`: the calling key's own limit and spend. */
export function billingRoutes(quota: Quota) {
  return {
    async subscription(context: Context): Promise<void> {
      context.body = await quota.subscription(keyOf(context));
    },
    async usage(context: Context): Promise<void> {
      context.body = await quota.usage(keyOf(context), context.query["start_date"], context.query["end_date"]);
    },
  };
}
