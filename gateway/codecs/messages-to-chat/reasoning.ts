import type { ModelSpec } from "../../core/models/model.ts";
import type { Document } from "../translation.ts";
import { clampedEffort, effortOfBudget } from "./efforts.ts";
import { numberOf, recordOf, textOf } from "./fields.ts";

/** What adaptive thinking is without an effort (Anthropic's documentation of `output_config.effort`). */
const DEFAULT_EFFORT = "high";

/** What a model that the catalog does not know is likely to take, if it takes efforts at all: a guess. */
const COMMON_EFFORTS = ["low", "medium", "high"] as const;

/**
 * `thinking` and `output_config.effort` as `reasoning_effort`, limited to what the model accepts: an effort is never the
 * reason for a 400. Left out for models without reasoning, or with values that are not known.
 *
 * Claude Code asks every model whose name it does not know to think, without being told to, and servers such as Ollama
 * refuse an effort for a model that does not. So a model that is not in the catalog gets one only where somebody chose
 * it: neither of Claude Code's own defaults, medium and high.
 */
export function reasoningEffort(body: Document, model: ModelSpec | null): Document {
  const wanted = model === null ? chosenEffort(body) : wantedEffort(body);
  if (wanted === null) return {};
  const effort = clampedEffort(wanted, model === null ? COMMON_EFFORTS : (model.reasoning?.efforts ?? []));
  return effort === null ? {} : { reasoning_effort: effort };
}

function chosenEffort(body: Document): string | null {
  const effort = textOf(recordOf(body["output_config"])["effort"]);
  return effort === "medium" || effort === "high" || effort === "none" ? null : effort;
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
