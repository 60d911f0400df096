import { claudeCodeRouterImporter } from "../../../../gateway/core/imports/claude-code-router/claude-code-router.ts";
import type { Imported } from "../../../../gateway/core/imports/importer.ts";
import { readAll } from "./read-database.ts";
import { textFile } from "./text-file.ts";

export const OLD = "/home/ada/.claude-code-router/config.json";
export const NEW = "/home/ada/.claude-code-router/config.sqlite";

export const KEY = "sk-deepseek-0123456789abcdef";

/** As people write it. */
export const VERSION_2 = `{
  // my set-up
  "LOG": true, APIKEY: 'my-secret-router-key-123456', "HOST": "127.0.0.1", "PORT": 3456, "API_TIMEOUT_MS": 600000,
  "Providers": [
    { "name": "deepseek", "api_base_url": "https://api.deepseek.com/chat/completions", "api_key": "$DEEPSEEK_API_KEY",
      "models": ["deepseek-v4-flash", "deepseek-v4-pro"],
      "transformer": { "use": ["deepseek"], "deepseek-v4-flash": { "use": ["tooluse"] } } },
    { "name": "openrouter", "api_base_url": "https://openrouter.ai/api/v1/chat/completions", "api_key": "sk-or-v1-1111111111111111",
      "models": ["google/gemini-2.5-pro-preview", "anthropic/claude-sonnet-4"], "transformer": { "use": ["openrouter"] } },
    { "name": "ollama", "api_base_url": "http://localhost:11434/v1/chat/completions", "api_key": "ollama", "models": ["qwen2.5-coder:latest"] },
  ],
  "Router": {
    "default": "deepseek,deepseek-v4-flash", "background": "ollama,qwen2.5-coder:latest", "think": "deepseek,deepseek-v4-pro",
    "longContext": "openrouter,google/gemini-2.5-pro-preview", "longContextThreshold": 80000,
    "webSearch": "openrouter,anthropic/claude-sonnet-4", "image": "openrouter,google/gemini-2.5-pro-preview",
  },
  "fallback": { "default": ["openrouter,anthropic/claude-sonnet-4", "nobody,none"], "think": ["openrouter,anthropic/claude-sonnet-4"] },
}`;

export const ENV = { DEEPSEEK_API_KEY: KEY };
/** What is made of an old file. */
export const old = (text: string, env: Readonly<Record<string, string>> = ENV): Imported | null =>
  readAll(claudeCodeRouterImporter, [textFile(OLD, text)], { env });
