import type { DiscoveredModel } from "../../core/models/discovered-model.ts";
import { isRecord } from "../../lib/records.ts";
import type { ModelsAdapter } from "../vendor.ts";
import { bearerHeaders } from "./headers.ts";

export const models: ModelsAdapter = {
  toRequest: (secret) => ({ method: "GET", path: "/models", headers: bearerHeaders(secret), body: null }),
  fromResponse: readModels,
};

/** A list longer than this is cut: nobody has so many, and each costs memory. */
const MAX_MODELS = 5_000;

/**
 * `{data:[{id,…}]}` (OpenAI and all that follow it), or a bare array (older servers). Extra figures are taken where they
 * are known: `max_model_len` (vLLM), `context_length` and `pricing` (OpenRouter, USD per token as strings),
 * `meta.n_ctx_train` (llama.cpp). Source: upstreams reference 9; OpenRouter's `/models`.
 */
export function readModels(body: unknown): readonly DiscoveredModel[] | null {
  const list = Array.isArray(body) ? body : isRecord(body) && Array.isArray(body["data"]) ? body["data"] : null;
  if (list === null) return null;
  const found = new Map<string, DiscoveredModel>();
  for (const entry of list.slice(0, MAX_MODELS)) {
    if (!isRecord(entry) || typeof entry["id"] !== "string" || entry["id"] === "" || entry["id"].length > 300) continue;
    const pricing = isRecord(entry["pricing"]) ? entry["pricing"] : {};
    const meta = isRecord(entry["meta"]) ? entry["meta"] : {};
    const top = isRecord(entry["top_provider"]) ? entry["top_provider"] : {};
    found.set(entry["id"], {
      id: entry["id"],
      owned_by: typeof entry["owned_by"] === "string" ? entry["owned_by"] : null,
      created: whole(entry["created"]),
      context_length: whole(entry["context_length"]) ?? whole(entry["max_model_len"]) ?? whole(meta["n_ctx_train"]),
      max_output: whole(top["max_completion_tokens"]),
      input_rate: rate(pricing["prompt"]),
      output_rate: rate(pricing["completion"]),
    });
  }
  return [...found.values()];
}

function whole(value: unknown): number | null {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : null;
}

/** USD per token, number or decimal text, as nano per 10⁶ tokens. OpenRouter's `-1` means "varies": unknown. */
function rate(value: unknown): number | null {
  const usd =
    typeof value === "number" ? value : typeof value === "string" && value.trim() !== "" ? Number(value) : Number.NaN;
  if (!Number.isFinite(usd) || usd < 0) return null;
  const nanoPerMillion = Math.round(usd * 1e15);
  return Number.isSafeInteger(nanoPerMillion) ? nanoPerMillion : null;
}
