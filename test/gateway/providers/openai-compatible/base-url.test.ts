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
  ["http://localhost:11434", "http://localhost:11434/v1"],
  ["http://[::1]:8080//v1//", "http://[::1]:8080/v1"],
])("%s becomes %s, and stays so", (given, url) => {
  expect(normalizeBaseUrl(new URL(given))).toBe(url);
  expect(normalizeBaseUrl(new URL(url))).toBe(url);
});
