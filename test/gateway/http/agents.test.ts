import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { KEY, startGateway, type TestGateway } from "../../support/running-gateway.ts";
import { reply, replyEvents, type WireAct } from "../../support/wire-provider.ts";
import { useWire } from "../../support/use-gateway.ts";

interface Captured {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
}

const agents = ["claude-code", "codex", "qwen-code", "opencode"] as const;
const captured = (agent: string): readonly Captured[] =>
  JSON.parse(readFileSync(join(import.meta.dirname, `../../fixtures/agents/${agent}.json`), "utf8")) as Captured[];

const frame = (data: unknown): string => `data: ${JSON.stringify(data)}\n\n`;
const named = (data: { readonly type: string }): string => `event: ${data.type}\n${frame(data)}`;

const chat: WireAct = replyEvents(
  frame({
    id: "c",
    object: "chat.completion.chunk",
    created: 1,
    model: "m",
    choices: [{ index: 0, delta: { role: "assistant", content: "Hi" }, finish_reason: null }],
  }),
  frame({
    id: "c",
    object: "chat.completion.chunk",
    created: 1,
    model: "m",
    choices: [{ index: 0, delta: {}, finish_reason: "stop" }],
  }),
  frame({
    id: "c",
    object: "chat.completion.chunk",
    created: 1,
    model: "m",
    choices: [],
    usage: { prompt_tokens: 5, completion_tokens: 1, total_tokens: 6 },
  }),
  "data: [DONE]\n\n",
);
const messages: WireAct = replyEvents(
  named({
    type: "message_start",
    message: {
      id: "msg_1",
      type: "message",
      role: "assistant",
      model: "m",
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: 5, output_tokens: 1 },
    },
  } as never),
  named({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } } as never),
  named({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hi" } } as never),
  named({ type: "content_block_stop", index: 0 } as never),
  named({
    type: "message_delta",
    delta: { stop_reason: "end_turn", stop_sequence: null },
    usage: { output_tokens: 2 },
  } as never),
  named({ type: "message_stop" }),
);

/** What closes a stream in the dialect of each path. */
const CLOSING: Readonly<Record<string, string>> = {
  "/v1/chat/completions": "data: [DONE]",
  "/v1/messages": "event: message_stop",
  "/v1/responses": "event: response.completed",
};

const wire = useWire();
const gateways = new Map<string, TestGateway>();

beforeAll(async () => {
  wire.on("POST /v1/chat/completions", chat).on("POST /v1/messages", messages);
  wire.on(
    "GET /v1/models",
    reply(200, { object: "list", data: [{ id: "mock-chat", object: "model", type: "model" }] }),
  );
  const start = (env: Readonly<Record<string, string>>): Promise<TestGateway> => startGateway({ env });
  gateways.set(
    "a chat provider",
    await start({ POSTERN_COMPATIBLE_BASE_URL: `${wire.origin}/v1`, POSTERN_COMPATIBLE_API_KEY: "sk-v" }),
  );
  gateways.set(
    "Anthropic",
    await start({ POSTERN_ANTHROPIC_BASE_URL: wire.origin, POSTERN_ANTHROPIC_API_KEY: "sk-v" }),
  );
  gateways.set("the sandbox", await start({ POSTERN_SANDBOX: "on" }));
});
afterAll(async () => {
  await Promise.all([...gateways.values()].map((gateway) => gateway.close()));
});

/** Models of each side, all of which every agent must reach. */
const MODELS: Readonly<Record<string, readonly string[]>> = {
  "a chat provider": ["mock-chat"],
  Anthropic: ["mock-chat"],
  "the sandbox": ["gpt-4o-mini", "gpt-5.1", "claude-sonnet-5-5", "gemini-2.5-flash", "grok-4"],
};

async function send(side: string, { path, headers, body }: Captured, model: string): Promise<Response> {
  const gateway = gateways.get(side);
  if (gateway === undefined) throw new Error(`no gateway for ${side}`);
  return fetch(gateway.url + path, {
    method: "POST",
    headers: { ...headers, authorization: `Bearer ${KEY}` },
    body: JSON.stringify({ ...body, model }),
  });
}

describe.each(agents)("requests of %s", (agent) => {
  it.each(Object.entries(MODELS).flatMap(([side, models]) => models.map((model) => [side, model] as const)))(
    "are answered by %s with %s",
    async (side, model) => {
      for (const request of captured(agent)) {
        const response = await send(side, request, model);
        const text = await response.text();
        expect(response.status, text).toBe(200);
        expect(text).toContain(CLOSING[request.path.split("?")[0] ?? ""] ?? "no such path");
      }
    },
  );
});

it("the billing line of Claude Code reaches no other provider's prompt, and Anthropic gets the very bytes", async () => {
  const [request] = captured("claude-code");
  if (request === undefined) throw new Error("no capture");
  wire.seen.length = 0;
  await (await send("a chat provider", request, "mock-chat")).text();
  expect(wire.seen.at(-1)?.body.toString("utf8")).not.toContain("x-anthropic-billing-header");
  await (await send("Anthropic", request, "mock-chat")).text();
  expect(wire.seen.at(-1)?.body.toString("utf8")).toBe(JSON.stringify({ ...request.body, model: "mock-chat" }));
  expect(wire.seen.at(-1)?.headers).toMatchObject({
    "anthropic-beta": request.headers["anthropic-beta"],
    "anthropic-version": request.headers["anthropic-version"],
    "x-api-key": "sk-v",
  });
  // Its own key, and never the client's.
  expect(wire.seen.at(-1)?.headers["authorization"]).toBe("Bearer sk-v");
});
