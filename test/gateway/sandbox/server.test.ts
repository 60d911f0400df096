import { request as rawRequest } from "node:http";
import { connect } from "node:net";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { systemClock } from "../../../gateway/lib/clock.ts";
import { startSandbox } from "../../../gateway/sandbox/server.ts";
import { requests, testModels, useSandbox } from "./running-sandbox.ts";

describe("the sandbox's door", () => {
  const running = useSandbox();

  it("listens on the loopback address only and makes a new key at each start", async () => {
    const other = await startSandbox({ models: () => testModels, clock: systemClock });
    try {
      expect(running.sandbox.origin).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
      expect(other.key).not.toBe(running.sandbox.key);
      expect(other.key.length).toBeGreaterThan(40);
    } finally {
      await other.close();
    }
  });

  it.each([
    ["no key", {}],
    ["another key", { authorization: "Bearer sk-other" }],
    ["the key in another scheme", { authorization: "Basic abc" }],
  ])("refuses %s with OpenAI's 401", async (_case, headers) => {
    const response = await fetch(`${running.base}/v1/videos`, { headers });
    expect(response.status).toBe(401);
    expect(await response.json()).toEqual({
      error: { message: expect.any(String), type: "invalid_request_error", param: null, code: "invalid_api_key" },
    });
  });

  it("refuses every host name but its own, also with the key", async () => {
    const { origin, key } = running.sandbox;
    const outgoing = rawRequest(`${origin}/openai-compatible/v1/videos`, {
      headers: { host: "evil.example", authorization: `Bearer ${key}` },
    }).end();
    const [response] = await once(outgoing, "response");
    expect(response.statusCode).toBe(403);
    expect(JSON.parse(await text(response))).toHaveProperty("error.message");
  });

  it.each(["/v1/models", "/v1/chat/completions", "/v1/no/such/route", "/"])(
    "responds to GET %s with 404",
    async (path) => {
      const response = await running.send(path);
      expect(response.status).toBe(404);
      expect(await response.json()).toHaveProperty("error.code", "unknown_url");
    },
  );

  it("knows a model by its id, its alias and its provider's id, and no others", async () => {
    const send = (model: string): Promise<Response> =>
      running.send("/v1/chat/completions", { model, messages: requests("hi") });
    for (const id of ["plain-model", "plain-alias", "provider/thinking-model"])
      expect((await send(id)).status).toBe(200);
    for (const id of ["nobody", "image-model"]) {
      const response = await send(id);
      expect(response.status).toBe(404);
      expect(await response.json()).toHaveProperty("error.code", "model_not_found");
    }
  });

  it("tells a body that no one can read as a bug of its own", async () => {
    const response = await running.send("/v1/chat/completions", '{"model":');
    expect(response.status).toBe(500);
    expect(await response.json()).toHaveProperty("error.type", "server_error");
  });

  it("stays up after a client that leaves in the middle of its request", async () => {
    const socket = connect(Number(new URL(running.sandbox.origin).port), "127.0.0.1");
    await once(socket, "connect");
    const head = `POST /openai-compatible/v1/chat/completions HTTP/1.1\r\nHost: ${new URL(running.sandbox.origin).host}\r\n`;
    socket.write(`${head}Authorization: Bearer ${running.sandbox.key}\r\nContent-Length: 100\r\n\r\n{"mod`);
    socket.destroy();
    await once(socket, "close");
    expect(
      (await running.send("/v1/chat/completions", { model: "plain-model", messages: requests("hi") })).status,
    ).toBe(200);
  });
});

describe("closing the sandbox", () => {
  it("breaks open streams at once and frees the port", async () => {
    const sandbox = await startSandbox({ models: () => testModels, clock: systemClock });
    const response = await fetch(`${sandbox.origin}/openai-compatible/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${sandbox.key}` },
      body: JSON.stringify({ model: "plain-model", stream: true, messages: requests("sandbox:slow=600000") }),
    });
    const [rest] = await Promise.allSettled([response.text(), sandbox.close()]);
    expect(rest.status).toBe("rejected");
    await expect(fetch(`${sandbox.origin}/openai-compatible/v1/models`)).rejects.toThrow("fetch failed");
  });
});
