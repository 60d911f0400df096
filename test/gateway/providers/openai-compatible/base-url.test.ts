import { expect, it } from "vitest";
import { normalizeBaseUrl } from "../../../../gateway/providers/openai-compatible/base-url.ts";

it.each([
  ["https://api.deepseek.com", "https://api.deepseek.com/v1"],
  ["https://api.deepseek.com/", "https://api.deepseek.com/v1"],
  ["https://api.openai.com/v1/", "https://api.openai.com/v1"],
  ["https://api.openai.com/v1/v1", "https://api.openai.com/v1"],
  ["https://api.openai.com/v1/chat/completions", "https://api.openai.com/v1"],
  ["https://api.openai.com/v1/models/", "https://api.openai.com/v1"],
  ["https://openrouter.ai/api/v1", "https://openrouter.ai/api/v1"],
  ["https://openrouter.ai/api", "https://openrouter.ai/api/v1"],
  ["https://ark.cn-beijing.volces.com/api/v3", "https://ark.cn-beijing.volces.com/api/v3"],
  [
    "https://generativelanguage.googleapis.com/v1beta/openai/",
    "https://generativelanguage.googleapis.com/v1beta/openai",
  ],
  ["https://dashscope.aliyuncs.com/compatible-mode/v1", "https://dashscope.aliyuncs.com/compatible-mode/v1"],
  // A path that people gave is theirs, and a whole endpoint has no version where it says none.
  ["https://gateway.example/openai", "https://gateway.example/openai"],
  ["https://models.github.ai/inference/chat/completions", "https://models.github.ai/inference/chat/completions"],
  ["https://api.githubcopilot.com/chat/completions/", "https://api.githubcopilot.com/chat/completions"],
  ["https://api.perplexity.ai/chat/completions", "https://api.perplexity.ai"],
  // Hosts of presets have their API at one place.
  ["https://api.groq.com", "https://api.groq.com/openai/v1"],
  ["https://api.z.ai/api/", "https://api.z.ai/api/paas/v4"],
  ["https://api.groq.com.evil.example", "https://api.groq.com.evil.example/v1"],
  [
    "https://mine.openai.azure.com/openai/deployments/gpt-4o/chat/completions",
    "https://mine.openai.azure.com/openai/v1",
  ],
  ["https://mine.openai.azure.com", "https://mine.openai.azure.com/openai/v1"],
  ["http://localhost:11434", "http://localhost:11434/v1"],
  ["http://[::1]:8080//v1//", "http://[::1]:8080/v1"],
])("%s becomes %s, and stays so", (given, url) => {
  expect(normalizeBaseUrl(new URL(given))).toBe(url);
  expect(normalizeBaseUrl(new URL(url))).toBe(url);
});
