import { isRecord } from "../../lib/records.ts";

/**
 * Reads a client's name: the first product of its User-Agent without the version (`OpenAI/JS 7.55.0` → `OpenAI/JS`,
 * `claude-cli/2.1.329 (external)` → `claude-cli`), so that cost can be grouped by client.
 */
export function clientName(userAgent: string): string {
  const product = userAgent.trim().split(/\s/, 1)[0] ?? "";
  const name = product
    .replace(/\/v?\d[\w.+-]*$/, "")
    .replace(/[^\w./@ -]/g, "")
    .slice(0, 60);
  return name === "" ? "unknown" : name;
}

/** Headers in which an app names itself (openrouter.ai/docs/app-attribution, vercel.com/docs/ai-gateway/app-attribution, 2026-11-28). */
const TITLES = ["x-title", "x-openrouter-title"] as const;

/** Names of SDKs and runtimes, which do not identify the app; Qwen Code sends Claude Code's name over Messages. */
const SHARED_NAME = /^(?:(?:Async)?(?:OpenAI|Anthropic)\/|ai-sdk\/|ai\/|undici\b|node\b|claude-cli\/)/;

/**
 * Apps by the first words of their instructions, read in requests and public sources of November 2026: GitHub Copilot CLI
 * 1.0.102, Cline CLI 3.0.65 (github.com/cline/cline), OpenClaw 2026.9.6 (github.com/openclaw/openclaw,
 * src/agents/system-prompt.ts), Qwen Code 0.24.4 (github.com/QwenLM/qwen-code, packages/core/src/core/prompts.ts).
 */
const INTRODUCTIONS: readonly (readonly [words: string, name: string])[] = [
  ["You are the GitHub Copilot CLI", "Copilot-CLI"],
  ["You are Cline,", "Cline"],
  ["You are a personal assistant running inside OpenClaw", "OpenClaw"],
  ["You are Qwen Code,", "QwenCode"],
];

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * The User-Agent that tells which app a request is from: its own, or one made of the title that it sends, or of its
 * instructions where the User-Agent is that of an SDK.
 * @param body parsed, of any kind
 */
export function getUserAgent(headers: Headers, body: unknown): string {
  for (const name of TITLES) {
    const title = headers[name];
    if (typeof title === "string" && /\w/.test(title)) return title.trim().replace(/\s+/g, "-");
  }
  const own = headers["user-agent"];
  const userAgent = typeof own === "string" ? own : "";
  return SHARED_NAME.test(userAgent) && isRecord(body) ? (findIntroduced(body) ?? userAgent) : userAgent;
}

function findIntroduced(body: Readonly<Record<string, unknown>>): string | null {
  const turns = body["messages"] ?? body["input"];
  const first: unknown = Array.isArray(turns) ? turns[0] : null;
  const isSystem = isRecord(first) && (first["role"] === "system" || first["role"] === "developer");
  const content = body["system"] ?? body["instructions"] ?? (isSystem ? first["content"] : null);
  // Claude Code's billing line goes before, and so may an app's own blocks.
  const blocks: readonly unknown[] = Array.isArray(content) ? content.slice(0, 3) : [content];
  for (const block of blocks) {
    const text = isRecord(block) ? block["text"] : block;
    if (typeof text !== "string") continue;
    const known = INTRODUCTIONS.find(([words]) => text.slice(0, 200).trimStart().startsWith(words));
    if (known !== undefined) return known[1];
  }
  return null;
}
