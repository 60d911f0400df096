import * as z from "zod";
import { dollars, usdFromNano } from "../../lib/money.ts";
import type { ToolCall } from "./tool.ts";

/** Cost fields of every result of a paid tool. */
export const paidFields = {
  cost_usd: z
    .number()
    .nonnegative()
    .nullable()
    .describe("Cost of this call in US dollars; null when the model has no known price."),
  request_id: z.string().describe("Id of this call in Postern's request log."),
  sandbox: z
    .boolean()
    .describe(
      "True when Postern's offline sandbox responded instead of a provider: nothing real was made, nothing was paid.",
    ),
};

/** The money of a call that a service has settled. */
export function getPaid(call: ToolCall): { cost_usd: number | null; request_id: string; sandbox: boolean } {
  const receipt = call.receipt();
  const nano = receipt?.nano ?? null;
  return {
    cost_usd: nano === null ? null : usdFromNano(nano),
    request_id: call.input.requestId,
    sandbox: receipt?.sandbox ?? false,
  };
}

/** Formats the cost for the last line of a result: `Cost: $0.04 (gpt-image-1).` */
export function costLine(call: ToolCall): string {
  const receipt = call.receipt();
  if (receipt === null) return "Cost: nothing.";
  const cost = receipt.nano === null ? "unknown, the model has no known price" : dollars(receipt.nano);
  return `Cost: ${cost} (${receipt.model}${receipt.sandbox ? ", by the offline sandbox" : ""}).`;
}
