import { isRecord, asRecord } from "../../lib/records.ts";
import type { Units } from "../models/model.ts";
import { withoutZeros } from "./price.ts";
import type { ReportedService } from "./price.ts";

/** A response's statement of its own bill, next to counts of tokens. */
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
 * Reads what the provider says it charged for a response, nano USD; null if it does not say.
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

/** A sampling of a message that its own `usage` leaves out. */
export interface Iteration {
  /** Null: the message's own model. */
  readonly model: string | null;
  readonly usage: Readonly<Record<string, unknown>>;
}

/**
 * Iterations of an Anthropic message that are billed next to its `usage`: compaction, and the advisor with a model of its
 * own (https://platform.claude.com/docs/en/build-with-claude/compaction, 2026-11-28).
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
 * Counts what OpenAI sells by the piece among the items of a response: searches of the web and of files, and containers.
 * Opening a page and looking for words in it cost nothing. A container lives for twenty minutes, and may be one that was
 * paid for before (https://platform.openai.com/docs/pricing, "Built-in tools", 2026-11-28).
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

/** Items of OpenAI's that cost what no usage tells: time of a container, and tokens of a model for images. */
const UNTOLD_ITEM = /^(code_interpreter_call|shell_call|image_generation_call)$/;

/** Whether all that a response of OpenAI's cost next to its tokens is in the fees that were counted. */
export const tellsAllFees = (output: unknown): boolean =>
  Array.isArray(output) && !output.some((item) => isRecord(item) && UNTOLD_ITEM.test(String(item["type"])));
