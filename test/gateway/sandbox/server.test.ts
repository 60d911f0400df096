import { request as rawRequest } from "node:http";
import { connect } from "node:net";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { systemClock } from "../../../gateway/lib/clock.ts";
import { startSandbox } from "../../../gateway/sandbox/server.ts";
import { asked, testModels, useSandbox } from "./running-sandbox.ts";

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
    const response = await fetch(`${running.base}/v1/models`, { headers });
    expect(response.status).toBe(401);
    expect(await response.json()).toEqual({
      error: { message: expect.any(String), type: "invalid_request_error", param: null, code: "invalid_api_key" },
    });
  });

  it("refuses every host name but its own, also with the key", async () => {
    const { origin, key } = running.sandbox;
    const outgoing = rawRequest(`${origin}/openai-compatible/v1/models`, {
      headers: { host: "evil.example", authorization: `Bearer ${key}` },
    }).end();
    const [response] = await once(outgoing, "response");
    expect(response.statusCode).toBe(403);
    expect(JSON.parse(await text(response))).toHaveProperty("error.message");
  });

  it("lists the models that it can speak for, and finds one by id, alias or provider's id", async () => {
    const list = await running.client.models.list();
    expect(list.data.map((model) => model.id)).toEqual([
      "plain-model",
      "thinking-model",
      "claude-model",
      "image-model",
      "video-model",
    ]);
    expect(list.data[0]).toEqual({ id: "plain-model", object: "model", created: 1_700_000_000, owned_by: "openai" });
    expect(await running.client.models.retrieve("plain-alias")).toHaveProperty("id", "plain-model");
    expect(await running.client.models.retrieve("provider/thinking-model")).toHaveProperty("id", "thinking-model");
  });

  it.each([
    ["/v1/models/no-such-model", 404, "model_not_found"],
    ["/v1/models/messages-model", 404, "model_not_found"],
    ["/v1/models/%zz", 400, null],
    ["/v1/chat/completions", 405, "method_not_supported"],
    ["/v1/no/such/route", 404, "unknown_url"],
    ["/", 404, "unknown_url"],
  ])("answers GET %s with %i", async (path, status, code) => {
    const response = await running.send(path);
    expect(response.status).toBe(status);
    expect(await response.json()).toHaveProperty("error.code", code);
  });

  it("takes a body of 32 MiB and refuses a larger one, with or without a length", async () => {
    const frame = JSON.stringify({ model: "plain-model", messages: asked("") });
    const room = 32 * 1024 * 1024 - frame.length;
    const image = { type: "image_url", image_url: { url: "" } };
    const big = (size: number): string => {
      const empty = JSON.stringify({ model: "plain-model", messages: [{ role: "user", content: [image] }] });
      return empty.replace('"url":""', `"url":"data:image/png;base64,${"A".repeat(size)}"`);
    };
    expect((await running.send("/v1/chat/completions", big(room - 200))).status).toBe(200);
    const refused = await running.send("/v1/chat/completions", big(room + 1_000));
    expect(refused.status).toBe(413);
    expect(await refused.json()).toHaveProperty("error.code", "request_too_large");
    const chunked = await fetch(`${running.base}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${running.sandbox.key}` },
      body: new Blob([big(room + 1_000)]).stream(),
      duplex: "half",
    });
    expect(chunked.status).toBe(413);
  });

  it.each([
    ["half a document", '{"model":'],
    ["no UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d])],
    ["a depth bomb", `${"[".repeat(100_000)}${"]".repeat(100_000)}`],
    ["a list", "[]"],
    ["nothing", ""],
  ])("answers a body that is %s with 400", async (_case, body) => {
    const response = await fetch(`${running.base}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${running.sandbox.key}` },
      body,
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toHaveProperty("error.type", "invalid_request_error");
  });

  it("refuses a compressed body", async () => {
    const response = await running.send("/v1/chat/completions", "{}", { "content-encoding": "gzip" });
    expect(response.status).toBe(415);
  });

  it("stays up after a client that leaves in the middle of its request", async () => {
    const socket = connect(Number(new URL(running.sandbox.origin).port), "127.0.0.1");
    await once(socket, "connect");
    const head = `POST /openai-compatible/v1/chat/completions HTTP/1.1\r\nHost: ${new URL(running.sandbox.origin).host}\r\n`;
    socket.write(`${head}Authorization: Bearer ${running.sandbox.key}\r\nContent-Length: 100\r\n\r\n{"mod`);
    socket.destroy();
    await once(socket, "close");
    expect((await running.send("/v1/models")).status).toBe(200);
  });
});

describe("closing the sandbox", () => {
  it("breaks open streams at once and frees the port", async () => {
    const sandbox = await startSandbox({ models: () => testModels, clock: systemClock });
    const response = await fetch(`${sandbox.origin}/openai-compatible/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${sandbox.key}` },
      body: JSON.stringify({ model: "plain-model", stream: true, messages: asked("sandbox:slow=600000") }),
    });
    const [rest] = await Promise.allSettled([response.text(), sandbox.close()]);
    expect(rest.status).toBe("rejected");
    await expect(fetch(`${sandbox.origin}/openai-compatible/v1/models`)).rejects.toThrow("fetch failed");
  });
});
