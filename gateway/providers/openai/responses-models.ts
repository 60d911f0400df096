import { declaredTool } from "../../codecs/tool-shapes.ts";
import { isRecord } from "../../lib/records.ts";

/**
 * "This model is only supported in v1/responses and not in v1/chat/completions."
 * (https://github.com/alvinunreal/tmuxai/issues/82, read 2026-11-28)
 */
const ONLY_RESPONSES = /^(?:codex-|(?:gpt-|o\d).*-(?:codex|pro)(?:-|$))/;

/** `gpt-5.4-mini`, `gpt-6.1-sol`; not Azure's `gpt-35-turbo`, nor `gpt-4o`. */
const VERSION = /^gpt-([5-9]|[12]\d)(?:\.(\d+))?(?=-|$)/;

type Fields = Readonly<Record<string, unknown>>;

/**
 * Whether a chat request has to be sent to `/responses`. "Function tools with reasoning_effort are not supported for
 * gpt-5.4 in /v1/chat/completions" (https://github.com/pipecat-ai/pipecat/issues/4043); gpt-5.4 does not reason by
 * default (https://github.com/livekit/agents/pull/7169), and that gpt-5.5 does is a guess. From gpt-5.6 on functions
 * are refused unless the effort is "none" (https://github.com/BerriAI/litellm/pull/34569), which some models lack; with
 * "none" they use `/responses` too, so that a session does not switch between the two. All read 2026-11-28.
 */
export function wantsResponses(body: Fields, upstreamModel: string): boolean {
  if (ONLY_RESPONSES.test(upstreamModel)) return true;
  const version = readVersion(upstreamModel);
  if (version < 5.04 || !hasFunctions(body["tools"])) return false;
  if (version >= 5.06) return true;
  const effort = body["reasoning_effort"] ?? (version >= 5.05 ? "default" : "none");
  return effort !== "none";
}

/** 5.04 for gpt-5.4, so that a 5.10 is after it; 0 for others. */
function readVersion(model: string): number {
  const [, major, minor = 0] = VERSION.exec(model) ?? [];
  return Number(major ?? 0) + Number(minor) / 100;
}

function hasFunctions(tools: unknown): boolean {
  return Array.isArray(tools) && tools.some((tool) => isRecord(tool) && declaredTool(tool) !== null);
}
