import {
  CODEX_SUBAGENT,
  CODEX_TURN,
  IDENTITY_HEADERS,
  SESSION_BEHIND,
  SESSION_HEADERS,
  SESSION_IN_JSON,
  getUser,
} from "../sessions/identity.ts";
import type { ClientHeaders } from "../sessions/identity.ts";

/** Reads what clients state about a request outside its conversation: in headers, and in `metadata`. */

type Fields = Readonly<Record<string, unknown>>;

/**
 * Headers of sub-agents: Claude Code from 2.1.139 on, Codex, opencode. Their values do not matter, only their presence.
 */
const SUBAGENT_HEADERS = [
  "x-claude-code-agent-id",
  "x-claude-code-parent-agent-id",
  "x-codex-parent-thread-id",
  "x-parent-session-id",
] as const;

/**
 * Request class: `main`, `subagent`, `workflow`, `compaction` or `auxiliary`. Claude Code sends it from 2.1.273 on, through
 * a gateway only with `CLAUDE_CODE_GATEWAY_HINT_HEADERS=1`.
 */
const REQUEST_CLASS = "x-claude-code-request-class";
/** `true` on Codex's calls that write its memories. */
const CODEX_MEMORIES = "x-openai-memgen-request";
/** The parent session in Claude Code's `metadata.user_id`. */
const PARENT_IN_JSON = /"parent_session_id"\s*:\s*"[^"]/;
/** `cli` from Claude Code. */
const APP = "x-app";
const USER_AGENT = "user-agent";

/**
 * Agents whose turns always have tools, by User-Agent prefix: Claude Code, opencode, Qwen Code, Gemini CLI. Their
 * requests without tools are side calls.
 */
const AGENTS = /^(?:claude-cli|claude-code|opencode|qwencode|geminicli)\//;

/** Client headers that routes and receipts read, in lower case. They are not forwarded to providers. */
export const CLIENT_HEADERS: readonly string[] = [
  ...IDENTITY_HEADERS,
  ...SESSION_HEADERS,
  ...SUBAGENT_HEADERS,
  REQUEST_CLASS,
  CODEX_SUBAGENT,
  CODEX_TURN,
  CODEX_MEMORIES,
  APP,
  USER_AGENT,
];

/** The client's identity from headers and `metadata`. */
export interface ClientSigns {
  /** The request class stated by Claude Code; null if absent. */
  readonly requestClass: string | null;
  readonly isSubagent: boolean;
  /** Whether it is Codex's memory request. */
  readonly isMemory: boolean;
  readonly isClaudeCode: boolean;
  readonly isOpencode: boolean;
  /** An agent whose turns always have tools. */
  readonly isAgent: boolean;
}

const NO_SIGNS: ClientSigns = {
  requestClass: null,
  isSubagent: false,
  isMemory: false,
  isClaudeCode: false,
  isOpencode: false,
  isAgent: false,
};

/** Values of `x-openai-subagent` on calls that are not an agent's own. */
const NO_AGENT: ReadonlySet<string> = new Set(["compact", "memory_consolidation", "false", "0"]);

export function getClientSigns(headers: ClientHeaders, body: Fields): ClientSigns {
  const user = getUser(body);
  if (user === null && !saysMore(headers)) return NO_SIGNS;
  const requestClass = readHeader(headers, REQUEST_CLASS);
  const codex = readHeader(headers, CODEX_SUBAGENT);
  const program = readHeader(headers, USER_AGENT) ?? "";
  const isClaudeCode =
    requestClass !== null ||
    readHeader(headers, "x-claude-code-session-id") !== null ||
    readHeader(headers, APP) === "cli" ||
    (user !== null && (SESSION_IN_JSON.test(user) || SESSION_BEHIND.test(user)));
  return {
    requestClass,
    isClaudeCode,
    isOpencode: program.startsWith("opencode/"),
    isAgent: isClaudeCode || AGENTS.test(program),
    isSubagent:
      requestClass === "subagent" ||
      requestClass === "workflow" ||
      SUBAGENT_HEADERS.some((name) => readHeader(headers, name) !== null) ||
      (codex !== null && !NO_AGENT.has(codex)) ||
      (user !== null && PARENT_IN_JSON.test(user)),
    isMemory: readHeader(headers, CODEX_MEMORIES) === "true" || codex === "memory_consolidation",
  };
}

/**
 * Codex in all its forms: `codex_exec/0.169.0`, `codex_cli_rs/…`, `codex_vscode/…`. Host programs set their own name,
 * so its turn metadata identifies it too.
 */
export function isCodex(headers: ClientHeaders): boolean {
  return headers[CODEX_TURN] !== undefined || (readHeader(headers, USER_AGENT)?.startsWith("codex") ?? false);
}

/** Tells whether any client facts are present; most programs send none. */
function saysMore(headers: ClientHeaders): boolean {
  for (let index = 0; index < TELLING.length; index += 1) {
    const name = TELLING[index];
    if (name !== undefined && headers[name] !== undefined) return true;
  }
  const program = headers[USER_AGENT];
  return typeof program === "string" && AGENTS.test(program.trimStart().toLowerCase());
}

const TELLING = [
  REQUEST_CLASS,
  "x-claude-code-session-id",
  APP,
  CODEX_SUBAGENT,
  CODEX_MEMORIES,
  ...SUBAGENT_HEADERS,
] as const;

function readHeader(headers: ClientHeaders, name: string): string | null {
  const value = headers[name];
  const text = typeof value === "string" ? value.trim().toLowerCase() : "";
  return text === "" ? null : text;
}
