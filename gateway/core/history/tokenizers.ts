import type { TokenizerRelation } from "../../contract/history.ts";
import type { ModelSpec } from "../models/model.ts";

/**
 * Tokenizers of models, as far as their owners document them. OpenAI: all of gpt-4o, gpt-4.1, o-series and gpt-5 have
 * o200k_base (https://github.com/openai/tiktoken, tiktoken/model.py). Anthropic: "Opus 4.7 and later use a new
 * tokenizer" (https://platform.claude.com/docs/en/about-claude/pricing), Fable and Sonnet 5 among them; earlier models
 * are the ones compared. Nothing is documented for Haiku after 4.5. All read 2026-11-24, as quoted by third parties.
 */
const TOKENIZERS: readonly (readonly [owner: string, ids: RegExp, tokenizer: string])[] = [
  ["openai", /^(?:gpt-4o|gpt-4\.1|gpt-5|o[134])/, "o200k"],
  ["anthropic", /^claude-(?:opus-(?:4-[789]|[5-9])|sonnet-[5-9]|fable|mythos)/, "claude-opus-4-7"],
  ["anthropic", /^claude-(?:3|(?:opus|sonnet|haiku)-4)/, "claude-3"],
];

/** https://platform.claude.com/docs/en/about-claude/models/migration-guide, "updated token counting". */
const CLAUDE_SOURCE = "platform.claude.com/docs migration guide";
const CLAUDE_GROWTH = 1.35;

type Model = Pick<ModelSpec, "owner" | "id">;

const readTokenizer = ({ owner, id }: Model): string | null =>
  TOKENIZERS.find((row) => row[0] === owner && row[1].test(id))?.[2] ?? null;

/** Relation of a text's token counts at two models. Null: a model unknown to the catalog. */
export function tokenizerRelation(from: Model | null, to: Model | null): Omit<TokenizerRelation, "from" | "to"> {
  const [before, after] = [from === null ? null : readTokenizer(from), to === null ? null : readTokenizer(to)];
  const nothing = { low: null, high: null, source: null };
  if (from !== null && from.id === to?.id) return { relation: "same", ...nothing };
  if (before === null || after === null) return { relation: "unknown", ...nothing };
  if (before === after) return { relation: "same", ...nothing };
  if (before === "claude-3" && after === "claude-opus-4-7")
    return { relation: "ratio", low: 1, high: CLAUDE_GROWTH, source: CLAUDE_SOURCE };
  if (before === "claude-opus-4-7" && after === "claude-3")
    return { relation: "ratio", low: Number((1 / CLAUDE_GROWTH).toFixed(2)), high: 1, source: CLAUDE_SOURCE };
  return { relation: "unknown", ...nothing };
}
