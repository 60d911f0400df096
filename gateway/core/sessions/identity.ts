import { isRecord } from "../../lib/records.ts";
import { redact } from "../../lib/redact.ts";
import { findFolder, folderName } from "./working-folder.ts";

/** Session, project and agent of a request, as far as its client sends them. */
export interface Identity {
  /** Shared by all requests of one conversation, including those of sub-agents. */
  readonly session: string | null;
  /** The name of the folder that the client works in. */
  readonly project: string | null;
  /** Agent of the session that sent the request; null for the agent that a person talks to. */
  readonly agent: string | null;
}

/** Identity of requests without any, which are nearly all requests of programs other than agents. */
export const NOBODY: Identity = { session: null, project: null, agent: null };

/** All headers of a request, in lower case. */
export type ClientHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;
type Fields = Readonly<Record<string, unknown>>;

/**
 * Postern's own headers, which any client may set. They take precedence over the clients' own headers and are not
 * forwarded.
 */
const OWN_SESSION = "x-postern-session";
const OWN_PROJECT = "x-postern-project";
const OWN_AGENT = "x-postern-agent";
export const IDENTITY_HEADERS = [OWN_SESSION, OWN_PROJECT, OWN_AGENT] as const;

/** Session that a sub-agent of opencode belongs to, while its own is in the others. */
const PARENT_SESSION = "x-parent-session-id";
/** Headers of opencode's session (`packages/opencode/src/session/llm/request.ts`; the last goes to its own provider). */
const OPENCODE_SESSIONS = ["x-session-id", "x-session-affinity", "x-opencode-session"] as const;

/**
 * Headers that name the session, in order of precedence: Postern's own; Claude Code (docs/clients.md#claude-code), Codex
 * (`session-id` in 0.169, `session_id` before), opencode. Sub-agents of Claude Code and Codex send the session of their
 * parent there.
 */
export const SESSION_HEADERS = [
  OWN_SESSION,
  "x-claude-code-session-id",
  "session-id",
  "session_id",
  PARENT_SESSION,
  ...OPENCODE_SESSIONS,
] as const;

/**
 * Body fields with a session id: OpenRouter's (reference.langchain.com/python/langchain-openrouter, `session_id`,
 * 2026-11-24) and LiteLLM's (docs.litellm.ai/docs/proxy/ui_logs_sessions, 2026-11-24); last OpenAI's cache key, which
 * Codex sets to its session id.
 */
const SESSION_FIELDS = ["session_id", "litellm_session_id", "prompt_cache_key"] as const;

/** Max characters of a session or agent id. */
const LONGEST_ID = 256;
const LONGEST_NAME = 100;

/** Claude Code's `metadata.user_id`: a JSON text, and before 2.1.100 or so `user_…_account_…_session_…`. */
export const SESSION_IN_JSON = /"session_id"\s*:\s*"([^"]{1,256})"/;
export const SESSION_BEHIND = /_session_([\w-]{1,256})$/;

/** Sent by Claude Code 2.1.139 and later. */
const CLAUDE_AGENT = "x-claude-code-agent-id";
/** JSON with `agent_name` (a path of names that begins with `root`, the first agent) and `workspaces` by path: Codex 0.169. */
export const CODEX_TURN = "x-codex-turn-metadata";
const CODEX_THREAD = "thread-id";
export const CODEX_SUBAGENT = "x-openai-subagent";
/** Values sent by the main agent itself, which identify no sub-agent. */
const NO_AGENT: ReadonlySet<string> = new Set(["compact", "false", "0"]);
const CODEX_AGENT_NAME = /"agent_name":"\/root\/([^"\\]{1,256})"/;
const CODEX_WORKSPACE = /"workspaces":\{"((?:[^"\\]|\\.){1,4096})"/;

/** @param body parsed, of any kind; what is no conversation has no project but that of the header */
export function getIdentity(headers: ClientHeaders, body: unknown): Identity {
  const fields = isRecord(body) ? body : null;
  const session = getSession(headers, fields);
  const project = getProject(headers, fields);
  const agent = getAgent(headers, session);
  return session === null && project === null && agent === null ? NOBODY : { session, project, agent };
}

/** Returns the identity fields that the client sent, for receipts and call records. */
export function selectSentFields({ session, project, agent }: Identity): SentIdentity {
  return {
    ...(session === null ? {} : { session }),
    ...(project === null ? {} : { project }),
    ...(agent === null ? {} : { agent }),
  };
}

/** An identity as receipts have it. */
export interface SentIdentity {
  readonly session?: string | undefined;
  readonly project?: string | undefined;
  readonly agent?: string | undefined;
}

/** The identity of a receipt or of another record. */
export function identityFrom({ session, project, agent }: SentIdentity): Identity {
  if (session === undefined && project === undefined && agent === undefined) return NOBODY;
  return { session: session ?? null, project: project ?? null, agent: agent ?? null };
}

function getSession(headers: ClientHeaders, body: Fields | null): string | null {
  for (let index = 0; index < SESSION_HEADERS.length; index += 1) {
    const session = findId(headers[SESSION_HEADERS[index] as string]);
    if (session !== null) return session;
  }
  if (body === null) return null;
  const user = getUser(body);
  const match = user === null ? null : (SESSION_IN_JSON.exec(user) ?? SESSION_BEHIND.exec(user));
  if (match !== null) return findId(match[1]);
  for (let index = 0; index < SESSION_FIELDS.length; index += 1) {
    const session = findId(body[SESSION_FIELDS[index] as string]);
    if (session !== null) return session;
  }
  return null;
}

function getProject(headers: ClientHeaders, body: Fields | null): string | null {
  const own = headers[OWN_PROJECT];
  if (typeof own === "string") {
    const name = findName(redact(decodeHeader(own)));
    if (name !== null) return name;
  }
  const metadata = headers[CODEX_TURN];
  const path = typeof metadata === "string" ? findText(CODEX_WORKSPACE.exec(metadata)?.[1]) : null;
  const folder = path === null ? null : folderName(path);
  const project = folder ?? (body === null ? null : findFolder(body));
  return project === null ? null : findName(project);
}

function getAgent(headers: ClientHeaders, session: string | null): string | null {
  const own = headers[OWN_AGENT];
  if (typeof own === "string") {
    const name = findName(redact(decodeHeader(own)));
    if (name !== null) return name;
  }
  const claude = findId(headers[CLAUDE_AGENT]);
  if (claude !== null) return claude;
  if (headers[CODEX_TURN] !== undefined || headers[CODEX_SUBAGENT] !== undefined) return codexAgent(headers, session);
  if (headers[PARENT_SESSION] === undefined) return null;
  for (const name of OPENCODE_SESSIONS) {
    const id = findId(headers[name]);
    if (id !== null) return id === session ? null : id;
  }
  return null;
}

/** Returns the agent's name, or its purpose (`review`), or its thread if that is not the session's. */
function codexAgent(headers: ClientHeaders, session: string | null): string | null {
  const metadata = headers[CODEX_TURN];
  const name = typeof metadata === "string" ? findName(CODEX_AGENT_NAME.exec(metadata)?.[1] ?? "") : null;
  if (name !== null) return name;
  const subagent = findId(headers[CODEX_SUBAGENT]);
  const kind = subagent === null || NO_AGENT.has(subagent) ? null : subagent;
  const thread = findId(headers[CODEX_THREAD]);
  const isOther = thread !== null && session !== null && thread !== session;
  // A spawned agent has its own thread, which distinguishes several.
  if (isOther && (kind === null || kind === "collab_spawn")) return thread;
  return kind;
}

/** `metadata.user_id`. */
export function getUser(body: Fields): string | null {
  const metadata = body["metadata"];
  const user = isRecord(metadata) ? metadata["user_id"] : null;
  return typeof user === "string" ? user : null;
}

/** Returns an id with keys redacted; null if it is not a string, or empty, too long or unprintable. */
function findId(value: unknown): string | null {
  if (typeof value !== "string" || value.length > LONGEST_ID) return null;
  const id = value.trim();
  return id === "" || UNPRINTABLE.test(id) ? null : redact(id);
}

/** Shortened, without what cannot be printed. */
function findName(text: string): string | null {
  const name = (UNPRINTABLE.test(text) ? text.replace(ALL_UNPRINTABLE, "") : text).trim();
  return name === "" ? null : name.length > LONGEST_NAME ? name.slice(0, LONGEST_NAME).toWellFormed() : name;
}

/** Control characters, and those that reverse or hide adjacent text. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
const ALL_UNPRINTABLE = new RegExp(UNPRINTABLE, "gu");

const NOT_ASCII = /[^ -~]/;

/** Headers have one character per byte, although clients send UTF-8. */
function decodeHeader(header: string): string {
  if (header.length > LONGEST_ID * 4) return "";
  if (!NOT_ASCII.test(header)) return header;
  const text = Buffer.from(header, "latin1").toString("utf8");
  return text.includes("�") ? header : text;
}

/** Unescapes the text between the quotes of a JSON string. */
function findText(written: string | undefined): string | null {
  if (written === undefined || !written.includes("\\")) return written ?? null;
  try {
    return JSON.parse(`"${written}"`) as string;
  } catch {
    return null;
  }
}
