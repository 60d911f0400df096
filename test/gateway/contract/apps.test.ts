import { expect, it } from "vitest";
import { APPS, findApp, getAppName } from "../../../gateway/contract/apps.ts";
import { clientIdSchema } from "../../../gateway/contract/clients.ts";

it.each([
  ["claude-cli", "Claude Code"],
  ["GeminiCLI-tui", "Gemini CLI"],
  ["google-genai-sdk", "Google Gen AI SDK"],
  ["codex_cli_rs", "Codex"],
  ["Kilo-Code", "Kilo Code"],
  ["RooCode", "Roo Code"],
  ["CherryStudio", "Cherry Studio"],
  ["GeminiCLI", "Gemini CLI"],
  ["ai-sdk/openai-compatible", "Vercel AI SDK"],
  ["OpenAI/Python", "OpenAI SDK"],
  ["Mozilla", "Browser"],
  ["my-tool", "my-tool"],
  ["my/ai-sdk", "my/ai-sdk"],
  ["", ""],
])("%s is shown as %s", (client, name) => {
  expect(getAppName(client)).toBe(name);
});

it("gives each app one name, and each name one app", () => {
  for (const app of APPS)
    for (const name of [app.id, app.name, ...(app.agents ?? [])]) expect([name, findApp(name)]).toEqual([name, app]);
  expect(new Set(APPS.map(({ id }) => id)).size).toBe(APPS.length);
  expect(new Set(APPS.map(({ name }) => name)).size).toBe(APPS.length);
});

it("has every app that can be connected", () => {
  for (const id of clientIdSchema.options) expect(findApp(id)?.id).toBe(id);
});
