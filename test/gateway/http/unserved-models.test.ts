import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { modelList } from "../../support/mock-provider.ts";
import { CHAT, KEY, errorOf } from "../../support/running-gateway.ts";
import { useGateway, useProvider } from "../../support/use-gateway.ts";

const provider = useProvider();
beforeAll(() => {
  provider.list = modelList(["gpt-5.4-nano", "gpt-5.4-mini", "gpt-5-nano", "gpt-4.1"]);
});
const postern = useGateway(() => ({ provider, env: { POSTERN_COMPATIBLE_BASE_URL: "http://127.0.0.1:1" } }));
beforeEach(() => provider.reset());

it("a model that does not exist is 404, whatever its name", async () => {
  for (const model of [
    "none",
    "none/none",
    "/",
    "OpenAI/",
    "x".repeat(100_000),
    "\u0000",
    "../../etc/passwd",
    "gpt-4.1\n",
  ]) {
    const response = await postern.chat({ ...CHAT, model });
    expect(response.status).toBe(404);
    const error = await errorOf(response);
    expect(error).toMatchObject({ code: "model_not_found", param: "model", type: "invalid_request_error" });
    expect(error.message.length).toBeLessThan(500);
  }
  expect(provider.chats).toHaveLength(0);
});

it("a provider that is down is 503 with its address, and costs nothing", async () => {
  const response = await postern.chat({ ...CHAT, model: "compatible/some-model" }, KEY);
  expect(response.status).toBe(503);
  expect(response.headers.get("retry-after")).toBe("5");
  const error = await errorOf(response);
  expect(error).toMatchObject({ type: "upstream_error", code: "no_upstream" });
  expect(error.message).toContain("http://127.0.0.1:1");
  expect(await postern.receipt()).toMatchObject({ outcome: "failed", status: 503, nano: 0 });
});

describe("a name that is nearly one of a model's", () => {
  const QUESTION = 'Did you mean "gpt-5.4-nano"?';
  const typed = "gpt-5.5-nano";

  it.each([
    ["/v1/chat/completions", { ...CHAT, model: typed }],
    ["/v1/responses", { input: "hi", model: typed }],
    ["/v1/messages", { ...CHAT, max_tokens: 9, model: typed }],
    ["/v1/messages/count_tokens", { ...CHAT, model: typed }],
    ["/v1/embeddings", { input: "hi", model: typed }],
    ["/v1/images/generations", { prompt: "hi", model: typed }],
    ["/v1/videos", { prompt: "hi", model: typed }],
    [`/v1/models/${typed}`, null],
  ])("is answered at %s with that model", async (path, body) => {
    const response = await fetch(postern.url + path, {
      method: body === null ? "GET" : "POST",
      headers: { authorization: `Bearer ${KEY}`, "content-type": "application/json" },
      ...(body !== null && { body: JSON.stringify(body) }),
    });
    expect(await response.text()).toContain(JSON.stringify(QUESTION).slice(1, -1));
  });

  it("is not answered with a model that the key may not use", async () => {
    const { secret } = await postern.ask<{ secret: string }>("POST", "/keys", {
      name: "small",
      models: ["gpt-5.4-mini", "gpt-5-nano"],
    });
    for (const [model, near] of [
      [typed, 'Did you mean "gpt-5-nano"?'],
      ["gpt-4.2", null],
    ] as const) {
      const { message } = await errorOf(await postern.chat({ ...CHAT, model }, secret));
      if (near === null) expect(message).not.toContain("Did you mean");
      else expect(message).toContain(near);
    }
  });

  it("is answered with a route", async () => {
    await postern.ask("POST", "/routes", { name: "my-fast-way", models: ["gpt-5.4-nano"] });
    const { message } = await errorOf(await postern.chat({ ...CHAT, model: "my-fats-way" }));
    expect(message).toContain('Did you mean "my-fast-way"?');
  });
});
