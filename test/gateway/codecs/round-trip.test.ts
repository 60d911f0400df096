import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chatToMessages } from "../../../gateway/codecs/chat-to-messages/translate.ts";
import { messagesToChat } from "../../../gateway/codecs/messages-to-chat/translate.ts";
import type { Document } from "../../../gateway/codecs/translation.ts";
import { response, asChat, asCompletion, asMessage, asMessages, chatCall, conversation } from "./support/spoken.ts";
import type { Exchange } from "./support/spoken.ts";
import { answered, chatBodyOf, claudeBodyOf } from "./support/translating.ts";

/** A Claude model with every parameter that was ever there. */
const MODEL = "claude-sonnet-4-5";

const SCHEMA = { type: "object", properties: { a: { type: "string" } } };
const settings = fc.record({
  temperature: fc.double({ min: 0, max: 1, noNaN: true }),
  max_tokens: fc.integer({ min: 1, max: 32_000 }),
  stops: fc.array(fc.stringMatching(/^\S{1,5}$/), { minLength: 1, maxLength: 4 }),
  system: fc.stringMatching(/^\S.{0,20}\S$/),
});
const namesIn = (exchanges: readonly Exchange[]): readonly string[] => [
  "always_there",
  ...new Set(exchanges.flatMap(({ calls }) => calls.map((call) => call.name))),
];

describe("requests keep text, calls, arguments, results, order and settings", () => {
  it("from Messages to chat and back", () => {
    fc.assert(
      fc.property(conversation, settings, (exchanges, { stops, system, ...same }) => {
        const body: Document = {
          ...same,
          system: [{ type: "text", text: system }],
          messages: asMessages(exchanges),
          tools: namesIn(exchanges).map((name) => ({ name, description: name, input_schema: SCHEMA })),
          tool_choice: { type: "auto", disable_parallel_tool_use: true },
          stop_sequences: stops,
          stream: true,
          metadata: { user_id: "u" },
        };
        expect(claudeBodyOf(chatBodyOf(body, MODEL), MODEL)).toEqual({ model: MODEL, ...body });
      }),
    );
  });

  it("from chat to Messages and back", () => {
    fc.assert(
      fc.property(conversation, settings, (exchanges, { stops, system, ...same }) => {
        const body: Document = {
          ...same,
          messages: [{ role: "system", content: system }, ...asChat(exchanges)],
          tools: namesIn(exchanges).map((name) => ({
            type: "function",
            function: { name, description: name, parameters: SCHEMA },
          })),
          tool_choice: "required",
          parallel_tool_calls: false,
          stop: stops,
          user: "u",
        };
        expect(chatBodyOf(claudeBodyOf(body, MODEL), MODEL)).toEqual({ model: MODEL, ...body });
      }),
    );
  });
});

describe("answers keep thinking, text, calls, arguments, order and usage", () => {
  it("from a chat provider through Messages to a chat client", () => {
    fc.assert(
      fc.property(response, (given) => {
        const back = answered(chatToMessages, answered(messagesToChat, asCompletion(given)), {}, MODEL);
        const expected = asCompletion(given);
        expect(back["choices"]).toMatchObject(expected["choices"] as readonly Document[]);
        expect(back["usage"]).toMatchObject(expected["usage"] as Document);
        expect((back["choices"] as readonly { readonly message: Document }[])[0]?.message["tool_calls"]).toEqual(
          given.calls.length === 0 ? undefined : given.calls.map(chatCall),
        );
      }),
    );
  });

  it("from Anthropic through chat to a Messages client", () => {
    fc.assert(
      fc.property(response, (given) => {
        const back = answered(messagesToChat, answered(chatToMessages, asMessage(given), {}, MODEL));
        const expected = asMessage(given);
        const content = expected["content"] as readonly Document[];
        const thought = content.filter((block) => block["type"] === "thinking");
        const carry = (block: Document) => ({ ...block, signature: expect.any(String) });
        expect(back["content"]).toEqual(content.map((block) => (block["type"] === "thinking" ? carry(block) : block)));
        const again = chatBodyOf({ messages: [{ role: "assistant", content: back["content"] }] }, MODEL)["messages"];
        const [said] = again as readonly Document[];
        expect(said?.["thinking_blocks"] ?? []).toEqual(thought);
        expect(back["stop_reason"]).toBe(expected["stop_reason"]);
        // A usage of nothing at all reads as none.
        expect(back["usage"]).toEqual(expected["usage"]);
      }),
    );
  });
});

it("thinking keeps its signature through a chain of calls of a chat client", () => {
  fc.assert(
    fc.property(response, (given) => {
      const [choice] = answered(chatToMessages, asMessage(given), {}, MODEL)["choices"] as readonly {
        readonly message: Document;
      }[];
      const messages = [{ role: "user", content: "Hi" }, choice?.message ?? {}, { role: "user", content: "Go on" }];
      const sent = claudeBodyOf({ messages }, MODEL)["messages"] as readonly Document[];
      const content = asMessage(given)["content"] as readonly Document[];
      expect(sent.filter(({ role }) => role === "assistant").map((message) => message["content"])).toEqual(
        content.length === 0 ? [] : [content],
      );
    }),
  );
});
