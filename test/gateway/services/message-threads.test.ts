import Anthropic from "@anthropic-ai/sdk";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { KEY, startGateway, type TestGateway, providersAt } from "../../support/running-gateway.ts";
import { reply } from "../../support/wire-provider.ts";
import { completionBody } from "../../support/acts.ts";
import { useWire } from "../../support/use-gateway.ts";

/**
 * Message threads (Anthropic's SDK 1.11, beta `message-threads-2026-08-12`): a server keeps the conversation, and a
 * client that continues one sends nothing but its new messages. Only Anthropic keeps any.
 */
const wire = useWire();
let postern: TestGateway;
let sandboxed: TestGateway;

beforeAll(async () => {
  postern = await startGateway({
    env: {
      ...providersAt({ OPENAI: `${wire.origin}/v1` }),
      POSTERN_ANTHROPIC_BASE_URL: wire.origin,
      POSTERN_ANTHROPIC_API_KEY: "sk-ant-api03-provider",
    },
  });
  sandboxed = await startGateway({ env: { POSTERN_SANDBOX: "on" } });
});
afterAll(async () => {
  await Promise.all([postern.close(), sandboxed.close()]);
});
afterEach(() => wire.reset());

const sdk = (gateway: TestGateway): Anthropic => new Anthropic({ baseURL: gateway.url, apiKey: KEY, maxRetries: 0 });
const completion = (content: string) => completionBody(content);
const continued = (model: string) => ({
  model,
  max_tokens: 64,
  messages: [{ role: "user" as const, content: "And now?" }],
  thread: { type: "continue" as const, previous_message_id: "msg_1" },
});

describe("a thread of messages at a provider that keeps none", () => {
  it("reaches it with the whole conversation, because the SDK is informed to send it again", async () => {
    wire.on("POST /v1/chat/completions", reply(200, completion("Hello.")));
    const thread = sdk(postern).beta.messages.thread({ model: "gpt-4.1", max_tokens: 64 });
    await thread.send({ role: "user", content: "Say hello." });
    await thread.send({ role: "user", content: "And now?" });
    const requests = wire.seen.map(({ body }) => (JSON.parse(body.toString()) as { messages: unknown }).messages);
    const first = { role: "user", content: "Say hello." };
    expect(requests).toEqual([
      [first],
      [first, { role: "assistant", content: "Hello." }, { role: "user", content: "And now?" }],
    ]);
  });

  it.each(["gpt-4.1"])("is never continued without what came before", async (model) => {
    const call = sdk(postern).beta.messages.create(continued(model));
    await expect(call).rejects.toMatchObject({
      status: 404,
      type: "not_found_error",
      errorCode: "thread_not_found",
      message: expect.stringContaining("msg_1"),
    });
    expect(wire.seen).toEqual([]);
  });

  it.each(["claude-sonnet-5", "gpt-4.1"])("is not kept by the sandbox either, for %s", async (model) => {
    const thread = sdk(sandboxed).beta.messages.thread({ model, max_tokens: 512 });
    await thread.send({ role: "user", content: "Say hello." });
    await expect(sdk(sandboxed).beta.messages.create(continued(model))).rejects.toMatchObject({
      status: 404,
      errorCode: "thread_not_found",
    });
    const { content } = await thread.send({ role: "user", content: "And now?" });
    expect(JSON.stringify(content)).toContain("And now?");
  });
});

describe("what Anthropic says of a thread", () => {
  it.each([
    [404, "not_found_error", { error_code: "thread_not_found" }],
    [400, "invalid_request_error", { error_code: "thread_unsupported_request", unsupported: ["thinking"] }],
  ])("reaches the client with the details that its SDK recovers by (%d)", async (status, type, details) => {
    wire.on(
      "POST /v1/messages",
      reply(status, { type: "error", error: { type, message: "No usable thread.", details }, request_id: "req_1" }),
    );
    const call = sdk(postern).beta.messages.create(continued("claude-sonnet-5"));
    await expect(call).rejects.toMatchObject({ status, type, errorCode: details.error_code, details });
    expect(wire.seen).toHaveLength(1);
  });

  it("is heard too where the client has nothing to add to a turn that was paused", async () => {
    const error = { type: "not_found_error", message: "No.", details: { error_code: "thread_not_found" } };
    wire.on("POST /v1/messages", reply(404, { type: "error", error }));
    const paused = { ...continued("claude-sonnet-5"), messages: [] };
    await expect(sdk(postern).beta.messages.create(paused)).rejects.toMatchObject({ errorCode: "thread_not_found" });
    expect(JSON.parse(wire.seen[0]?.body.toString() ?? "")).toMatchObject({ messages: [] });
  });

  it("keeps secrets in details to itself", async () => {
    const details = { error_code: "x", hint: "sk-ant-api03-provider" };
    const error = { type: "invalid_request_error", message: "No.", details };
    wire.on("POST /v1/messages", reply(400, { type: "error", error }));
    const call = sdk(postern).beta.messages.create(continued("claude-sonnet-5"));
    await expect(call).rejects.toMatchObject({ details: { error_code: "x", hint: "[redacted]" } });
  });
});
