import { describe, expect, it } from "vitest";
import { clientName, getUserAgent } from "../../../../gateway/core/keys/client-name.ts";

it.each([
  ["OpenAI/JS 7.55.0", "OpenAI/JS"],
  ["claude-cli/2.1.329 (external)", "claude-cli"],
  [" curl/v8.0+x ", "curl"],
  ["node", "node"],
  ['my"<editor>;/2', "myeditor"],
  ["", "unknown"],
  ["/1.0", "unknown"],
  ["x".repeat(61), "x".repeat(60)],
])("%j calls itself %s", (userAgent, name) => {
  expect(clientName(userAgent)).toBe(name);
});

describe("the app", () => {
  const nameOf = (headers: Readonly<Record<string, string>>, body: unknown = {}): string =>
    clientName(getUserAgent(headers, body));
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
    expect(nameOf({ ...agent("Kilo-Code/7.7.7"), "x-title": "Kilo Code" })).toBe("Kilo-Code");
    expect(nameOf({ ...agent("OpenAI/JS 7.59.0"), "x-openrouter-title": " My  App " })).toBe("My-App");
    expect(nameOf({ ...agent("curl/8"), "x-title": " " })).toBe("curl");
    expect(nameOf({ "x-title": "x".repeat(99) })).toHaveLength(60);
  });

  it.each([
    ["OpenAI/JS 7.59.0", system(COPILOT), "Copilot-CLI"],
    ["OpenAI/JS 7.59.0", { instructions: COPILOT, input: "Hi" }, "Copilot-CLI"],
    [
      "OpenAI/JS 7.59.0",
      { input: [{ role: "developer", content: [{ type: "input_text", text: COPILOT }] }] },
      "Copilot-CLI",
    ],
    ["Anthropic/JS 1.14.0", { system: [{ type: "text", text: COPILOT }], messages: [] }, "Copilot-CLI"],
    ["ai-sdk/openai-compatible/3.0.92", system("You are Cline, an AI coding agent."), "Cline"],
    ["undici", system("\nYou are a personal assistant running inside OpenClaw.\n## Tooling"), "OpenClaw"],
    ["claude-cli/0.24.4 (external, cli)", { system: [BILLING, { type: "text", text: QWEN }] }, "QwenCode"],
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
