/**
 * Chat servers as their documentation and reports of their users describe them: what each refuses, in its own words. Made
 * from those pages alone (sources next to each fact, read 2026-11-28) and never from Postern's own table, which they check.
 * Where a page only says what clients send, the fake refuses the rest: a gateway that passes here passes there.
 */
import {
  isRecord,
  recordsOf,
  messagesOf,
  OPENAI_OWN,
  refuseFields,
  refuseInMessages,
  refuseRole,
  wantSystemFirst,
  wantShown,
  forModels,
} from "./rules.ts";
import type { SentRequest, Json, Rule } from "./rules.ts";

/** How a server shows what its model thought. */
export type Shows =
  | "reasoning_content"
  | "reasoning"
  | "reasoning_details"
  | "in content"
  | "parts"
  | "signature"
  | null;

export interface StrictServer {
  /** As its connection is called here. */
  readonly name: string;
  readonly baseUrl: string;
  readonly models: readonly string[];
  readonly shows: Shows;
  /** Null where no one knows how it is ordered not to think. */
  readonly thinks: ((body: Json, model: string) => boolean) | null;
  /** Models that always think, or never: a request for none changes nothing. */
  readonly fixed?: RegExp;
  /** No one knows a field that all of those behind it take. */
  readonly dropsThoughts?: true;
  /** Models that have no effort. */
  readonly effortless?: RegExp;
  /** What the ids of its calls look like. */
  readonly id?: (count: number) => string;
  readonly status?: number;
  /** Its models call no tools. */
  readonly isToolless?: true;
  readonly rules: readonly Rule[];
}

export const field = (path: string, body: Json): unknown =>
  path.split(".").reduce<unknown>((at, name) => (isRecord(at) ? at[name] : undefined), body);

export const isOff = (body: Json): boolean => field("thinking.type", body) === "disabled";
export const hasNoEffort = (body: Json): boolean => body["reasoning_effort"] === "none";
export const isString = (value: unknown): boolean => typeof value === "string";
export const isFilled = (value: unknown): boolean => typeof value === "string" && value !== "";
export const whileThinking = ({ isThinking }: SentRequest): boolean => isThinking;

export const PARALLEL = "parallel_tool_calls";
export const MESSAGE = ["role", "content", "tool_calls", "tool_call_id"];

export const unsupportedParameter = (name: string): string =>
  `Unsupported parameter: '${name}' is not supported with this model.`;
export const extraForbidden = (name: string): string =>
  `body.${name}: Extra inputs are not permitted (extra_forbidden)`;
export const extraInputs = (name: string): string => `Extra inputs are not permitted, field: '${name}'`;
export const unknownName = (name: string): string =>
  `Invalid JSON payload received. Unknown name "${name}": Cannot find field.`;

/** No one documents OpenAI's own fields there, and strict parsers answer so (reports/protocol/11). */
export const unknownToOthers: Rule = refuseFields(OPENAI_OWN, (name) => `Unknown parameter: '${name}'.`);
/** What other houses call thinking, at a server that has none of it. */
export const refuse = (...names: string[]): Rule => refuseFields(names, (name) => `Unknown parameter: '${name}'.`);
/** pi and oh-my-pi send the older name alone. */
export const olderBound: Rule = refuseFields(["max_completion_tokens"], (name) => `Unknown parameter: '${name}'.`);
/** Only OpenAI and Azure are known to take the role (oh-my-pi, buildOpenAICompat). */
export const noDeveloper: Rule = refuseRole(
  "developer",
  "unknown variant `developer`, expected `system`, `user`, `assistant`",
);
export const noThoughts: Rule = refuseInMessages(
  ["reasoning_content", "reasoning", "reasoning_details", "thinking_blocks"],
  (name, at) => `messages[${at}]: property '${name}' is unsupported`,
);
/** https://github.com/can1357/oh-my-pi/issues/6925 (2026-07-28) */
const QWEN = /qwen-?3[.p]?[5-9]/i;
export const qwenSystem: Rule = forModels(QWEN, wantSystemFirst("System message must be at the beginning."));
/** Fields of Anthropic's and of Postern's own that no chat server knows. */
export const foreign: Rule = refuseInMessages(
  [
    "refusal",
    "annotations",
    "audio",
    "thinking_blocks",
    "thinking",
    "signature",
    "cache_control",
    "phase",
    "refusal_reason",
  ],
  (name, at) => `messages[${at}]: Unknown field '${name}'.`,
);
const needsText: Rule = (request) =>
  messagesOf(request).some(
    ({ role, content, tool_calls }) =>
      (content === undefined || content === null) && role !== "tool" && recordsOf(tool_calls).length === 0,
  )
    ? "messages: content is missing"
    : null;
/** Every call is answered, and nothing answers a call that was not made. */
const answered: Rule = (request) => {
  const messages = messagesOf(request);
  const called = messages.flatMap(({ tool_calls }) => recordsOf(tool_calls).map(({ id }) => id));
  const results = messages.filter(({ role }) => role === "tool").map(({ tool_call_id }) => tool_call_id);
  return results.every((id) => called.includes(id)) && called.every((id) => results.includes(id))
    ? null
    : "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'.";
};
export const ALL: readonly Rule[] = [needsText, answered];
export const OTHERS: readonly Rule[] = [...ALL, noDeveloper, foreign, unknownToOthers];

/** No server refuses that, but models go on worse, and caches miss. */
const keepsThoughts = wantShown("(no refusal) what it thought did not come back");

/** Why a server does not take a request, in its own words; empty where it does. */
export function refusalsOf(server: StrictServer, request: SentRequest): readonly string[] {
  return [...server.rules, ...(server.shows === null || server.dropsThoughts ? [] : [keepsThoughts])]
    .map((rule) => rule(request))
    .filter((word) => word !== null);
}
