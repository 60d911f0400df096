/** An app that sends requests, as its requests name it. */
export interface App {
  /** Id of its glyph and of its card on the Apps page. */
  readonly id: string;
  /** The name that pages, sums and files have. */
  readonly name: string;
  /** First products of its User-Agents that differ from its name by more than letter case, blanks and hyphens. */
  readonly agents?: readonly string[];
  /** Host of the site that it sends in `HTTP-Referer`. */
  readonly site?: string;
  /** Start of its instructions, used if its User-Agent is that of an SDK. */
  readonly introduction?: string;
}

/**
 * The apps that Postern knows by name. Sources, read on 2026-11-29: requests of installed programs (docs/clients.md); Kilo
 * Code and Roo Code (`src/api/providers/constants.ts` of their repositories); Cherry Studio
 * (github.com/CherryHQ/cherry-studio/issues/10209); Zed (`crates/open_router`); Hermes Agent
 * (`agent/auxiliary_client.py`); Gemini CLI 0.61; Copilot Chat, Factory Droid, Crush, Kiro and Qoder from published header lists;
 * introductions of Copilot CLI 1.0.102, Cline CLI 3.0.65, OpenClaw 2026.9.6 and Qwen Code 0.24.4.
 */
export const APPS: readonly App[] = [
  { id: "claude-code", name: "Claude Code", agents: ["claude-cli", "claude"] },
  { id: "claude-desktop", name: "Claude Desktop" },
  { id: "codex", name: "Codex", agents: ["codex_cli_rs", "codex_exec", "codex_vscode", "codex-cli", "codex-tui"] },
  { id: "vs-code", name: "VS Code" },
  { id: "cursor", name: "Cursor" },
  { id: "opencode", name: "opencode", site: "opencode.ai" },
  { id: "qwen-code", name: "Qwen Code", introduction: "You are Qwen Code," },
  { id: "zed", name: "Zed", agents: ["Zed-Editor"], site: "zed.dev" },
  { id: "continue", name: "Continue", agents: ["continue.dev"], site: "continue.dev" },
  { id: "cline", name: "Cline", site: "cline.bot", introduction: "You are Cline," },
  { id: "roo-code", name: "Roo Code", agents: ["Roo-Cline"], site: "roocode.com" },
  { id: "kilo-code", name: "Kilo Code", agents: ["kilo", "kilo-cli"], site: "kilocode.ai" },
  {
    id: "copilot-cli",
    name: "Copilot CLI",
    agents: ["copilot", "github-copilot-cli"],
    introduction: "You are the GitHub Copilot CLI",
  },
  { id: "copilot-chat", name: "Copilot Chat", agents: ["GitHubCopilotChat"] },
  { id: "openclaw", name: "OpenClaw", introduction: "You are a personal assistant running inside OpenClaw" },
  { id: "hermes", name: "Hermes Agent", agents: ["hermes"], site: "hermes-agent.nousresearch.com" },
  {
    id: "gemini-cli",
    name: "Gemini CLI",
    agents: ["GeminiCLI-tui", "GeminiCLI-cli-command", "GeminiCLI-acp", "GeminiCLI-acp-zed", "CloudCodeVSCode"],
  },
  { id: "goose", name: "Goose" },
  { id: "grok-build", name: "Grok Build" },
  { id: "junie", name: "Junie" },
  { id: "raycast", name: "Raycast" },
  { id: "crush", name: "Crush", agents: ["Charm-Crush"] },
  { id: "pi", name: "pi", agents: ["pi-coding-agent"] },
  { id: "oh-my-pi", name: "oh-my-pi", agents: ["omp"] },
  { id: "factory-droid", name: "Factory Droid", agents: ["factory-cli", "droid"] },
  { id: "kiro", name: "Kiro", agents: ["kiro-ide"] },
  { id: "qoder", name: "Qoder", agents: ["Qoder-Cli"] },
  { id: "aider", name: "aider", site: "aider.chat" },
  { id: "cherry-studio", name: "Cherry Studio", site: "cherry-ai.com" },
  { id: "open-webui", name: "Open WebUI", site: "openwebui.com" },
  { id: "librechat", name: "LibreChat", site: "librechat.ai" },
  { id: "chatbox", name: "Chatbox", agents: ["Chatbox-AI"], site: "chatboxai.app" },
  { id: "litellm", name: "LiteLLM", site: "litellm.ai" },
  { id: "langchain", name: "LangChain", agents: ["langchain-openai", "langchain-anthropic"] },
  { id: "ai-sdk", name: "Vercel AI SDK", agents: ["ai", "ai-sdk", "ai-sdk/*"] },
  { id: "openai-sdk", name: "OpenAI SDK", agents: ["OpenAI/*", "AsyncOpenAI/*", "OpenAI", "AsyncOpenAI"] },
  {
    id: "anthropic-sdk",
    name: "Anthropic SDK",
    agents: ["Anthropic/*", "AsyncAnthropic/*", "Anthropic", "AsyncAnthropic"],
  },
  { id: "google-sdk", name: "Google Gen AI SDK", agents: ["google-genai-sdk"] },
  { id: "playground", name: "Playground" },
  { id: "postern", name: "Postern", agents: ["postern-check"] },
  { id: "postern-pictures", name: "Postern image descriptions" },
  { id: "curl", name: "curl" },
  { id: "python", name: "Python", agents: ["python-requests", "python-httpx", "Python-urllib", "aiohttp"] },
  { id: "javascript", name: "JavaScript", agents: ["node", "node-fetch", "undici", "bun", "deno", "axios"] },
  { id: "go", name: "Go", agents: ["Go-http-client"] },
  { id: "browser", name: "Browser", agents: ["Mozilla"] },
];

/** `Kilo-Code`, `KiloCode` and `kilo code` are one name. */
const foldName = (name: string): string => name.toLowerCase().replace(/[\s_-]/g, "");

const byName = new Map(
  APPS.flatMap((app) => [app.id, app.name, ...(app.agents ?? [])].map((name) => [foldName(name), app] as const)),
);

/**
 * Finds the app with this name.
 * @param client the name in a receipt (`claude-cli`), an app's name or its id; for an unknown name such as
 * `ai-sdk/openai` the part before the slash is used.
 */
export function findApp(client: string): App | undefined {
  const name = foldName(client);
  const slash = name.indexOf("/");
  return byName.get(name) ?? (slash > 0 ? byName.get(`${name.slice(0, slash)}/*`) : undefined);
}

/** Returns the app's name; a name that is not known stays as it is. */
export function getAppName(client: string): string {
  return findApp(client)?.name ?? client;
}
