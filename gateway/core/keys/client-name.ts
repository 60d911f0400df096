import { APPS, findApp } from "../../contract/apps.ts";
import { BoundedMap } from "../../lib/bounded-map.ts";
import { isRecord } from "../../lib/records.ts";
import { matchesGlob } from "../glob.ts";

const LONGEST_NAME = 60;

/** Products of User-Agents of browsers and Electron; another one in their company is the app's own. */
const BROWSER_PARTS = new Set(
  "Mozilla AppleWebKit Chrome HeadlessChrome Chromium Safari Gecko Firefox Version Mobile Edg OPR Electron".split(" "),
);

/**
 * Reads a client's name: the first product of its User-Agent without the version (`OpenAI/JS 7.55.0` → `OpenAI/JS`,
 * `claude-cli/2.1.329 (external)` → `claude-cli`), of a browser the one product that no browser has
 * (`Mozilla/5.0 (…) CherryStudio/1.7.3 Chrome/138` → `CherryStudio`), so that cost can be grouped by client.
 * @returns `unknown` for an empty User-Agent
 */
export function clientName(userAgent: string): string {
  const [product = ""] = userAgent.trim().split(/\s/, 1);
  const name = toName(product);
  if (name === "") return "unknown";
  return name === "Mozilla" ? (findOwnProduct(userAgent.slice(0, LONGEST_READ)) ?? name) : name;
}

/** Characters of a browser's User-Agent that are read. */
const LONGEST_READ = 1_000;

function toName(product: string): string {
  return (
    product
      // Gemini CLI has the model after its version: `GeminiCLI/0.61.0/gpt-5.2`.
      .replace(/\/v?\d[\w.+-]*(?:\/.*)?$/, "")
      .replace(/[^\w./@ -]/g, "")
      .slice(0, LONGEST_NAME)
  );
}

function findOwnProduct(userAgent: string): string | undefined {
  // `Mozilla/5.0 (compatible; NextChat/2.16)` has its product in the parenthesis.
  const compatible = /\(compatible;\s*([^;)\s]+)/.exec(userAgent)?.[1];
  const outside = userAgent.split(")").map((part) => part.split("(", 1)[0]);
  const products = outside.join(" ").split(/\s+/);
  return [...(compatible === undefined ? [] : [compatible]), ...products]
    .map(toName)
    .find((name) => /^[A-Za-z]/.test(name) && !BROWSER_PARTS.has(name));
}

/** Headers in which an app names itself (openrouter.ai/docs/app-attribution, vercel.com/docs/ai-gateway/app-attribution, 2026-11-28). */
const TITLES = ["x-title", "x-openrouter-title"] as const;
/** The header of the same sources for the address of an app's site. */
const SITE = "http-referer";

/** Names of SDKs and runtimes, which do not identify the app; Qwen Code sends Claude Code's name over Messages. */
const SHARED_NAME =
  /^(?:(?:Async)?(?:OpenAI|Anthropic)\/|ai-sdk\/|ai\/|undici\b|node\b|axios\/|Go-http-client\/|Mozilla\/|google-genai-sdk\/|python-|ollama-(?:js|python)\/|aiohttp\/|claude-cli\/)/;

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

const names = new BoundedMap<string, string>(500);
/** Longest User-Agent that is remembered: real ones are shorter. */
const LONGEST_REMEMBERED = 200;

/** Reads a client's name from its User-Agent, once for each. */
function recallName(userAgent: string): string {
  let name = names.get(userAgent);
  if (name === undefined) {
    name = clientName(userAgent);
    if (userAgent.length <= LONGEST_REMEMBERED) names.set(userAgent, name);
  }
  return name;
}

/**
 * Returns the name of the app that a request is from, for receipts: its title header; for the User-Agent of an SDK or a
 * browser, its site or its instructions; else the User-Agent. `findApp` maps it to an app.
 * @param body parsed, of any kind
 */
export function identifyClient(headers: Headers, body: unknown): string {
  for (const header of TITLES) {
    const title = readHeader(headers[header]);
    if (/\w/.test(title))
      return title
        .replace(/[^\p{L}\p{N} ./@_-]/gu, "")
        .replace(/\s+/g, " ")
        .slice(0, LONGEST_NAME);
  }
  const userAgent = readHeader(headers["user-agent"]);
  const isShared = userAgent === "" || SHARED_NAME.test(userAgent);
  const found = isShared ? (findBySite(headers) ?? (isRecord(body) ? findIntroduced(body) : null)) : null;
  return found ?? recallName(userAgent);
}

const readHeader = (value: Headers[string]): string => (typeof value === "string" ? value.trim() : "");

function findBySite(headers: Headers): string | null {
  const referer = readHeader(headers[SITE]);
  if (referer === "" || !URL.canParse(referer)) return null;
  const host = new URL(referer).hostname.replace(/^www\./, "");
  return APPS.find(({ site }) => site === host)?.name ?? null;
}

const INTRODUCED = APPS.flatMap(({ name, introduction }) =>
  introduction === undefined ? [] : [[introduction, name] as const],
);

function findIntroduced(body: Readonly<Record<string, unknown>>): string | null {
  const messages = body["messages"] ?? body["input"];
  const first: unknown = Array.isArray(messages) ? messages[0] : null;
  const isSystem = isRecord(first) && (first["role"] === "system" || first["role"] === "developer");
  const google = body["systemInstruction"];
  const ofGoogle = isRecord(google) ? google["parts"] : null;
  const content = body["system"] ?? body["instructions"] ?? ofGoogle ?? (isSystem ? first["content"] : null);
  // Claude Code's billing line comes first, and so may an app's own blocks.
  const blocks: readonly unknown[] = Array.isArray(content) ? content.slice(0, 3) : [content];
  for (const block of blocks) {
    const text = isRecord(block) ? block["text"] : block;
    if (typeof text !== "string") continue;
    const known = INTRODUCED.find(([words]) => text.slice(0, 200).trimStart().startsWith(words));
    if (known !== undefined) return known[1];
  }
  return null;
}

/**
 * Tells whether a name that a person wrote means a client's app, in any letter case.
 * @param pattern an app's name, a name in receipts, or a glob of either (`claude-*`)
 * @param client the name in a receipt or in sums of usage: both have the same result
 */
export function matchesApp(pattern: string, client: string): boolean {
  const app = findApp(client);
  const low = pattern.toLowerCase();
  if (app === undefined) return matchesGlob(low, client.toLowerCase());
  const named = findApp(pattern);
  if (named !== undefined) return named === app;
  return [app.name, app.id, ...(app.agents ?? [])].some((name) => matchesGlob(low, name.toLowerCase()));
}
