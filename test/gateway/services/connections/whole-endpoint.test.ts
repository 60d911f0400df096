import { afterEach, beforeEach, expect, it } from "vitest";
import { modelList, startProvider, type MockProvider } from "../../../support/mock-provider.ts";
import { startGateway, type TestGateway } from "../../../support/running-gateway.ts";

let provider: MockProvider;
let gateway: TestGateway;
beforeEach(async () => {
  provider = await startProvider();
  gateway = await startGateway({ env: {} });
});
afterEach(async () => {
  await gateway.close();
  await provider.close();
});

it.each(["/inference", "/inference/chat/completions"])("is asked where %s says", async (path) => {
  const { origin } = new URL(provider.baseUrl);
  const paths: string[] = [];
  provider.list = async (exchange) => {
    paths.push(exchange.seen.path);
    await modelList(["house-model"])(exchange);
  };
  const made = await gateway.ask<{ id: string; base_url: string }>("POST", "/connections", {
    provider: "openai-compatible",
    name: "House",
    base_url: origin + path,
    keys: ["house-key-0001"],
  });
  expect(made.base_url).toBe(origin + path);
  await gateway.ask("POST", `/connections/${made.id}/test`);
  await gateway.chat({ model: "house/a", messages: [{ role: "user", content: "hi" }] });
  expect(new Set([...paths, provider.last.path])).toEqual(
    new Set(["/inference/models", "/inference/chat/completions"]),
  );
});
