import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Lines as Claude Code 2.1.197 and Codex 0.169.0 write them, with what tests are about. */

export interface ClaudeLine {
  readonly id?: string | null;
  readonly request?: string | null;
  readonly session?: string;
  readonly at?: string;
  readonly model?: string;
  readonly sidechain?: boolean;
  readonly cwd?: string;
  readonly usage?: Readonly<Record<string, unknown>>;
}

export const PROJECT = "/home/u/api";
export const SESSION = "5b0d6c1e-0000-4000-8000-000000000001";
export const AT = "2026-10-12T10:00:00.000Z";

export function claudeLine(line: ClaudeLine = {}): object {
  const { id = "msg_01A", request = "req_011CA", session = SESSION, at = AT, cwd = PROJECT } = line;
  return {
    parentUuid: null,
    isSidechain: line.sidechain ?? false,
    userType: "external",
    cwd,
    sessionId: session,
    version: "2.1.197",
    gitBranch: "main",
    type: "assistant",
    timestamp: at,
    ...(request === null ? {} : { requestId: request }),
    message: {
      ...(id === null ? {} : { id }),
      type: "message",
      role: "assistant",
      model: line.model ?? "claude-sonnet-4-5-20250929",
      content: [{ type: "text", text: "Done." }],
      usage: { input_tokens: 0, output_tokens: 0, service_tier: "standard", ...line.usage },
    },
  };
}

/** Input, cached, output, reasoning. */
export type CodexFigures = readonly [number, number, number, number];

const usageOf = ([input, cached, output, reasoning]: CodexFigures) => ({
  input_tokens: input,
  cached_input_tokens: cached,
  output_tokens: output,
  reasoning_output_tokens: reasoning,
  total_tokens: input + output,
});

export const codexMeta = (id: string, more: object = {}, at = AT): object => ({
  timestamp: at,
  type: "session_meta",
  payload: { id, timestamp: at, cwd: PROJECT, source: "cli", model_provider: "openai", ...more },
});

export const codexTurn = (model: string, at = AT): object => ({
  timestamp: at,
  type: "turn_context",
  payload: { cwd: PROJECT, model, effort: "high" },
});

export const codexCount = (at: string, last: CodexFigures | null, total: CodexFigures | null): object => ({
  timestamp: at,
  type: "event_msg",
  payload: {
    type: "token_count",
    info: {
      ...(total !== null && { total_token_usage: usageOf(total) }),
      ...(last !== null && { last_token_usage: usageOf(last) }),
    },
    rate_limits: null,
  },
});

export const linesOf = (lines: readonly (object | string)[]): string =>
  lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join("");

/** Writes logs below a home folder, by their paths in it. */
export async function writeLogs(home: string, logs: Readonly<Record<string, readonly (object | string)[] | string>>) {
  for (const [path, lines] of Object.entries(logs)) {
    const file = join(home, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, typeof lines === "string" ? lines : linesOf(lines));
  }
}

export const claudePath = (name: string, project = PROJECT): string =>
  `.claude/projects/${project.replaceAll(/[^a-zA-Z0-9]/g, "-")}/${name}.jsonl`;
export const codexPath = (name: string): string => `.codex/sessions/2026/10/12/${name}.jsonl`;
