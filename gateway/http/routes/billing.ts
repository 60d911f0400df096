import type { Quota } from "../../services/quota.ts";
import type { Context } from "../state.ts";

/** `GET /v1/dashboard/billing/subscription` and `/usage`: the calling key's own limit and spend. */
export function billingRoutes(quota: Quota) {
  return {
    async subscription(context: Context): Promise<void> {
      if (context.state.key === null) throw new Error("authentication comes first");
      context.body = await quota.subscription(context.state.key);
    },
    async usage(context: Context): Promise<void> {
      if (context.state.key === null) throw new Error("authentication comes first");
      context.body = await quota.usage(context.state.key, context.query["start_date"], context.query["end_date"]);
    },
  };
}
