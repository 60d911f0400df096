import { afterEach, expect, it } from "vitest";
import { reply, replyEvents } from "../../../support/wire-provider.ts";
import { geminiStream } from "../fixtures/chat-streams.ts";
import { useGateway, useWire } from "../../../support/use-gateway.ts";

const MODEL = "gemini-3-pro-preview";
const CHAT = "POST /v1beta/openai/chat/completions";
const QUESTION = "What is the weather in Paris and Rome?";
const SIGNATURE = "EtoFCtcFAXLI";

const wire = useWire();

const postern = useGateway(() => ({
  env: { POSTERN_GEMINI_BASE_URL: wire.origin, POSTERN_GEMINI_API_KEY: "AIza-provider-key" },
}));
afterEach(() => wire.reset());

const RESPONSE = {
  id: "Un6L",
  object: "chat.completion",
  created: 1_770_774_046,
  model: MODEL,
  choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: "15 °C and 20 °C." } }],
  usage: { prompt_tokens: 50, completion_tokens: 9, total_tokens: 59 },
};

/** The assistant's calls in the last request that reached Google, and their signatures. */
function callsSeen(): readonly (readonly [name: unknown, args: unknown, signature: unknown])[] {
  const last = wire.seen.at(-1);
  if (last === undefined) throw new Error("nothing reached Google");
  const { messages } = last.json as { messages: { role: string; tool_calls?: SeenCall[] }[] };
  return messages.flatMap(({ tool_calls: calls = [] }) =>
    calls.map(
      (call) => [call.function.name, call.function.arguments, call.extra_content?.google.thought_signature] as const,
    ),
  );
}
interface SeenCall {
  readonly function: { readonly name: string; readonly arguments: string };
  readonly extra_content?: { readonly google: { readonly thought_signature: string } };
}
const BOTH = [
  ["get_weather", '{"city":"Paris"}', SIGNATURE],
  ["get_weather", '{"city":"Rome"}', undefined],
];

it("come back from a client of the chat API that keeps what it gets, which reads two calls of two", async () => {
  wire.on(CHAT, replyEvents(...geminiStream));
  const tools = [{ type: "function" as const, function: { name: "get_weather", parameters: { type: "object" } } }];
  const user = { role: "user" as const, content: QUESTION };
  const stream = postern.sdk().chat.completions.stream({ model: MODEL, messages: [user], tools });
  const { message } = (await stream.finalChatCompletion()).choices[0] ?? {};
  expect(message?.tool_calls).toHaveLength(2);

  wire.on(CHAT, reply(200, RESPONSE));
  const results = (message?.tool_calls ?? []).map(({ id }) => ({ role: "tool", tool_call_id: id, content: "15 °C" }));
  await (await postern.chat({ model: MODEL, messages: [user, message, ...results], tools })).arrayBuffer();
  expect(callsSeen()).toEqual(BOTH);
});

it("come back from a client of Anthropic's dialect, which has no place for them", async () => {
  wire.on(CHAT, replyEvents(...geminiStream));
  const tools = [{ name: "get_weather", input_schema: { type: "object", properties: { city: { type: "string" } } } }];
  const user = { role: "user", content: QUESTION };
  const request = { model: MODEL, max_tokens: 64, tools };
  const events = (await (await postern.post("/messages", { ...request, stream: true, messages: [user] })).text())
    .split("\n")
    .filter((line) => line.startsWith("data: "))
    .map((line) => JSON.parse(line.slice(6)) as Record<string, never>);
  const uses = events
    .filter((event) => event["type"] === ("content_block_start" as string))
    .map((event) => event["content_block"] as unknown as { type: string; id: string; name: string })
    .filter((block) => block.type === "tool_use");
  expect(uses).toHaveLength(2);

  wire.on(CHAT, reply(200, RESPONSE));
  const [paris, rome] = uses;
  const turn = [
    user,
    {
      role: "assistant",
      content: [
        { type: "tool_use", id: paris?.id, name: "get_weather", input: { city: "Paris" } },
        { type: "tool_use", id: rome?.id, name: "get_weather", input: { city: "Rome" } },
      ],
    },
    { role: "user", content: uses.map(({ id }) => ({ type: "tool_result", tool_use_id: id, content: "15 °C" })) },
  ];
  await (await postern.post("/messages", { ...request, messages: turn })).arrayBuffer();
  expect(callsSeen()).toEqual(BOTH);
});
