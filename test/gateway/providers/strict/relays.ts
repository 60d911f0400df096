/**
 * Hosts that speak Anthropic's dialect, and Anthropic itself, as their documentation and reports describe them: what each
 * refuses, in its own words (sources next to each fact, read 2026-11-28).
 */
import { isRecord, recordsOf } from "./rules.ts";
import type { SentRequest, Json, Rule } from "./rules.ts";

export interface StrictRelay {
  readonly name: string;
  readonly baseUrl: string;
  readonly model: string;
  /** The signature of its thinking: its own, an empty one, or none at all. */
  readonly signature: string | null;
  readonly rules: readonly Rule[];
}

const typeOf = (body: Json): unknown => (isRecord(body["thinking"]) ? body["thinking"]["type"] : undefined);
const turnsOf = ({ body }: SentRequest): readonly Json[] => recordsOf(body["messages"]);
const blocksOf = (turn: Json, type: string): readonly Json[] =>
  recordsOf(turn["content"]).filter((block) => block["type"] === type);
const isOn = ({ body }: SentRequest): boolean => typeOf(body) === "adaptive" || typeOf(body) === "enabled";

/** What was thought comes back with its calls (reports/protocol/04). */
const wantThinking: Rule = (request) =>
  isOn(request) && !request.shown.every((thought) => JSON.stringify(request.body["messages"]).includes(thought))
    ? "The `content[].thinking` in the thinking mode must be passed back to the API."
    : null;
/** reports/protocol/05 */
const refusePair: Rule = ({ body }) =>
  typeOf(body) === "disabled" && isRecord(body["output_config"]) && "effort" in body["output_config"]
    ? "thinking options type cannot be disabled when reasoning_effort is set"
    : null;
const refuseThinking =
  (types: readonly string[], word: string): Rule =>
  ({ body }) =>
    types.includes(String(typeOf(body))) ? word : null;
const refuseSystem: Rule = (request) =>
  turnsOf(request).some(({ role }) => role === "system")
    ? "chat content has invalid message role: system (2013)"
    : null;
const ids: Rule = (request) =>
  turnsOf(request)
    .flatMap((turn) => [
      ...blocksOf(turn, "tool_use").map(({ id }) => id),
      ...blocksOf(turn, "tool_result").map(({ tool_use_id }) => tool_use_id),
    ])
    .every((id) => typeof id === "string" && /^[a-zA-Z0-9_-]+$/.test(id))
    ? null
    : "messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'";
const noChatFields: Rule = ({ body }) => {
  const known =
    "model messages max_tokens system tools tool_choice thinking output_config stream metadata stop_sequences temperature top_p top_k";
  const strange = Object.keys(body).find((name) => !known.split(" ").includes(name));
  return strange === undefined ? null : `${strange}: Extra inputs are not permitted`;
};
const ALL: readonly Rule[] = [ids, noChatFields];
const OTHERS: readonly Rule[] = [...ALL, wantThinking, refusePair];

/** Signatures that Anthropic made: its fake's, and those of the clients' histories. */
const SIGNED = /^(?:Anthropics|EqQBCgIY)/;

export const RELAYS: readonly StrictRelay[] = [
  {
    name: "anthropic",
    baseUrl: "https://api.anthropic.com",
    model: "claude-sonnet-4-6",
    signature: "Anthropics",
    rules: [
      ...ALL,
      wantThinking,
      (request) =>
        turnsOf(request)
          .flatMap((turn) => blocksOf(turn, "thinking"))
          .every(({ signature }) => typeof signature === "string" && SIGNED.test(signature))
          ? null
          : "messages.1.content.0: Invalid `signature` in `thinking` block",
      (request) =>
        isOn(request) &&
        isRecord(request.body["tool_choice"]) &&
        ["any", "tool"].includes(String(request.body["tool_choice"]["type"]))
          ? "Thinking may not be enabled when tool_choice forces tool use."
          : null,
    ],
  },
  {
    name: "deepseek",
    baseUrl: "https://api.deepseek.com/anthropic",
    model: "deepseek-v4-pro",
    signature: "",
    rules: OTHERS,
  },
  { name: "moonshot", baseUrl: "https://api.moonshot.ai/anthropic", model: "kimi-k2.6", signature: "", rules: OTHERS },
  { name: "zai", baseUrl: "https://api.z.ai/api/anthropic", model: "glm-5.2", signature: null, rules: OTHERS },
  {
    name: "minimax",
    baseUrl: "https://api.minimax.io/anthropic",
    model: "MiniMax-M3",
    signature: "",
    // https://github.com/MiniMax-AI/MiniMax-M2.7/issues/43 (2026-05-29); vercel/ai knows adaptive and disabled alone.
    rules: [...OTHERS, refuseSystem, refuseThinking(["enabled"], "invalid params, thinking.type (2013)")],
  },
  {
    name: "siliconflow",
    baseUrl: "https://api.siliconflow.cn",
    model: "zai-org/GLM-5",
    signature: null,
    // https://github.com/farion1231/cc-switch/issues/1489 (2026-03-13)
    rules: [...OTHERS, refuseThinking(["adaptive"], "thinking type should be enabled or disabled")],
  },
  {
    name: "vercel",
    baseUrl: "https://ai-gateway.vercel.sh",
    model: "deepseek/deepseek-v4-pro",
    signature: null,
    rules: OTHERS,
  },
  {
    name: "opencode-go",
    baseUrl: "https://opencode.ai/zen/go",
    model: "minimax-m3",
    signature: "",
    rules: [
      ...OTHERS,
      // https://github.com/anomalyco/opencode/issues/50877 (2026-09-23)
      ({ headers }) =>
        typeof headers["x-opencode-session"] === "string"
          ? null
          : "MissingSessionID: Request is missing x-opencode-session",
    ],
  },
];
