import { beforeAll, describe, expect, it } from "vitest";
import { chatToMessages } from "../../../gateway/codecs/chat-to-messages/translate.ts";
import { messagesToChat } from "../../../gateway/codecs/messages-to-chat/translate.ts";
import { ItemMemory } from "../../../gateway/codecs/responses-to-chat/item-memory.ts";
import { responsesToChat } from "../../../gateway/codecs/responses-to-chat/translate.ts";
import { history, RESPONSES, WAYS } from "../../bench/large/requests.ts";
import { KEY, providersAt } from "../../support/running-gateway.ts";
import { replyBytes } from "../../support/wire-provider.ts";
import { useGateway, useWire } from "../../support/use-gateway.ts";

/** Agents' requests, which are parsed in pieces, handled in turns of the event loop and written of their own bytes. */
const wire = useWire();
beforeAll(() => {
  const answer = (text: string) => replyBytes("application/json", text);
  wire
    .on("GET /compatible/v1/models", answer('{"data":[{"id":"mock-chat"}]}'))
    .on("POST /v1/chat/completions", answer(RESPONSES.chat))
    .on("POST /compatible/v1/chat/completions", answer(RESPONSES.chat))
    .on("POST /v1/messages", answer(RESPONSES.messages))
    .on("POST /v1/responses", answer(RESPONSES.responses));
});
const postern = useGateway(() => ({
  env: {
    ...providersAt({ ANTHROPIC: wire.origin }),
    POSTERN_OPENAI_BASE_URL: `${wire.origin}/v1`,
    POSTERN_OPENAI_API_KEY: "sk-provider",
    POSTERN_COMPATIBLE_BASE_URL: `${wire.origin}/compatible/v1`,
    POSTERN_COMPATIBLE_API_KEY: "sk-provider",
  },
}));

const CODECS = {
  "messages to chat": messagesToChat,
  "responses to chat": responsesToChat,
  "chat to messages": chatToMessages,
} as const;
const CONTEXT = { model: null, now: 1, newId: () => "0123456789abcdefghijABCD", items: new ItemMemory(1) };

describe.each([70_000, 1_200_000])("%i bytes", (bytes) => {
  it.each(WAYS)("arrive as they were meant: $name", async ({ name, path, dialect, model }) => {
    const body = history(dialect, model, bytes);
    wire.seen.length = 0;
    const response = await fetch(`${postern.url}${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${KEY}`, "content-type": "application/json" },
      body,
    });
    expect(await response.text()).toContain("The quick brown fox");
    const sent = wire.seen.at(-1)?.body ?? Buffer.of();
    if (!(name in CODECS)) return expect(sent.equals(body)).toBe(true);
    const message = JSON.parse(body.toString()) as Record<string, unknown>;
    const expected = CODECS[name as keyof typeof CODECS](message, { ...CONTEXT, publicModel: model }).body;
    const { messages, tools, system } = JSON.parse(sent.toString()) as Record<string, unknown>;
    expect({ messages, tools, system }).toEqual({
      messages: expected["messages"],
      tools: expected["tools"],
      system: expected["system"],
    });
  });
});

it("tells what is wrong far inside of a large request", async () => {
  const body = history("chat", "gpt-4o-mini", 1_200_000).toString();
  const broken = await postern.chat(body.replace('"part 90', '"part \\x90').replace("const value", "const \\xvalue"));
  expect(broken.status).toBe(400);
  expect(await broken.text()).toContain("The body is not valid JSON: Bad escaped character in JSON at position");
  const wrong = await postern.chat(body.replace(/"role":"tool","tool_call_id":"call_90"/, '"role":"tool","other":"x"'));
  expect(wrong.status).toBe(400);
  expect(await wrong.text()).toContain("'messages[181].tool_call_id'");
});
