import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { buildMessagesForm } from "../../../../gateway/codecs/gemini-to-chat/request.ts";
import { geminiToChat } from "../../../../gateway/codecs/gemini-to-chat/translate.ts";
import { writeCamelCase } from "../../../../gateway/codecs/gemini-to-chat/camel-case.ts";
import { chatToMessages } from "../../../../gateway/codecs/chat-to-messages/translate.ts";
import { chainTranslations } from "../../../../gateway/codecs/translation.ts";
import type { Document, Translation } from "../../../../gateway/codecs/translation.ts";
import { geminiRequestSchema } from "../../../../gateway/contract/gemini.ts";
import { GatewayError } from "../../../../gateway/core/errors.ts";
import { countedIn } from "../support/counted.ts";
import { chunksOf, eventsOf, styles } from "../support/cut.ts";
import { assembleGemini, translateGemini } from "../support/gemini.ts";
import { asCompletion, asMessage, response, type Call } from "../support/spoken.ts";
import { contextFor } from "../support/translating.ts";

const SHOWN = { generationConfig: { thinkingConfig: { includeThoughts: true } } };
const sound = (call: Call): string => JSON.stringify(call.input);

function streamed(translation: Translation, events: readonly Document[]): Document {
  const stream = translation.stream();
  return assembleGemini([...events.flatMap((event) => stream.event(event)), ...stream.end(countedIn(...events))]);
}

const whole = (translation: Translation, answer: Document): Document =>
  assembleGemini([translation.response(answer, countedIn(answer))]);

const intoClaude = (body: Document): Translation => {
  const first = translateGemini(body, "claude-opus-5-5");
  return chainTranslations(first, chatToMessages(first.body, contextFor("claude-opus-5-5")));
};

describe("a response for a client of Google's", () => {
  it("has texts, thoughts, whole calls, a reason and figures that add up", () => {
    const completion = asCompletion({
      thinking: "Hm.",
      text: "I look.",
      calls: [{ id: "call_a", name: "weather", input: { city: "Rome" }, result: "" }],
      usage: { fresh: 10, cached: 5, output: 7 },
    });
    const translation = translateGemini(SHOWN);
    const answer = translation.response(completion, { input: 10, cached_input: 5, output: 4, reasoning: 3 });
    expect(answer).toEqual({
      candidates: [
        {
          content: {
            role: "model",
            parts: [
              { text: "Hm.", thought: true },
              { text: "I look." },
              { functionCall: { id: "call_a", name: "weather", args: { city: "Rome" } } },
            ],
          },
          finishReason: "STOP",
          index: 0,
        },
      ],
      usageMetadata: {
        promptTokenCount: 15,
        cachedContentTokenCount: 5,
        candidatesTokenCount: 4,
        thoughtsTokenCount: 3,
        totalTokenCount: 22,
      },
      modelVersion: "house-model",
      responseId: "id1",
    });
    // Google shows thoughts to those alone who ask for them.
    expect(whole(translateGemini({}), completion)["thoughts"]).toBe("");
  });

  it.each([
    ["length", "MAX_TOKENS"],
    ["content_filter", "SAFETY"],
    ["stop", "STOP"],
  ])("ends a chat choice that ended by %s as %s", (finish_reason, reason) => {
    const answer = { choices: [{ index: 0, message: { content: "" }, finish_reason }] };
    expect(whole(translateGemini({}), answer)["finishReason"]).toBe(reason);
  });

  it.each(styles)("is the same however a chat provider cuts its stream, calls in the style %s", (style) => {
    const cut = response.chain((given) => chunksOf(given, sound, style).map((chunks) => ({ given, chunks })));
    fc.assert(
      fc.property(cut, ({ given, chunks }) => {
        const expected = whole(translateGemini(SHOWN), asCompletion(given));
        expect(streamed(translateGemini(SHOWN), chunks)).toEqual(expected);
      }),
    );
  });

  it("is the same however Anthropic cuts its stream", () => {
    const cut = response.chain((given) => eventsOf(given).map((events) => ({ given, events })));
    fc.assert(
      fc.property(cut, ({ given, events }) => {
        expect(streamed(intoClaude(SHOWN), events)).toEqual(whole(intoClaude(SHOWN), asMessage(given)));
      }),
    );
  });
});

describe("what a provider wants back with its thinking", () => {
  const calls = [{ id: "toolu_1", name: "weather", input: {}, result: "" }];
  const usage = { fresh: 1, cached: 0, output: 1 };

  /** The conversation that a client sends next: the model's turn as it came, without its thoughts, as Gemini CLI keeps it. */
  function next(answer: Document, urlSafe = false): Document {
    const [candidate] = answer["candidates"] as readonly { content: { parts: readonly Document[] } }[];
    const parts = candidate?.content.parts.filter(({ thought }) => thought !== true) ?? [];
    const text = JSON.stringify(parts);
    const kept = urlSafe ? text.replaceAll("+", "-").replaceAll("/", "_") : text;
    return {
      contents: [
        { role: "user", parts: [{ text: "Weather?" }] },
        { role: "model", parts: JSON.parse(kept) as unknown },
        { role: "user", parts: [{ functionResponse: { name: "weather", response: { output: "Sunny" } } }] },
      ],
    };
  }

  it.each([false, true])("goes back to Anthropic as it came, in either alphabet of base64 (%s)", (urlSafe) => {
    const message = asMessage({ thinking: "Hm.", text: "", calls, usage });
    const answer = intoClaude(SHOWN).response(message, countedIn(message));
    const back = intoClaude(next(answer, urlSafe)).body["messages"] as readonly { content: readonly Document[] }[];
    expect(back[1]?.content).toMatchObject([
      { type: "thinking", thinking: "Hm.", signature: "Eq" },
      { type: "tool_use", id: "toolu_1" },
    ]);
  });

  it("goes back to Google's layer as the signature of the call", () => {
    const completion = {
      choices: [
        {
          message: {
            tool_calls: [
              {
                id: "call_1",
                function: { name: "weather", arguments: "{}" },
                extra_content: { google: { thought_signature: "ab+/Cg==" } },
              },
            ],
          },
          finish_reason: "tool_calls",
        },
      ],
    };
    const answer = translateGemini({}).response(completion, countedIn(completion));
    expect(answer["candidates"]).toMatchObject([
      { content: { parts: [{ functionCall: { id: "call_1" }, thoughtSignature: "ab+/Cg==" }] } },
    ]);
    const back = translateGemini(next(answer, true)).body["messages"] as readonly Document[];
    expect(back[1]?.["tool_calls"]).toMatchObject([
      { id: "call_1", extra_content: { google: { thought_signature: "ab+/Cg==" } } },
    ]);
    expect(back[2]).toMatchObject({ role: "tool", tool_call_id: "call_1" });
  });
});

describe("anything", () => {
  const WORDS = [
    ..."user model function STRING OBJECT ANY AUTO NONE image/png audio/wav application/json HIGH".split(" "),
    "",
    " ",
    "-_8=",
    "AAAA",
    "https://x.y/z",
    "5",
    "__proto__",
  ];
  const FIELDS = [
    ..."contents parts role text thought thoughtSignature inlineData fileData mimeType data fileUri".split(" "),
    ..."functionCall functionResponse functionDeclarations id name args response tools toolConfig mode".split(" "),
    ..."functionCallingConfig allowedFunctionNames generationConfig thinkingConfig thinkingBudget".split(" "),
    ..."thinkingLevel includeThoughts responseSchema responseMimeType responseJsonSchema parameters type".split(" "),
    ..."properties items anyOf nullable minItems enum maxOutputTokens stopSequences systemInstruction".split(" "),
    ..."cachedContent candidateCount responseModalities googleSearch max_output_tokens inline_data".split(" "),
  ];
  const { value: any } = fc.letrec<{ readonly value: unknown }>((tie) => ({
    value: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      fc.constantFrom(...WORDS),
      fc.constantFrom(null, true, false, 0, 1, -1, 0.5),
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...FIELDS), tie("value"), { maxKeys: 5 }),
    ),
  }));
  const object = fc.dictionary(fc.constantFrom(...FIELDS), any, { maxKeys: 6 });
  const part = fc.record(
    {
      text: fc.constantFrom(...WORDS),
      thought: fc.boolean(),
      thoughtSignature: fc.constantFrom(...WORDS),
      inlineData: fc.record({ mimeType: fc.constantFrom(...WORDS), data: fc.constantFrom(...WORDS) }),
      functionCall: fc.record({ name: fc.constantFrom(...WORDS), args: object }),
      functionResponse: fc.record({ name: fc.constantFrom(...WORDS), response: object }),
    },
    { requiredKeys: [] },
  );
  const request = fc
    .tuple(
      object,
      fc.array(fc.record({ role: fc.constantFrom("user", "model"), parts: fc.array(part) }), { minLength: 1 }),
      fc.record({ responseSchema: object, thinkingConfig: object }, { requiredKeys: [] }),
    )
    .map(([fields, contents, generationConfig]): Document => ({ ...fields, contents, generationConfig, model: "m" }));

  it("that passes the check is translated for each kind of provider, or refused in words", () => {
    let checked = 0;
    fc.assert(
      fc.property(request, (body) => {
        try {
          const camel = writeCamelCase(body);
          // A form is made for limits and rules whatever is in the body.
          const form = buildMessagesForm(camel);
          if (!geminiRequestSchema.safeParse(camel).success) return;
          checked += 1;
          const { body: chat } = geminiToChat(form, contextFor("gpt-5.4"));
          expect(chat["messages"]).not.toEqual([]);
          chatToMessages(chat, contextFor("claude-opus-5-5"));
        } catch (error) {
          if (!(error instanceof GatewayError)) throw error;
          expect(error.status).toBe(400);
        }
      }),
      { numRuns: 1_500 },
    );
    expect(checked).toBeGreaterThan(100);
  });

  it("in a provider's stream becomes chunks with one end", () => {
    fc.assert(
      fc.property(fc.array(object, { maxLength: 6 }), (events) => {
        expect(streamed(translateGemini(SHOWN), events)).toHaveProperty("finishReason");
      }),
    );
  });
});
