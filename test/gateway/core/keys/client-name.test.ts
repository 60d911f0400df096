import { describe, expect, it } from "vitest";
import { APPS, getAppName } from "../../../../gateway/contract/apps.ts";
import { clientName, identifyClient, matchesApp } from "../../../../gateway/core/keys/client-name.ts";

it.each([
  ["OpenAI/JS 7.55.0", "OpenAI/JS"],
  ["claude-cli/2.1.329 (external)", "claude-cli"],
  [" curl/v8.0+x ", "curl"],
  ["node", "node"],
  ["GeminiCLI-tui/0.61.0/gpt-5.2 (linux; x64; terminal) google-genai-sdk/1.52.0 gl-node/v22", "GeminiCLI-tui"],
  ['my"<editor>;/2', "myeditor"],
  ["", "unknown"],
  ["/1.0", "unknown"],
  ["x".repeat(61), "x".repeat(60)],
  [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) CherryStudio/1.5.11 Chrome/138.0.7204.243 Electron/37.4.0 Safari/537.36",
    "CherryStudio",
  ],
  ["Mozilla/5.0 (compatible; NextChat/2.16; +https://nextchat.dev)", "NextChat"],
  ["Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0", "Mozilla"],
  ["Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15", "Mozilla"],
  ["Mozilla/5.0 (((((", "Mozilla"],
])("%j calls itself %s", (userAgent, name) => {
  expect(clientName(userAgent)).toBe(name);
});

describe("the app", () => {
  const nameOf = (headers: Readonly<Record<string, string>>, body: unknown = {}): string =>
    identifyClient(headers, body);
  const agent = (userAgent: string) => ({ "user-agent": userAgent });
  const system = (content: unknown) => ({
    messages: [
      { role: "system", content },
      { role: "user", content: "Hi" },
    ],
  });
  const COPILOT = "You are the GitHub Copilot CLI, a terminal assistant built by GitHub.";
  const QWEN = "You are Qwen Code, an interactive CLI agent developed by Alibaba Group.";
  const BILLING = { type: "text", text: "x-anthropic-billing-header: cc_version=2.1.329" };

  it("is what its title says, whatever its User-Agent is", () => {
    expect(nameOf({ ...agent("Kilo-Code/7.7.7"), "x-title": "Kilo Code" })).toBe("Kilo Code");
    expect(nameOf({ ...agent("OpenAI/JS 7.59.0"), "x-openrouter-title": " My  App " })).toBe("My App");
    expect(nameOf({ ...agent("curl/8"), "x-title": " " })).toBe("curl");
    expect(nameOf({ "x-title": "x".repeat(99) })).toHaveLength(60);
    expect(nameOf({ ...agent("curl/8"), "x-title": "a\u0007<b>\u202e" })).toBe("ab");
  });

  it("is that of its site where the User-Agent is an SDK's", () => {
    const site = (referer: string) => ({ ...agent("OpenAI/JS 7.59.0"), "http-referer": referer });
    expect(nameOf(site("https://cline.bot"))).toBe("Cline");
    expect(nameOf(site("https://www.librechat.ai/chat"))).toBe("LibreChat");
    expect(nameOf(site("https://example.com"))).toBe("OpenAI/JS");
    expect(nameOf(site("no address"))).toBe("OpenAI/JS");
    expect(nameOf({ ...site("https://cline.bot"), ...agent("my-tool/1.0") })).toBe("my-tool");
  });

  it.each([
    ["OpenAI/JS 7.59.0", system(COPILOT), "Copilot CLI"],
    ["OpenAI/JS 7.59.0", { instructions: COPILOT, input: "Hi" }, "Copilot CLI"],
    [
      "OpenAI/JS 7.59.0",
      { input: [{ role: "developer", content: [{ type: "input_text", text: COPILOT }] }] },
      "Copilot CLI",
    ],
    ["Anthropic/JS 1.14.0", { system: [{ type: "text", text: COPILOT }], messages: [] }, "Copilot CLI"],
    ["ai-sdk/openai-compatible/3.0.92", system("You are Cline, an AI coding agent."), "Cline"],
    ["undici", system("\nYou are a personal assistant running inside OpenClaw.\n## Tooling"), "OpenClaw"],
    ["claude-cli/0.24.4 (external, cli)", { system: [BILLING, { type: "text", text: QWEN }] }, "Qwen Code"],
    [
      "claude-cli/2.1.332 (external, cli)",
      { system: [BILLING, { type: "text", text: "You are Claude Code." }] },
      "claude-cli",
    ],
    ["OpenAI/Python 3.57.0", system("You are Bob, a pirate."), "OpenAI/Python"],
    ["OpenAI/JS 7.59.0", { messages: [{ role: "user", content: COPILOT }] }, "OpenAI/JS"],
    ["my-tool/1.0", system(COPILOT), "my-tool"],
    ["OpenAI/JS 7.59.0", null, "OpenAI/JS"],
    ["OpenAI/JS 7.59.0", { messages: [null, 7], system: [null, 7] }, "OpenAI/JS"],
  ])("of %s with %j is %s", (userAgent, body, name) => {
    expect(nameOf(agent(userAgent), body)).toBe(name);
  });
});

describe("a name that a person wrote", () => {
  it.each([
    ["Claude Code", "claude-cli", true],
    ["claude code", "Claude Code", true],
    ["claude-cli", "Claude Code", true],
    ["claude-code", "claude-cli", true],
    ["claude-*", "claude-cli", true],
    ["claude-*", "Claude Code", true],
    ["Claude*", "claude-cli", true],
    ["Codex", "codex_exec", true],
    ["codex_cli_rs", "codex_vscode", true],
    ["Kilo Code", "Kilo-Code", true],
    ["OpenAI/JS", "OpenAI/Python", true],
    ["*", "my-tool", true],
    ["my-*", "My-Tool", true],
    ["Claude Code", "Claude Desktop", false],
    ["Claude Code", "my-tool", false],
    ["my-tool", "claude-cli", false],
    ["open*", "claude-cli", false],
  ])("%s means %s: %s", (pattern, client, does) => {
    expect(matchesApp(pattern, client)).toBe(does);
  });

  it("has the same result for a name in a receipt and its app's name in sums", () => {
    const clients = APPS.flatMap(({ agents = [], name }) => [name, ...agents]);
    for (const pattern of [...clients, "c*", "*-cli", "?i", "OpenAI/Py*"])
      for (const client of clients)
        expect([pattern, client, matchesApp(pattern, client)]).toEqual([
          pattern,
          client,
          matchesApp(pattern, getAppName(client)),
        ]);
  });
});
