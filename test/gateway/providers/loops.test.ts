import { expect, it } from "vitest";
import { useGateway } from "../../support/use-gateway.ts";

const postern = useGateway();

it.each(["localhost", "[::1]"])("a connection to Postern at %s is answered 508", async (host) => {
  const base_url = `http://${host}:${postern.port}/v1`;
  const { id } = await postern.ask<{ id: string }>("POST", "/connections", {
    provider: "openai",
    name: host,
    base_url,
    keys: ["sk-any"],
  });
  const response = await postern.chat();
  await postern.ask("DELETE", `/connections/${id}`);
  expect([response.status, await response.json()]).toMatchObject([508, { error: { code: "loop_detected" } }]);
});

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
