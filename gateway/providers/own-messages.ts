import { asList, isRecord } from "../lib/records.ts";
import { NO_THOUGHT, formatBareName } from "./server-traits.ts";
import type { Fields, ServerTraits, ThoughtField } from "./server-traits.ts";

/** Anthropic's thinking, as chat clients are given it; gateways in front of Claude take it back. */
const THINKING_BLOCKS = "thinking_blocks";
/** Google's field next to a call: its thought signature. */
const BESIDE_CALLS = "extra_content";
const THOUGHTS = ["reasoning_content", "reasoning", "reasoning_details"] as const;

/** Gateways to these models accept back their owners' fields in turns and calls. */
const TAKES_BLOCKS = /claude/i;
const TAKES_SIGNATURES = /gemini/i;

/** Qwen's template from 3.5 on, at any server: "System message must be at the beginning." (https://github.com/vllm-project/vllm/issues/41114, 2026-04-28). */
const SYSTEM_FIRST = /qwen-?3[.p][5-9]/;

/**
 * Returns the messages of a chat request in the form that a server accepts, whichever model wrote earlier turns.
 * @param thinks whether reasoning is enabled: if not, servers that otherwise need earlier reasoning refuse it
 * @returns undefined if nothing changes, the usual case, so nothing is allocated before a change is found
 */
export function buildOwnMessages(
  messages: unknown,
  traits: ServerTraits,
  model: string,
  thinks = true,
): readonly unknown[] | undefined {
  if (!Array.isArray(messages)) return undefined;
  const given: readonly unknown[] = messages;
  const known = findRules(traits, model);
  const rules: Rules = thinks || known.needs === null ? known : { ...known, needs: null, thoughts: "none" };
  let own: unknown[] | null = null;
  let changes: Record<string, unknown> = {};
  for (let index = 0; index < given.length; index += 1) {
    const message = given[index];
    if (!isRecord(message)) continue;
    collectChanges(message, index, rules, changes);
    if (isEmpty(changes)) continue;
    (own ??= [...given])[index] = withChanges(message, changes);
    changes = {};
  }
  const filled = fillThoughts(own ?? given, rules);
  const bridged = traits.bridgesResults === true ? bridgeResults(filled) : filled;
  const alternating = traits.alternates === true ? joinNeighbours(bridged) : bridged;
  return alternating === given ? undefined : alternating;
}

interface Rules {
  readonly traits: ServerTraits;
  readonly thoughts: ThoughtField;
  readonly needs: "turn" | "calls" | null;
  readonly keepsBlocks: boolean;
  readonly keepsCallFields: boolean;
  readonly systemFirst: boolean;
  readonly writesParts: boolean;
}

const knownRules = new WeakMap<ServerTraits, Map<string, Rules>>();
/** Max models per server whose rules are cached; more only occur with invented names. */
const MOST_KNOWN = 200;

function findRules(traits: ServerTraits, model: string): Rules {
  const known = knownRules.get(traits) ?? new Map<string, Rules>();
  const found = known.get(model);
  if (found !== undefined) return found;
  const isGateway =
    traits.thoughts === undefined || traits.thoughts === "reasoning_details" || traits.thoughts === "any";
  const { thoughtsOf: [pattern, field] = [] } = traits;
  const rules: Rules = {
    traits,
    thoughts: (pattern?.test(formatBareName(model)) === true ? field : traits.thoughts) ?? "any",
    needs: traits.needsThoughts?.find(([pattern]) => pattern.test(formatBareName(model)))?.[1] ?? null,
    keepsBlocks: isGateway && TAKES_BLOCKS.test(model),
    keepsCallFields: traits.takesSignatures === true || (isGateway && TAKES_SIGNATURES.test(model)),
    writesParts: traits.thoughtParts?.test(formatBareName(model)) === true,
    systemFirst: traits.systemFirst === true || SYSTEM_FIRST.test(formatBareName(model)),
  };
  if (known.size < MOST_KNOWN) knownRules.set(traits, known.set(model, rules));
  return rules;
}

function collectChanges(message: Fields, index: number, rules: Rules, changes: Record<string, unknown>): void {
  const { traits } = rules;
  for (const field of traits.refusedInMessages ?? NONE) if (field in message) changes[field] = undefined;
  const { role } = message;
  if (role === "developer" && traits.takesDeveloper !== true) changes["role"] = "system";
  if (index > 0 && rules.systemFirst && (role === "system" || role === "developer"))
    Object.assign(changes, { role: "user", content: createReminder(message["content"]) });
  if (role === "assistant") changeThoughts(message, rules, changes);
  changeCalls(message, rules, changes);
  if (traits.wantsTexts === true) {
    const text = joinText(changes["content"] ?? message["content"]);
    if (text !== null) changes["content"] = text;
  }
  if (traits.wantsContent === true && role === "assistant" && hasCalls(message) && message["content"] == null)
    changes["content"] = "";
}

const NONE: readonly string[] = [];

/** Wraps a mid-conversation system message in the form that models know from Claude Code. */
function createReminder(content: unknown): unknown {
  if (typeof content !== "string" || content.startsWith("<system-reminder>")) return content;
  return `<system-reminder>\n${content}\n</system-reminder>`;
}

function changeThoughts(message: Fields, rules: Rules, changes: Record<string, unknown>): void {
  if (THINKING_BLOCKS in message && !rules.keepsBlocks) changes[THINKING_BLOCKS] = undefined;
  if (rules.traits.thoughtParts === undefined && hasThoughtParts(message))
    changes["content"] = dropThoughtParts(message);
  const field = rules.thoughts;
  if (field === "any") return;
  for (const each of THOUGHTS) {
    const isRetained = each === field || (field === "reasoning_details" && each === "reasoning");
    if (each in message && !isRetained) changes[each] = undefined;
  }
  const text = message["reasoning_content"] ?? message["reasoning"];
  if (typeof text !== "string" || text === "") return;
  if (rules.writesParts && !hasThoughtParts(message)) changes["content"] = withThoughtPart(text, message["content"]);
  const textField = field === "reasoning_details" ? "reasoning" : field;
  if (textField !== "none" && message[textField] === undefined) changes[textField] = text;
}

/** Mistral's reasoning is part of the content (docs/providers/mistral.md#chat), where no other server accepts it. */
const isThoughtPart = (part: unknown): boolean => isRecord(part) && part["type"] === "thinking";

function hasThoughtParts({ content }: Fields): boolean {
  return Array.isArray(content) && content.some(isThoughtPart);
}

function withThoughtPart(text: string, content: unknown): readonly unknown[] {
  const parts = typeof content === "string" && content !== "" ? [{ type: "text", text: content }] : content;
  return [{ type: "thinking", thinking: [{ type: "text", text }], closed: true }, ...asList(parts)];
}

function dropThoughtParts({ content }: Fields): unknown {
  const parts = Array.isArray(content) ? content.filter((part) => !isThoughtPart(part)) : [];
  return parts.length === 0 ? null : parts;
}

function changeCalls(message: Fields, { traits, keepsCallFields }: Rules, changes: Record<string, unknown>): void {
  const { tool_call_id: answered, tool_calls: calls } = message;
  const { callIds } = traits;
  if (callIds !== undefined && typeof answered === "string" && !callIds.is.test(answered))
    changes["tool_call_id"] = callIds.make(answered);
  if (!Array.isArray(calls)) return;
  const isForeign = (id: unknown): id is string => typeof id === "string" && callIds?.is.test(id) === false;
  const isOther = (call: unknown): call is Fields =>
    isRecord(call) && (isForeign(call["id"]) || (!keepsCallFields && BESIDE_CALLS in call));
  if (!calls.some(isOther)) return;
  changes["tool_calls"] = calls.map((call: unknown) => {
    if (!isOther(call)) return call;
    const { id } = call;
    const { [BESIDE_CALLS]: callFields, ...plain } = call;
    return {
      ...plain,
      ...(keepsCallFields && callFields !== undefined ? { [BESIDE_CALLS]: callFields } : {}),
      ...(isForeign(id) && callIds !== undefined ? { id: callIds.make(id) } : {}),
    };
  });
}

const hasCalls = (message: unknown): boolean =>
  isRecord(message) && Array.isArray(message["tool_calls"]) && message["tool_calls"].length > 0;

/** Adds reasoning to turns that the server refuses without it, because another model wrote them. */
function fillThoughts(messages: readonly unknown[], { needs, thoughts }: Rules): readonly unknown[] {
  if (needs === null) return messages;
  const field = thoughts === "reasoning" ? "reasoning" : "reasoning_content";
  let filled: unknown[] | null = null;
  let begin = 0;
  const fill = (end: number): void => {
    let isCalling = false;
    for (let at = begin; at < end && !isCalling; at += 1) isCalling = hasCalls(messages[at]);
    if (!isCalling) return;
    for (let at = begin; at < end; at += 1) {
      const message = messages[at];
      if (!isRecord(message) || message["role"] !== "assistant" || (needs === "calls" && !hasCalls(message))) continue;
      if (typeof message[field] === "string" && message[field] !== "") continue;
      (filled ??= [...messages])[at] = { ...message, [field]: NO_THOUGHT };
    }
  };
  messages.forEach((message, index) => {
    if (!isRecord(message) || message["role"] !== "user") return;
    fill(index);
    begin = index;
  });
  fill(messages.length);
  return filled ?? messages;
}

/** Joins a list of text-only parts; null for all other content. */
function joinText(content: unknown): string | null {
  if (!Array.isArray(content) || content.length === 0) return null;
  const texts = content.map((part: unknown) => (isRecord(part) && part["type"] === "text" ? part["text"] : null));
  return texts.every((text) => typeof text === "string") ? texts.join("\n\n") : null;
}

function joinNeighbours(messages: readonly unknown[]): readonly unknown[] {
  const joined: unknown[] = [];
  for (const message of messages) {
    const before = joined.at(-1);
    const isSame = isRecord(message) && isRecord(before) && message["role"] === before["role"];
    if (isSame && (message["role"] === "user" || message["role"] === "assistant"))
      joined[joined.length - 1] = {
        ...before,
        ...message,
        content: joinContent(before["content"], message["content"]),
      };
    else joined.push(message);
  }
  return joined.length === messages.length ? messages : joined;
}

function joinContent(one: unknown, other: unknown): unknown {
  const partsOf = (content: unknown): readonly unknown[] =>
    Array.isArray(content) ? content : typeof content === "string" ? [{ type: "text", text: content }] : [];
  const parts = [...partsOf(one), ...partsOf(other)];
  return joinText(parts) ?? parts;
}

/** A minimal turn of the model, because an empty one is refused. */
const BRIDGE = { role: "assistant", content: "OK." } as const;

function bridgeResults(messages: readonly unknown[]): readonly unknown[] {
  const roleAt = (index: number): unknown => {
    const message = messages[index];
    return isRecord(message) ? message["role"] : undefined;
  };
  const needsBridge = (index: number): boolean => roleAt(index) === "user" && roleAt(index - 1) === "tool";
  if (!messages.some((_, index) => needsBridge(index))) return messages;
  return messages.flatMap((message, index) => (needsBridge(index) ? [BRIDGE, message] : [message]));
}

function isEmpty(changes: Fields): boolean {
  for (const _ in changes) return false;
  return true;
}

function withChanges(message: Fields, changes: Fields): Fields {
  const all = { ...message, ...changes };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}
