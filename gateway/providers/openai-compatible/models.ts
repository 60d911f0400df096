import type { DiscoveredModel } from "../../core/models/discovered-model.ts";
import { listedAbilities } from "../../core/models/listed-abilities.ts";
import { readListedKinds } from "../../core/models/listed-kinds.ts";
import { listedPrice } from "../../core/models/listed-price.ts";
import { utcDay } from "../../lib/clock.ts";
import { isRecord } from "../../lib/records.ts";
import type { ModelsAdapter } from "../provider.ts";
import { buildBearerHeaders } from "../wire-request.ts";

export const models: ModelsAdapter = {
  toRequest: (secret) => ({ method: "GET", path: "/models", headers: buildBearerHeaders(secret), body: null }),
  fromResponse: readModels,
};

/** All kinds but videos, which some lists leave out. */
export const ALL_KINDS = ["chat", "embedding", "speech", "transcription", "image", "moderation"] as const;

/** Max models of a list; the rest is cut, because each costs memory. */
const MAX_MODELS = 5_000;

/** Unix milliseconds of the year 2100; later values are not dates. */
const MAX_DATE_MS = 4_102_444_800_000;

/**
 * `{data:[{id,…}]}` (OpenAI and compatible servers), or a bare array (older servers). Known extra fields are read:
 * `max_model_len` (vLLM), `context_length` and `pricing` (OpenRouter), `meta.n_ctx_train` (llama.cpp), and the model's
 * abilities and kinds.
 */
export function readModels(body: unknown): readonly DiscoveredModel[] | null {
  const list = Array.isArray(body) ? body : isRecord(body) && Array.isArray(body["data"]) ? body["data"] : null;
  if (list === null) return null;
  const found = new Map<string, DiscoveredModel>();
  for (const entry of list.slice(0, MAX_MODELS)) {
    if (!isRecord(entry) || typeof entry["id"] !== "string" || entry["id"] === "" || entry["id"].length > 300) continue;
    const meta = isRecord(entry["meta"]) ? entry["meta"] : {};
    const top = isRecord(entry["top_provider"]) ? entry["top_provider"] : {};
    const abilities = listedAbilities(entry);
    const kinds = readListedKinds(entry);
    found.set(entry["id"], {
      id: entry["id"],
      owned_by: typeof entry["owned_by"] === "string" ? entry["owned_by"] : null,
      created: whole(entry["created"]),
      context_length: whole(entry["context_length"]) ?? whole(entry["max_model_len"]) ?? whole(meta["n_ctx_train"]),
      max_output: whole(top["max_completion_tokens"]),
      price: listedPrice(entry["pricing"]),
      ...(abilities !== undefined && { abilities }),
      ...(kinds !== undefined && { kinds }),
      ...readEnd(entry),
    });
  }
  return [...found.values()];
}

/** OpenAI (https://developers.openai.com/api/docs/deprecations), OpenRouter and Mistral, read 2026-11-28. */
const END_FIELDS = ["shutdown_date", "expiration_date", "deprecation"] as const;

/** A day or moment as text, or Unix seconds. */
function readEnd(entry: Readonly<Record<string, unknown>>): Pick<DiscoveredModel, "ends"> {
  const value = END_FIELDS.map((field) => entry[field]).find((one) => one !== null && one !== undefined);
  const at = typeof value === "string" ? Date.parse(value) : (whole(value) ?? Number.NaN) * 1_000;
  return at > 0 && at < MAX_DATE_MS ? { ends: utcDay(at) } : {};
}

function whole(value: unknown): number | null {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : null;
}
