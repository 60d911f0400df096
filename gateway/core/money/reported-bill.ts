import { isRecord, asRecord } from "../../lib/records.ts";
import type { Units } from "../models/model.ts";
import { withoutZeros } from "./price.ts";
import type { ReportedService } from "./price.ts";

/** A response's own billing data besides token counts. */
export interface ReportedBill extends ReportedService {
  readonly usage?: unknown;
  /** The model that answered. */
  readonly model?: unknown;
  /** Items of a response of OpenAI's. */
  readonly output?: unknown;
}

/** xAI's unit of money, 10¹⁰ to the dollar (https://docs.x.ai/developers/cost-tracking, 2026-11-28). */
const NANO_PER_TICK = 0.1;
/** No call costs as much: such a figure is in another unit. */
const MOST_USD = 10_000;

/**
 * Reads the provider's reported charge for a response in nano USD; null if not reported.
 * @param listsPrices whether `cost` is meant in USD: at OpenRouter, and at servers whose lists have its prices
 */
export function readCharge(usage: unknown, listsPrices: boolean): number | null {
  if (!isRecord(usage)) return null;
  const { cost_in_usd_ticks: ticks } = usage;
  if (isAmount(ticks, MOST_USD * 1e10)) return Math.round(ticks * NANO_PER_TICK);
  if (!listsPrices || !isAmount(usage["cost"], MOST_USD)) return null;
  // If the key is the user's own, `cost` is OpenRouter's fee, and the model's owner charges the rest
  // (https://openrouter.ai/docs/use-cases/usage-accounting, 2026-11-28).
  const upstream = asRecord(usage["cost_details"])["upstream_inference_cost"];
  const own = usage["is_byok"] === true && isAmount(upstream, MOST_USD) ? upstream : 0;
  return Math.round((usage["cost"] + own) * 1e9);
}

const isAmount = (value: unknown, most: number): value is number =>
  typeof value === "number" && value >= 0 && value <= most;

/** An iteration of a message that its own `usage` excludes. */
export interface Iteration {
  /** Null: the message's own model. */
  readonly model: string | null;
  readonly usage: Readonly<Record<string, unknown>>;
}

/**
 * Iterations of an Anthropic message that are billed in addition to its `usage`: compaction, and the advisor with its
 * own model (https://platform.claude.com/docs/en/build-with-claude/compaction, 2026-11-28).
 */
export function readIterations(usage: unknown): readonly Iteration[] {
  const iterations = isRecord(usage) ? usage["iterations"] : undefined;
  if (!Array.isArray(iterations)) return [];
  return iterations.flatMap((one: unknown): Iteration[] => {
    if (!isRecord(one) || (one["type"] !== "compaction" && one["type"] !== "advisor_message")) return [];
    return [{ model: typeof one["model"] === "string" ? one["model"] : null, usage: one }];
  });
}

/**
 * Counts the items of a response that OpenAI bills per piece: web searches, file searches and containers. Opening a
 * page and finding text in it are free. A container lives for twenty minutes, and may already be paid
 * (https://platform.openai.com/docs/pricing, "Built-in tools", 2026-11-28).
 */
export function countToolFees(output: unknown): Units {
  if (!Array.isArray(output)) return {};
  const containers = new Set<unknown>();
  const fees: Required<Pick<Units, "web_search" | "file_search">> = { web_search: 0, file_search: 0 };
  for (const item of output as readonly unknown[]) {
    if (!isRecord(item)) continue;
    const action = asRecord(item["action"])["type"] ?? "search";
    if (item["type"] === "web_search_call" && action === "search") fees.web_search += 1;
    if (item["type"] === "file_search_call") fees.file_search += 1;
    if (item["type"] === "code_interpreter_call") containers.add(item["container_id"]);
  }
  return withoutZeros({ ...fees, container: containers.size });
}

/** OpenAI's items with costs that usage does not report: container time, and tokens of an image model. */
const UNTOLD_ITEM = /^(code_interpreter_call|shell_call|image_generation_call)$/;

/** Whether all that a response of OpenAI's cost next to its tokens is in the fees that were counted. */
export const tellsAllFees = (output: unknown): boolean =>
  Array.isArray(output) && !output.some((item) => isRecord(item) && UNTOLD_ITEM.test(String(item["type"])));
