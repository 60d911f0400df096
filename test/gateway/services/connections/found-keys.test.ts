import { afterEach, expect, it } from "vitest";
import type { ConnectionView, CreateConnection } from "../../../../gateway/contract/connection.ts";
import { FoundKeys } from "../../../../gateway/services/connections/found-keys.ts";
import { KEY, errorOf, startGateway, type TestGateway } from "../../../support/running-gateway.ts";

let postern: TestGateway | undefined;
afterEach(() => postern?.close());

const PROVIDER_KEY = "sk-ant-found-in-the-environment-0001";

async function control(method: string, path: string, body?: unknown): Promise<Response> {
  if (postern === undefined) throw new Error("not started");
  return fetch(postern.url + path, {
    method,
    headers: { authorization: `Bearer ${await postern.signIn()}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

it("offers provider keys of the environment by name, and connects none by itself", async () => {
  postern = await startGateway({
    env: {
      ANTHROPIC_API_KEY: PROVIDER_KEY,
      DEEPSEEK_API_KEY: "sk-deepseek-in-the-environment-01",
      XAI_API_KEY: "dummy",
      // People set this one to point their clients here.
      OPENAI_API_KEY: KEY,
      OPENAI_BASE_URL: "http://127.0.0.1:9/v1",
      ANTHROPIC_BASE_URL: "http://127.0.0.1:9",
    },
  });
  const response = await control("GET", "/control/found-keys");
  const text = await response.text();
  expect(JSON.parse(text)).toEqual({
    data: [
      { variable: "ANTHROPIC_API_KEY", label: "Anthropic" },
      { variable: "DEEPSEEK_API_KEY", label: "DeepSeek" },
    ],
  });
  expect(text).not.toContain(PROVIDER_KEY);
  expect(await (await control("GET", "/control/connections")).json()).toEqual({ data: [] });
});

it("makes a connection at the provider's own address of the one that the owner chooses", async () => {
  const requests: CreateConnection[] = [];
  const view = { name: "Made" } as ConnectionView;
  const found = new FoundKeys({
    env: {
      ANTHROPIC_API_KEY: PROVIDER_KEY,
      ANTHROPIC_BASE_URL: "http://127.0.0.1:9",
      GROQ_API_KEY: "gsk-found-in-the-environment-0001",
    },
    connections: {
      list: () => [],
      create: async (input) => {
        requests.push(input);
        return view;
      },
    },
    isLocalKey: () => false,
  });
  expect(await found.connect("ANTHROPIC_API_KEY")).toBe(view);
  await found.connect("GROQ_API_KEY");
  expect(requests).toEqual([
    // Without an address: the provider's own.
    { provider: "anthropic", name: "Anthropic", keys: [PROVIDER_KEY] },
    {
      provider: "openai-compatible",
      name: "Groq",
      keys: ["gsk-found-in-the-environment-0001"],
      base_url: "https://api.groq.com/openai/v1",
    },
  ]);
});

it("offers no provider that is connected", () => {
  const connected = { name: "Work", provider: "anthropic" } as ConnectionView;
  const found = new FoundKeys({
    env: { ANTHROPIC_API_KEY: PROVIDER_KEY },
    connections: { list: () => [connected], create: () => Promise.reject(new Error("not asked")) },
    isLocalKey: () => false,
  });
  expect(found.list()).toEqual([]);
  expect(() => found.connect("ANTHROPIC_API_KEY")).toThrow("its provider is connected already");
});

it("gives out no other variable", async () => {
  postern = await startGateway({ env: { AWS_SECRET_ACCESS_KEY: "a-secret-that-is-nobodys-business" } });
  const request = await control("POST", "/control/found-keys/connect", { variable: "AWS_SECRET_ACCESS_KEY" });
  expect((await errorOf(request)).code).toBe("not_found");
});
