import { isRecord } from "../../lib/records.ts";

/**
 * Messages as a provider takes them that has no `developer` role, OpenAI's later name for `system` (DashScope answers 400;
 * that Ark, Google and xAI may do so is a guess, and all of them take `system`).
 * @param dropped fields of messages that the provider refuses. @param keepsDeveloper it has the role
 * @param keepsThoughts it is Mistral, which puts them into the content
 * @returns undefined where nothing has to change.
 */
export function plainMessages(
  messages: unknown,
  dropped: readonly string[] = [],
  keepsDeveloper = false,
  keepsThoughts = false,
): readonly unknown[] | undefined {
  if (!Array.isArray(messages)) return undefined;
  const given: readonly unknown[] = messages;
  const changed = given.map((message) => {
    if (!isRecord(message)) return message;
    return plain(keepsThoughts || !hasThoughts(message) ? message : said(message), dropped, keepsDeveloper);
  });
  return changed.some((message, index) => message !== given[index]) ? changed : undefined;
}

function plain(
  message: Readonly<Record<string, unknown>>,
  dropped: readonly string[],
  keepsDeveloper: boolean,
): Readonly<Record<string, unknown>> {
  const isDeveloper = !keepsDeveloper && message["role"] === "developer";
  if (!isDeveloper && !dropped.some((field) => field in message)) return message;
  const kept = Object.fromEntries(Object.entries(message).filter(([field]) => !dropped.includes(field)));
  return isDeveloper ? { ...kept, role: "system" } : kept;
}

/** What Mistral thought stands in the content of its turns (docs/providers/mistral.md#chat), where nobody else takes it. */
const isThought = (part: unknown): boolean => isRecord(part) && part["type"] === "thinking";

function hasThoughts({ role, content }: Readonly<Record<string, unknown>>): boolean {
  return role === "assistant" && Array.isArray(content) && content.some(isThought);
}

function said(message: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const parts = Array.isArray(message["content"]) ? message["content"].filter((part) => !isThought(part)) : [];
  return { ...message, content: parts.length === 0 ? null : parts };
}

/** Anthropic's thinking, in the form in which chat clients are given it. */
const ANTHROPICS = ["thinking_blocks"] as const;

/** Without `developer` and without what only other providers take back, as a change of a request's body. */
export function plainRoles(body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const messages = withoutForeign(body["messages"], ANTHROPICS, false);
  return messages === undefined ? {} : { messages };
}

/** The messages with `developer`. @returns undefined where nothing has to change */
export function ownMessages(body: Readonly<Record<string, unknown>>): readonly unknown[] | undefined {
  return withoutForeign(body["messages"], ANTHROPICS);
}

/** What other providers put beside a call of a tool: Gemini's thought signature. */
const BESIDE_CALLS = "extra_content";

/**
 * Messages without what only other providers take back: their thinking (`reasoning_content`, `thinking_blocks`) and what
 * stands beside their calls. A session that went to another model before has them in its earlier turns.
 * @param keepsDeveloper the provider has the role `developer` @returns undefined where nothing has to change
 */
export function withoutForeign(
  messages: unknown,
  dropped: readonly string[],
  keepsDeveloper = true,
  keepsThoughts = false,
): readonly unknown[] | undefined {
  if (!Array.isArray(messages) || !isForeign(messages, dropped, keepsDeveloper, keepsThoughts)) return undefined;
  const plain = plainMessages(messages, dropped, keepsDeveloper, keepsThoughts);
  const given: readonly unknown[] = plain ?? messages;
  if (!given.some(hasBesideCalls)) return plain;
  return given.map((message) =>
    hasBesideCalls(message) ? { ...message, tool_calls: message.tool_calls.map(withoutBeside) } : message,
  );
}

/** Nearly always there is nothing to change, so nothing is made before something was seen. */
function isForeign(
  messages: readonly unknown[],
  dropped: readonly string[],
  keepsDeveloper: boolean,
  keepsThoughts: boolean,
): boolean {
  for (let index = 0; index < messages.length; index += 1) {
    const message = messages[index];
    if (!isRecord(message)) continue;
    if (!keepsDeveloper && message["role"] === "developer") return true;
    for (const field in message) if (dropped.includes(field)) return true;
    if (message["tool_calls"] !== undefined && hasBesideCalls(message)) return true;
    if (!keepsThoughts && hasThoughts(message)) return true;
  }
  return false;
}

function hasBesideCalls(message: unknown): message is { readonly tool_calls: readonly unknown[] } {
  if (!isRecord(message) || !Array.isArray(message["tool_calls"])) return false;
  return message["tool_calls"].some((call) => isRecord(call) && BESIDE_CALLS in call);
}

function withoutBeside(call: unknown): unknown {
  if (!isRecord(call) || !(BESIDE_CALLS in call)) return call;
  return Object.fromEntries(Object.entries(call).filter(([field]) => field !== BESIDE_CALLS));
}
