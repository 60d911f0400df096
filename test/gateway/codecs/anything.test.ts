import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type * as z from "zod";
import { chatToMessages } from "../../../gateway/codecs/chat-to-messages/translate.ts";
import { messagesToChat } from "../../../gateway/codecs/messages-to-chat/translate.ts";
import type { Document, Translate } from "../../../gateway/codecs/translation.ts";
import { chatRequestSchema } from "../../../gateway/contract/chat.ts";
import { messagesRequestSchema } from "../../../gateway/contract/messages.ts";
import { GatewayError } from "../../../gateway/core/errors.ts";
import { assembledCompletion, assembledMessage } from "./support/assembled.ts";
import { answered, contextFor, streamed } from "./support/translating.ts";

/** Fields and values of both dialects, put together at random: the right words in the wrong places. */
const FIELDS = [
  ..."model messages role content type text system tools name input_schema input id tool_use_id is_error".split(" "),
  ..."source media_type data url thinking signature tool_calls function arguments tool_call_id image_url file".split(
    " ",
  ),
  ..."file_data tool_choice response_format json_schema schema output_config format effort stop metadata user".split(
    " ",
  ),
  ..."choices delta message index finish_reason usage prompt_tokens reasoning_content refusal content_block".split(" "),
  ..."partial_json stop_reason reasoning_effort input_tokens output_tokens parameters properties thinking_blocks extra_content".split(
    " ",
  ),
];
const WORDS = [
  ..."user assistant system tool developer text image image_url document file tool_use tool_result thinking".split(" "),
  ..."redacted_thinking function base64 auto any none required stop tool_calls length json_schema json_object".split(
    " ",
  ),
  ..."message_start content_block_start content_block_delta content_block_stop message_delta message_stop".split(" "),
  ..."text_delta thinking_delta input_json_delta signature_delta enabled adaptive high refusal object".split(" "),
  "",
  " ",
  "data:image/png;base64,AAAA",
  '{"a":',
];
const { value: anything } = fc.letrec<{ readonly value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom(...WORDS),
    fc.constantFrom(null, true, false, 0, 1, 7, -1, 0.5),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...FIELDS), tie("value"), { maxKeys: 6 }),
  ),
}));
const object = fc.dictionary(fc.constantFrom(...FIELDS), anything, { maxKeys: 8 });

const block = fc.record(
  {
    type: fc.constantFrom(...WORDS),
    text: anything,
    source: object,
    content: anything,
    id: anything,
    name: anything,
    input: object,
    tool_use_id: anything,
    thinking: anything,
    image_url: anything,
    file: object,
  },
  { requiredKeys: ["type"] },
);
const message = fc.record(
  {
    role: fc.constantFrom("user", "assistant", "system", "tool", "developer"),
    content: fc.oneof(fc.string(), fc.array(block, { maxLength: 3 })),
    tool_call_id: fc.string(),
    tool_calls: fc.array(object, { maxLength: 2 }),
    thinking_blocks: anything,
  },
  { requiredKeys: ["role", "content", "tool_call_id"] },
);
const request = fc
  .tuple(object, fc.array(message, { minLength: 1, maxLength: 4 }))
  .map(([fields, messages]): Document => ({ ...fields, model: "m", max_tokens: 5, messages }));

describe.each<[string, Translate, typeof messagesRequestSchema | typeof chatRequestSchema, string]>([
  ["from Messages to chat", messagesToChat, messagesRequestSchema, "gpt-5.4"],
  ["from chat to Messages", chatToMessages, chatRequestSchema, "claude-sonnet-4-5"],
])("%s", (_, translate, schema, model) => {
  it("a request that passed the check is translated, or refused in words that name the field", () => {
    let checked = 0;
    fc.assert(
      fc.property(request, (body) => {
        if (!schema.safeParse(body).success) return;
        checked += 1;
        try {
          const translated = translate(body, contextFor(model)).body;
          expect(translated).toMatchObject({ model, max_tokens: 5 });
          expect(translated["messages"]).not.toEqual([]);
          // What goes out would pass the check of what comes in.
          const other: z.ZodType = schema === chatRequestSchema ? messagesRequestSchema : chatRequestSchema;
          expect(other.safeParse(translated).error?.issues).toBeUndefined();
        } catch (error) {
          if (!(error instanceof GatewayError)) throw error;
          expect(error.status).toBe(400);
          expect(error.details.param).toBeTypeOf("string");
        }
      }),
      { numRuns: 1_000 },
    );
    expect(checked).toBeGreaterThan(50);
  });

  it("any response becomes a valid one", () => {
    fc.assert(
      fc.property(object, (response) => {
        const { usage, type, object: kind } = answered(translate, response, {}, model);
        expect([type, kind]).toContain(translate === messagesToChat ? "message" : "chat.completion");
        for (const figure of Object.values(usage as Document)) {
          if (typeof figure !== "object") expect(figure).toSatisfy((tokens) => (tokens as number) >= 0);
        }
      }),
    );
  });

  it("any stream becomes a valid one", () => {
    fc.assert(
      fc.property(fc.array(object, { maxLength: 6 }), (events) => {
        const told = streamed(translate, events, {}, model);
        const whole = translate === messagesToChat ? assembledMessage(told) : assembledCompletion(told);
        expect(whole).toHaveProperty("usage");
      }),
      { numRuns: 500 },
    );
  });
});
