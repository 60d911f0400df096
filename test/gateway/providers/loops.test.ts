import { expect, it } from "vitest";
import { useGateway } from "../../support/use-gateway.ts";

const postern = useGateway();

it.each([
  ["anthropic", "claude-sonnet-5"],
  ["dashscope", "qwen-plus"],
  ["gemini", "gemini-2.5-flash"],
  ["ark", "doubao-seed-1-6"],
  ["xai", "grok-4.5"],
])("a connection to %s that leads back to Postern is answered 508", async (provider, model) => {
  await postern.ask("POST", "/connections", { provider, name: provider, base_url: postern.url, keys: ["sk-anything"] });
  const response = await postern.chat({ model, messages: [{ role: "user", content: "Hi" }] });
  expect(response.status).toBe(508);
  expect(await response.json()).toMatchObject({ error: { code: "loop_detected" } });
});
