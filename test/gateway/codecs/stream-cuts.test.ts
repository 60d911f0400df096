import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chatToMessages } from "../../../gateway/codecs/chat-to-messages/translate.ts";
import { messagesToChat } from "../../../gateway/codecs/messages-to-chat/translate.ts";
import type { Document } from "../../../gateway/codecs/translation.ts";
import { assembledCompletion, assembledMessage } from "./support/assembled.ts";
import { chunksOf, eventsOf, styles } from "./support/cut.ts";
import { response, asCompletion, asMessage, chatCall, type Call } from "./support/spoken.ts";
import { answered, streamed } from "./support/translating.ts";

const sound = (call: Call): string => JSON.stringify(call.input);

describe("however a chat provider cuts a response into chunks, the client's message is that of the whole response", () => {
  it.each(styles)("calls in the style %s", (style) => {
    const cut = response.chain((given) => chunksOf(given, sound, style).map((chunks) => ({ given, chunks })));
    fc.assert(
      fc.property(cut, ({ given, chunks }) => {
        const whole = answered(messagesToChat, asCompletion(given));
        expect(assembledMessage(streamed(messagesToChat, chunks))).toEqual(whole);
      }),
    );
  });

  it("with arguments that end in the middle", () => {
    const cut = fc.tuple(response, fc.double({ min: 0, max: 1, noNaN: true })).chain(([given, part]) => {
      const broken = (call: Call): string => sound(call).slice(0, Math.floor(sound(call).length * part));
      return chunksOf(given, broken, "openai").map((chunks) => ({ given, chunks, broken }));
    });
    fc.assert(
      fc.property(cut, ({ given, chunks, broken }) => {
        const completion = asCompletion(given) as { readonly choices: readonly { readonly message: Document }[] };
        const tool_calls = given.calls.map((call) => {
          const written = chatCall(call);
          return { ...written, function: { name: call.name, arguments: broken(call) } };
        });
        const choices = completion.choices.map((choice) => ({ ...choice, message: { ...choice.message, tool_calls } }));
        const whole = answered(messagesToChat, { ...completion, choices });
        expect(assembledMessage(streamed(messagesToChat, chunks))).toEqual(whole);
      }),
    );
  });
});

it("however Anthropic cuts a response into events, the client's completion is that of the whole response", () => {
  const cut = response.chain((given) => eventsOf(given).map((events) => ({ given, events })));
  fc.assert(
    fc.property(cut, ({ given, events }) => {
      const whole = answered(chatToMessages, asMessage(given)) as {
        readonly choices: readonly { readonly message: Document; readonly finish_reason: unknown }[];
        readonly usage: unknown;
      };
      const { refusal, content, ...rest } = whole.choices[0]?.message ?? {};
      expect(refusal).toBeNull();
      const completion = assembledCompletion(streamed(chatToMessages, events));
      // A stream's first chunk has an empty content, where a whole response of calls alone has none.
      expect(completion).toEqual({
        message: { ...rest, content: content ?? "" },
        finish_reason: whole.choices[0]?.finish_reason,
        usage: whole.usage,
      });
    }),
  );
});

it("a stream of Anthropic's that goes through the chat dialect and back is the same message", () => {
  const cut = response.chain((given) => eventsOf(given).map((events) => ({ given, events })));
  fc.assert(
    fc.property(cut, ({ given, events }) => {
      const back = assembledMessage(streamed(messagesToChat, streamed(chatToMessages, events)));
      const expected = asMessage(given);
      expect(back["content"]).toEqual(
        (expected["content"] as readonly Document[]).map((block) =>
          block["type"] === "thinking" ? { ...block, signature: expect.stringMatching(/^postern\.1\./) } : block,
        ),
      );
      expect(back["usage"]).toEqual(expected["usage"]);
      expect(back["stop_reason"]).toBe(expected["stop_reason"]);
    }),
  );
});
