import { describe, expect, it } from "vitest";
import { readHome, isLoopback, type Spoken } from "../../../../gateway/core/imports/addresses.ts";
import { knownProviders } from "../../../../gateway/services/imports/known-providers.ts";

const KNOWN = knownProviders("http://127.0.0.1:7000");
const at = (address: string, spoken: Spoken = null, own: readonly string[] = []) =>
  readHome(address, spoken, KNOWN, own);

/** What stands there, the dialect, and the provider with its base URL; undefined: the provider's own. */
const HOMES: readonly (readonly [string, Spoken, string, string | undefined])[] = [
  ["https://api.deepseek.com/chat/completions", null, "deepseek", undefined],
  ["https://api.deepseek.com", "chat", "deepseek", undefined],
  ["https://api.deepseek.com/v1/", "chat", "deepseek", undefined],
  ["https://api.deepseek.com/anthropic", "messages", "anthropic", "https://api.deepseek.com/anthropic"],
  ["https://api.deepseek.com/anthropic/v1/messages", null, "anthropic", "https://api.deepseek.com/anthropic"],
  ["https://generativelanguage.googleapis.com/v1beta/models/", null, "gemini", undefined],
  ["https://generativelanguage.googleapis.com/v1beta/openai/chat/completions", "chat", "gemini", undefined],
  ["https://api.openai.com/v1/responses", "responses", "openai", undefined],
  ["https://api.anthropic.com/v1/messages", "messages", "anthropic", undefined],
  [
    "https://dashscope.aliyuncs.com/compatible-mode/v1/chat/completions",
    "chat",
    "dashscope",
    "https://dashscope.aliyuncs.com",
  ],
  // Another product at the same host, with an address of its own.
  [
    "https://ark.cn-beijing.volces.com/api/coding/v3",
    "chat",
    "openai-compatible",
    "https://ark.cn-beijing.volces.com/api/coding/v3",
  ],
  ["https://ark.cn-beijing.volces.com/api/v3/chat/completions", "chat", "ark", undefined],
  ["https://api.moonshot.cn/anthropic", "messages", "anthropic", "https://api.moonshot.cn/anthropic"],
  ["https://relay.example", "messages", "anthropic", "https://relay.example"],
  [
    "https://models.github.ai/inference/chat/completions",
    "chat",
    "openai-compatible",
    "https://models.github.ai/inference/chat/completions",
  ],
  ["https://gateway.example/openai", "chat", "openai-compatible", "https://gateway.example/openai"],
  [
    "https://mine.openai.azure.com/openai/deployments/gpt-4o/chat/completions?api-version=2025-01-01",
    "chat",
    "openai-compatible",
    "https://mine.openai.azure.com/openai/v1",
  ],
  [
    "https://gateway.ai.cloudflare.com/v1/ACC/GW/anthropic",
    "messages",
    "anthropic",
    "https://gateway.ai.cloudflare.com/v1/ACC/GW/anthropic",
  ],
  ["https://relay.example/v1", "responses", "openai", "https://relay.example/v1"],
  ["https://relay.example", "gemini", "gemini", "https://relay.example"],
  ["relay.example/v1/chat/completions?beta=true", null, "openai-compatible", "https://relay.example/v1"],
  ["http://localhost:11434/v1/chat/completions", null, "openai-compatible", "http://localhost:11434/v1"],
  ["http://127.0.0.1:3457/v1", null, "openai-compatible", "http://127.0.0.1:3457/v1"],
];

describe("where an address of another program leads", () => {
  it.each(HOMES)("%s (%s) is %s at %s", (address, spoken, provider, baseUrl) => {
    expect(at(address, spoken)).toMatchObject({ provider, baseUrl });
  });

  it("keeps a host alone where the program appends operations to what is written", () => {
    const exact = (address: string) => readHome(address, "chat", KNOWN, [], true);
    expect(exact("https://api.githubcopilot.com")).toMatchObject({
      baseUrl: "https://api.githubcopilot.com/chat/completions",
    });
    expect(exact("https://api.groq.com")).toMatchObject({ baseUrl: "https://api.groq.com/openai/v1" });
    expect(exact("https://api.openai.com")).toMatchObject({ provider: "openai", baseUrl: undefined });
    // Servers of this machine are run by programs that have a version.
    expect(exact("http://localhost:8000")).toMatchObject({ baseUrl: "http://localhost:8000/v1" });
  });

  it("says whether it is written otherwise here", () => {
    expect(at("https://relay.example/v1", "chat")).toMatchObject({ changed: false });
    expect(at("https://relay.example/v1/", "chat")).toMatchObject({ changed: false });
    expect(at("https://relay.example", "chat")).toMatchObject({ changed: true });
    expect(at("https://relay.example/v1/chat/completions", "chat")).toMatchObject({ changed: true });
    expect(at("https://api.openai.com/v1", "chat")).toMatchObject({ changed: false });
  });

  it.each([
    ["http://127.0.0.1:3456", "own-address"],
    ["http://localhost:15721/v1", "own-address"],
    ["http://[::1]:20128/v1", "own-address"],
    ["http://0.0.0.0:8317", "own-address"],
    ["http://127.0.0.1:7000/v1", "own-address"],
    ["http://127.0.0.1:4000", "own-address"],
    ["ftp://relay.example", "unreadable"],
    ["https://", "unreadable"],
    ["", "unreadable"],
    ["https://user:secret@relay.example", "not-supported"],
  ])("%s is left: %s", (address, reason) => {
    expect(at(address, null, ["4000"])).toEqual({ reason });
  });

  it.each([
    ["longer", `https://relay.example/${"a".repeat(2_000)}`],
    ["longer once it is encoded", `https://relay.example/${"ü".repeat(500)}`],
  ])("an address that is %s than Postern takes is left", (_, address) => {
    expect(at(address, "chat")).toEqual({ reason: "not-supported" });
  });

  it("takes the same port of another machine for no peer of this one", () => {
    expect(at("http://10.0.0.5:3456/v1")).toMatchObject({ provider: "openai-compatible" });
    expect(isLoopback("127.0.0.1.example")).toBe(false);
    expect(isLoopback("models.localhost")).toBe(true);
    expect(isLoopback("[::ffff:7f00:1]")).toBe(true);
  });
});
