import type { ModelSpec } from "../../core/models/model.ts";

/** Features of a Claude model, derived from its id. */
export interface ClaudeModel {
  /**
   * Claude 4.6 and later: `thinking: {"type":"adaptive"}`, `output_config.effort`, `output_config.format`, and no
   * prefilled response (docs/providers/anthropic.md#messages). Earlier ones take a token budget for thinking.
   */
  readonly isAdaptive: boolean;
  /**
   * `temperature` and `top_p`: models after Opus 4.6 answer 400 to all but the default
   * (docs/providers/anthropic.md#messages).
   */
  readonly takesSampling: boolean;
  /** Accepted values of `output_config.effort`. */
  readonly efforts: readonly string[];
  /** Most tokens of one response; null when not known. */
  readonly maxOutput: number | null;
}

const ALL_EFFORTS = ["low", "medium", "high", "xhigh", "max"] as const;

/** `claude-opus-4-8`, `claude-sonnet-4-5-20250929`, `anthropic/claude-opus-4.6`, `claude-sonnet-5`. */
const NAME_FIRST = /claude-[a-z]+-(\d{1,2})(?:[-.](\d{1,2}))?(?!\d)/;
/** `claude-3-5-sonnet-20241022`, `claude-3-opus`, `claude-2.1`. */
const NUMBER_FIRST = /claude-(\d)(?:[-.](\d))?(?!\d)/;

/**
 * The version in the id decides, as it does at Anthropic: a provider's list may name models that the catalog lacks. An
 * id without a version counts as the newest model, so that nothing is sent that newer models refuse.
 */
export function buildClaudeModel(publicModel: string, model: ModelSpec | null): ClaudeModel {
  const version = findVersion(model?.id ?? publicModel);
  const efforts = model?.reasoning?.efforts ?? [];
  return {
    isAdaptive: version >= 4.06,
    takesSampling: version <= 4.06,
    efforts: efforts.length === 0 ? ALL_EFFORTS : efforts,
    maxOutput: model?.maxOutput ?? null,
  };
}

/** 4.06 for 4.6, so that a 4.10 is after it. */
function findVersion(id: string): number {
  const found = NAME_FIRST.exec(id) ?? NUMBER_FIRST.exec(id);
  return found === null ? Infinity : Number(found[1]) + Number(found[2] ?? 0) / 100;
}
