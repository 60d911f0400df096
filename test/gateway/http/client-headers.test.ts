import { beforeEach, expect, test } from "vitest";
import { CLIENT_HEADERS } from "../../../gateway/core/routes/client-headers.ts";
import { KEY } from "../../support/running-gateway.ts";
import { reply } from "../../support/wire-provider.ts";
import { useGateway, useWire } from "../../support/use-gateway.ts";

const wire = useWire();

const postern = useGateway(() => ({
  env: {
    POSTERN_OPENAI_BASE_URL: `${wire.origin}/openai/v1`,
    POSTERN_OPENAI_API_KEY: "k",
    POSTERN_ANTHROPIC_BASE_URL: `${wire.origin}/anthropic`,
    POSTERN_ANTHROPIC_API_KEY: "k",
  },
}));

const message = {
  id: "a",
  type: "message",
  role: "assistant",
  content: [{ type: "text", text: "Hi" }],
  stop_reason: "end_turn",
};
const choice = { index: 0, message: { role: "assistant", content: "Hi" }, finish_reason: "stop" };
const output = [{ type: "message", id: "m", role: "assistant", status: "completed", content: [] }];
beforeEach(() => {
  wire.reset();
  wire
    .on("POST /openai/v1/chat/completions", reply(200, { id: "a", object: "chat.completion", choices: [choice] }))
    .on("POST /openai/v1/responses", reply(200, { id: "a", object: "response", status: "completed", output }))
    .on("POST /anthropic/v1/messages", reply(200, { ...message, usage: { input_tokens: 1, output_tokens: 1 } }));
});

const CANARY = "canary-7f3a";
const all = Object.fromEntries(CLIENT_HEADERS.map((name) => [name, `${CANARY}-${name}`]));
const turn = [{ role: "user", content: "Hi" }];

test.each<[string, string, object, RegExp | null]>([
  ["chat with OpenAI", "/chat/completions", { model: "gpt-4.1", messages: turn }, null],
  ["chat with Anthropic", "/chat/completions", { model: "claude-sonnet-5", messages: turn }, null],
  ["Responses with OpenAI", "/responses", { model: "gpt-4.1", input: "Hi" }, null],
  ["messages with OpenAI", "/messages", { model: "gpt-4.1", max_tokens: 9, messages: turn }, null],
  // Those are of the dialect itself (core/chat/messages-headers.ts).
  [
    "messages with Anthropic",
    "/messages",
    { model: "claude-sonnet-5", max_tokens: 9, messages: turn },
    /^x-claude-code-/,
  ],
])("none goes out to a provider: %s", async (_, path, body, dialect) => {
  const response = await postern.post(path, body, KEY, all);
  expect(response.status).toBe(200);
  const headers: Readonly<Record<string, unknown>> = wire.seen[0]?.headers ?? {};
  const gone = Object.keys(headers).filter((name) => String(headers[name]).includes(CANARY));
  expect(gone.filter((name) => dialect === null || !dialect.test(name))).toEqual([]);
  if (dialect !== null) expect(gone).toEqual(CLIENT_HEADERS.filter((name) => dialect.test(name)));
  expect(wire.seen[0]?.body.includes(CANARY)).toBe(false);
});

test.each([
  ["a title", { "x-title": "Kilo Code" }, turn, "Kilo Code"],
  ["its instructions", {}, [{ role: "system", content: "You are Cline, an AI coding agent." }, ...turn], "Cline"],
  ["neither", {}, turn, "ai-sdk/openai-compatible"],
])("the receipt of an app that uses an SDK has the name that %s reports", async (_what, headers, messages, client) => {
  const response = await fetch(`${postern.url}/v1/chat/completions`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${KEY}`,
      "content-type": "application/json",
      "user-agent": "ai-sdk/openai-compatible/3.0.92",
      ...headers,
    },
    body: JSON.stringify({ model: "gpt-4.1", messages }),
  });
  expect(response.status).toBe(200);
  await response.arrayBuffer();
  expect(await postern.receipt()).toMatchObject({ client });
});
