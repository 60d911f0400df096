import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { withSignature } from "../../../../gateway/codecs/messages-to-chat/tool-ids.ts";
import { withShortCallIds } from "../../../../gateway/providers/openai/call-ids.ts";
import { chat as openai } from "../../../../gateway/providers/openai/chat.ts";
import { responses } from "../../../../gateway/providers/openai/responses.ts";
import { chat as compatible } from "../../../../gateway/providers/openai-compatible/chat.ts";
import { buildOwnMessages } from "../../../../gateway/providers/own-messages.ts";
import { OWN_TRAITS } from "../../../../gateway/providers/openai-compatible/server-table.ts";
import type { DialectCall } from "../../../../gateway/providers/wire-request.ts";

/** What vLLM calls its calls: 46 characters. */
const VLLM = `chatcmpl-tool-${"0123456789abcdef".repeat(2)}`;
const OWN = "call_abcdefghijklmnopqrstuvwx";

const turn = (...ids: readonly string[]): readonly object[] => [
  { role: "user", content: "x" },
  {
    role: "assistant",
    content: null,
    tool_calls: ids.map((id) => ({ id, type: "function", function: { name: "f" } })),
  },
  ...ids.map((id) => ({ role: "tool", tool_call_id: id, content: "done" })),
];
const call = (body: Readonly<Record<string, unknown>>, change: Partial<DialectCall> = {}): DialectCall => ({
  raw: Buffer.from(JSON.stringify(body)),
  body,
  changed: false,
  upstreamModel: "gpt-4.1",
  model: null,
  stream: false,
  headers: {},
  origin: "https://api.openai.com",
  bound: null,
  ...change,
});

interface Message {
  readonly tool_calls?: readonly { readonly id: string }[];
  readonly tool_call_id?: string;
}
const idsOf = (messages: readonly Message[]): readonly (string | undefined)[] =>
  messages.flatMap(({ tool_calls: calls, tool_call_id: id }) => [
    ...(calls ?? []).map((one) => one.id),
    ...(id === undefined ? [] : [id]),
  ]);
const sent = (adapter: typeof openai, change: Partial<DialectCall> = {}): readonly Message[] => {
  const given = call({ model: "gpt-4.1", messages: turn(VLLM, OWN) }, change);
  return (JSON.parse(String(adapter.toRequest(given, null).body)) as { messages: Message[] }).messages;
};

describe("in the chat dialect", () => {
  it("are shortened alike in a call and in its result, where they are too long for OpenAI", () => {
    const [first, second, third, fourth] = idsOf(sent(openai));
    expect(first).toHaveLength(40);
    expect([third, second, fourth]).toEqual([first, OWN, OWN]);
  });

  it("are shortened at Azure, and stay what they are at other servers", () => {
    expect(idsOf(sent(compatible, { origin: "https://mine.openai.azure.com" }))).not.toContain(VLLM);
    expect(idsOf(sent(compatible, { origin: "http://127.0.0.1:8000" }))).toEqual([VLLM, OWN, VLLM, OWN]);
  });

  it("leave the client's own bytes where all are short", () => {
    const given = call({ model: "gpt-4.1", messages: turn(OWN) });
    expect(openai.toRequest(given, null).body).toBe(given.raw);
  });

  it("are at most 40 characters, and different where they were", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.string({ minLength: 1, maxLength: 200 }), { minLength: 1, maxLength: 5 }),
        (ids) => {
          const messages = turn(...ids);
          const short = idsOf(
            (buildOwnMessages(messages, OWN_TRAITS.openai, "") ?? messages) as readonly Message[],
          ) as readonly string[];
          expect(short.every((id) => id.length <= 40)).toBe(true);
          expect(new Set(short).size).toBe(ids.length);
          expect(short.slice(0, ids.length)).toEqual(short.slice(ids.length));
        },
      ),
    );
  });
});

describe("in the Responses dialect", () => {
  const items = (id: string): readonly object[] => [
    { type: "message", role: "user", content: "x" },
    { type: "function_call", call_id: id, name: "f", arguments: "{}" },
    { type: "function_call_output", call_id: id, output: "done" },
  ];

  it("lose Gemini's signature, which makes them too long for OpenAI", () => {
    const id = withSignature("call_1", Buffer.alloc(600, "thought").toString("base64"));
    const given = call({ model: "gpt-4.1", input: items(id) });
    const { input } = JSON.parse(String(responses.toRequest(given, null).body)) as { input: { call_id?: string }[] };
    expect(input.map(({ call_id }) => call_id)).toEqual([undefined, "call_1", "call_1"]);
  });

  it("stay what they are up to 64 characters", () => {
    expect(withShortCallIds(items("a".repeat(64)))).toBeUndefined();
    expect(withShortCallIds(items("a".repeat(65)))).toMatchObject([
      {},
      { call_id: expect.stringMatching(/^.{1,64}$/) },
      {},
    ]);
    expect(withShortCallIds("Say hello.")).toBeUndefined();
    const given = call({ model: "gpt-4.1", input: items(VLLM) });
    expect(responses.toRequest(given, null).body).toBe(given.raw);
  });
});
