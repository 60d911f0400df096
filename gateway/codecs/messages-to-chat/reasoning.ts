import type { ModelSpec } from "../../core/model.ts";
import type { Document } from "../translation.ts";
import { clampedEffort, effortOfBudget } from "./efforts.ts";
import { numberOf, recordOf, textOf } from "./fields.ts";

/** What Anthropic's models do when they are told nothing (its documentation of `output_config.effort`). */
const DEFAULT_EFFORT = "high";

/** What a model that the catalog does not know is likely to take, if it takes efforts at all: a guess. */
const COMMON_EFFORTS = ["low", "medium", "high"] as const;

/**
 * `thinking` and `output_config.effort` as `reasoning_effort`, limited to what the model accepts: an effort is never the
 * reason for a 400. Left out for models without reasoning, or with values that are not known.
 *
 * A model that is not in the catalog gets an effort only where the client asks for something else than Anthropic's
 * default: Claude Code sends adaptive thinking to every model whose name it does not know, and servers such as Ollama
 * refuse an effort for a model that does not think.
 */
export function reasoningEffort(body: Document, model: ModelSpec | null): Document {
  const wanted = wantedEffort(body);
  if (wanted === null) return {};
  if (model === null && (wanted === DEFAULT_EFFORT || wanted === "none")) return {};
  const accepted = model === null ? COMMON_EFFORTS : (model.reasoning?.efforts ?? []);
  const effort = clampedEffort(wanted, accepted);
  return effort === null ? {} : { reasoning_effort: effort };
}

function wantedEffort(body: Document): string | null {
  const thinking = recordOf(body["thinking"]);
  if (thinking["type"] === "disabled") return "none";
  const effort = textOf(recordOf(body["output_config"])["effort"]);
  if (effort !== null) return effort;
  if (thinking["type"] === "adaptive") return DEFAULT_EFFORT;
  const budget = thinking["type"] === "enabled" ? numberOf(thinking["budget_tokens"]) : null;
  return budget === null ? null : effortOfBudget(budget);
}
