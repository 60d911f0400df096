import { expect, it } from "vitest";
import { getClientSigns, isCodex, type ClientSigns } from "../../../../gateway/core/routes/client-headers.ts";

const NONE: ClientSigns = {
  requestClass: null,
  isSubagent: false,
  isMemory: false,
  isClaudeCode: false,
  isOpencode: false,
  isAgent: false,
};
const CLAUDE = { isClaudeCode: true, isAgent: true };
const user = (user_id: string) => ({ metadata: { user_id } });

it.each<[Record<string, string>, Record<string, unknown>, Partial<ClientSigns>]>([
  [{}, {}, {}],
  [{ "user-agent": "curl/8" }, {}, {}],
  [{ "user-agent": "my-claude-cli/1" }, {}, {}],
  [{ "user-agent": " OpenCode/1.2 " }, {}, { isOpencode: true, isAgent: true }],
  ...["claude-cli", "claude-code", "qwencode", "geminicli"].map(
    (name): [Record<string, string>, Record<string, unknown>, Partial<ClientSigns>] => [
      { "user-agent": `${name}/1` },
      {},
      { isAgent: true },
    ],
  ),
  [{ "x-app": "cli" }, {}, CLAUDE],
  [{ "x-app": "web" }, {}, {}],
  [{ "x-app": "cli", "user-agent": "opencode/1" }, {}, { ...CLAUDE, isOpencode: true }],
  [{ "x-claude-code-session-id": "s" }, {}, CLAUDE],
  [{ "x-claude-code-session-id": " " }, {}, {}],
  [{ "x-claude-code-request-class": "Main" }, {}, { ...CLAUDE, requestClass: "main" }],
  [{ "x-claude-code-request-class": "subagent" }, {}, { ...CLAUDE, requestClass: "subagent", isSubagent: true }],
  [{ "x-claude-code-request-class": "workflow" }, {}, { ...CLAUDE, requestClass: "workflow", isSubagent: true }],
  [{ "x-claude-code-agent-id": "a" }, {}, { isSubagent: true }],
  [{ "x-claude-code-parent-agent-id": "a" }, {}, { isSubagent: true }],
  [{ "x-codex-parent-thread-id": "a" }, {}, { isSubagent: true }],
  [{ "x-parent-session-id": "a" }, {}, { isSubagent: true }],
  [{ "x-openai-subagent": "review" }, {}, { isSubagent: true }],
  [{ "x-openai-subagent": "compact" }, {}, {}],
  [{ "x-openai-subagent": "false" }, {}, {}],
  [{ "x-openai-subagent": "0" }, {}, {}],
  [{ "x-openai-subagent": "memory_consolidation" }, {}, { isMemory: true }],
  [{ "x-openai-memgen-request": "true" }, {}, { isMemory: true }],
  [{ "x-openai-memgen-request": "false" }, {}, {}],
  [{}, user('{"session_id":"s","parent_session_id":"p"}'), { ...CLAUDE, isSubagent: true }],
  [{}, user("somebody"), {}],
])("%j and %j say %j", (headers, body, signs) => {
  expect(getClientSigns(headers, body)).toEqual({ ...NONE, ...signs });
});

it.each([
  [{ "user-agent": "codex_exec/0.169.0" }, true],
  [{ "user-agent": "Codex_CLI" }, true],
  [{ "x-codex-turn-metadata": "{}" }, true],
  [{ "user-agent": "my-codex" }, false],
  [{}, false],
])("whether %j is Codex: %s", (headers, expected) => {
  expect(isCodex(headers)).toBe(expected);
});
