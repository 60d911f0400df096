import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  createConversationFacts,
  type ConversationRequest,
} from "../../../../gateway/core/routes/conversation-facts.ts";
import { getIdentity } from "../../../../gateway/core/sessions/identity.ts";
import type { RequestFacts } from "../../../../gateway/core/routes/request-facts.ts";

/** Requests as clients send them. */

export type Dialect = ConversationRequest["dialect"];
export type Fields = Readonly<Record<string, unknown>>;
export type Headers = Readonly<Record<string, string>>;

export function facts(dialect: Dialect, body: Fields, headers: Headers = {}): RequestFacts {
  const { session } = getIdentity(headers, body);
  return createConversationFacts({ dialect, body, headers, session, bytes: JSON.stringify(body).length });
}

export const user = (content: unknown): Fields => ({ role: "user", content });
export const hi = [user("Say hello")];
export const PNG = "iVBORw0KGgo=";
export const SESSION = "c0ffee00-1111-4222-8333-444455556666";
export const USER_ID = JSON.stringify({ device_id: "d", account_uuid: "", session_id: SESSION });

/** As Claude Code 2.1.329 sends them. */
export const billing = (more = ""): Fields => ({
  type: "text",
  text: `x-anthropic-billing-header: cc_version=2.1.329.abc; cc_entrypoint=sdk-cli;${more}`,
});
export const NAME = { type: "text", text: "You are Claude Code, Anthropic's official CLI for Claude." };
export const claudeHeaders: Headers = { "x-app": "cli", "x-claude-code-session-id": SESSION };
export const bash = { name: "Bash", description: "Runs a command", input_schema: { type: "object", properties: {} } };
export const claudeMain: Fields = {
  model: "claude-opus-5-5",
  max_tokens: 128_000,
  system: [billing(), NAME, { type: "text", text: "You help with software. Keep the conversation short, use titles." }],
  messages: [
    user([{ type: "text", text: "hi" }]),
    { role: "system", content: "note", output_config: { effort: "high" } },
  ],
  tools: [bash],
  metadata: { user_id: USER_ID },
  thinking: { type: "adaptive", display: "omitted" },
  context_management: { edits: [] },
  output_config: { effort: "high" },
  stream: true,
};
/** A call of Claude Code's without tools and without thinking, as it makes them of its small model. */
export const claudeSmall = (system: string, turn: string, more: Fields = {}): Fields => ({
  model: "claude-haiku-5-5",
  max_tokens: 32_000,
  system: [billing(), NAME, { type: "text", text: system }],
  messages: [user([{ type: "text", text: turn }])],
  tools: [],
  metadata: { user_id: USER_ID },
  stream: true,
  ...more,
});
export const titleSchema = (...names: string[]): Fields => ({
  type: "json_schema",
  schema: { type: "object", properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])) },
});

/** Codex 0.169. */
export const codex: Fields = {
  model: "gpt-5.4",
  stream: true,
  store: false,
  include: ["reasoning.encrypted_content"],
  prompt_cache_key: SESSION,
  reasoning: { summary: "auto" },
  parallel_tool_calls: false,
  tool_choice: "auto",
  tools: [
    { type: "function", name: "shell", parameters: {} },
    { type: "namespace", name: "mcp__gw", tools: [{ type: "function", name: "echo" }] },
    { type: "web_search", external_web_access: true },
  ],
  input: [
    {
      type: "message",
      role: "developer",
      content: [{ type: "input_text", text: "You are Codex. Sessions have titles." }],
    },
    { type: "message", role: "user", content: [{ type: "input_text", text: "hi" }] },
  ],
};

export const chat = (messages: unknown, more: Fields = {}): Fields => ({ model: "gpt-5.4", messages, ...more });

/** Requests that were recorded of an agent (test/fixtures/agents). */
export function recorded(agent: string): readonly { readonly headers: Headers; readonly body: Fields }[] {
  const path = join(import.meta.dirname, `../../../fixtures/agents/${agent}.json`);
  return JSON.parse(readFileSync(path, "utf8")) as { headers: Headers; body: Fields }[];
}
