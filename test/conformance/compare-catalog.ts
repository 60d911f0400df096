import { findEnding } from "../../gateway/catalog/endings.ts";
import { allModels, findModel } from "../../gateway/catalog/lookup.ts";
import type { UnitClass } from "../../gateway/contract/receipt.ts";
import type { ModelSpec, Price } from "../../gateway/core/models/model.ts";
import { heldOn, rateOf } from "../../gateway/core/money/price.ts";
import { isRecord } from "../../gateway/lib/records.ts";

/** The beginning of LiteLLM's keys of an owner's models, and its name of the provider. */
const OWNERS: Readonly<Record<string, readonly [prefix: string, provider: string]>> = {
  openai: ["", "openai"],
  anthropic: ["", "anthropic"],
  google: ["gemini/", "gemini"],
  xai: ["xai/", "xai"],
  mistral: ["mistral/", "mistral"],
  dashscope: ["dashscope/", "dashscope"],
  deepseek: ["deepseek/", "deepseek"],
};

/** LiteLLM's fields of USD a unit, by class. The first that it has counts. */
const FIELDS: readonly (readonly [UnitClass, ...string[]])[] = [
  ["input", "input_cost_per_token"],
  ["cached_input", "cache_read_input_token_cost"],
  ["cache_write", "cache_creation_input_token_cost"],
  ["cache_write_1h", "cache_creation_input_token_cost_above_1hr", "cache_creation_input_token_cost_above_12hr"],
  ["output", "output_cost_per_token"],
  ["audio_input", "input_cost_per_audio_token"],
  ["audio_output", "output_cost_per_audio_token"],
  ["image_input", "input_cost_per_image_token"],
  ["image_output", "output_cost_per_image_token"],
];

const TIERS = ["flex", "priority", "ultrafast", "fast"] as const;

/** Reasons of differences that are right, by the model's id (or its beginning) and what differs. */
const EXPLAINED: readonly (readonly [id: RegExp, what: RegExp, why: string])[] = [
  [/^deepseek-/, /./, "LiteLLM has the rate of peak hours; the catalog has both by the hour"],
  [
    /^gpt-4o(-mini)?-transcribe/,
    /^audio_input$/,
    "OpenAI's page has a rate of its own for heard tokens; LiteLLM that of words",
  ],
  [/^gpt-4o-mini-tts$/, /^output$/, "it makes nothing but sound, which has its rate"],
];

export interface Comparison {
  readonly compared: number;
  readonly differences: readonly string[];
  readonly explained: readonly string[];
  readonly missing: readonly string[];
}

type Listed = Readonly<Record<string, unknown>>;

/** @param list LiteLLM's file @param day the UTC day of the prices, `YYYY-MM-DD` */
export function compareCatalog(list: Listed, day: string): Comparison {
  const differences: string[] = [];
  const explained: string[] = [];
  let compared = 0;
  for (const spec of allModels()) {
    const listed = findListed(spec, list);
    if (listed === null) continue;
    compared += 1;
    for (const [what, ours, theirs] of differencesOf(spec, listed, day)) {
      const line = `${spec.id} ${what}: ${String(ours)} here, ${String(theirs)} there`;
      const why = EXPLAINED.find(([id, of]) => id.test(spec.id) && of.test(what))?.[2];
      if (why === undefined) differences.push(line);
      else explained.push(`${line} (${why})`);
    }
  }
  return { compared, differences, explained, missing: findMissing(list, day) };
}

function findListed({ id, upstreamId, owner }: ModelSpec, list: Listed): Listed | null {
  const [prefix] = OWNERS[owner] ?? [];
  const listed = prefix === undefined ? undefined : list[`${prefix}${upstreamId ?? id}`];
  return isRecord(listed) ? listed : null;
}

function differencesOf(spec: ModelSpec, listed: Listed, day: string): (readonly [string, unknown, unknown])[] {
  const found: (readonly [string, unknown, unknown])[] = [];
  const price = heldOn(spec.price, day);
  for (const [unit, ...fields] of FIELDS) {
    const theirs = usdOf(listed, fields);
    const first = price?.tiers[0];
    const ours = first === undefined ? undefined : rateOf(first, unit);
    if (theirs === 0 || theirs === undefined || isSame(theirs, ours)) continue;
    found.push([unit, ours === undefined ? "unpriced" : ours / 1e9, theirs / 1e9]);
  }
  if (price !== null) found.push(...findFactors(price, listed));
  const ends = findEnding(spec)?.on;
  const date = listed["deprecation_date"];
  if (typeof date === "string" && date !== ends) found.push(["end", ends ?? "none", date]);
  return found;
}

function findFactors(price: Price, listed: Listed): (readonly [string, unknown, unknown])[] {
  const output = usdOf(listed, ["output_cost_per_token"]);
  return TIERS.flatMap((tier) => {
    const faster = usdOf(listed, [`output_cost_per_token_${tier}`]);
    if (output === undefined || output === 0 || faster === undefined) return [];
    const theirs = faster / output;
    const ours = price.factors?.["service_tier"]?.[tier];
    return ours !== undefined && Math.abs(ours - theirs) < 0.02 ? [] : [[tier, ours ?? "unknown", theirs] as const];
  });
}

/** Nano USD per million, as the catalog counts. */
function usdOf(listed: Listed, fields: readonly string[]): number | undefined {
  const value = fields.map((field) => listed[field]).find((one) => typeof one === "number");
  return typeof value === "number" ? value * 1e15 : undefined;
}

const isSame = (theirs: number, ours: number | undefined): boolean =>
  ours !== undefined && Math.abs(theirs - ours) <= theirs * 0.005;

/** Models that the owners still have, and the catalog does not know by any name. */
function findMissing(list: Listed, day: string): string[] {
  return Object.entries(list).flatMap(([key, listed]) => {
    if (!isRecord(listed) || (typeof listed["deprecation_date"] === "string" && listed["deprecation_date"] <= day))
      return [];
    const owner = Object.values(OWNERS).find(
      ([prefix, provider]) => listed["litellm_provider"] === provider && key.startsWith(prefix),
    );
    const id = key.slice(owner?.[0].length ?? 0);
    return owner === undefined || id.includes("/") || findModel(id) !== undefined
      ? []
      : [`${key} (${String(listed["mode"])})`];
  });
}
