import { describe, expect, it } from "vitest";
import { KEY } from "../../support/running-gateway.ts";
import { useGateway } from "../../support/use-gateway.ts";

const postern = useGateway(() => ({ env: { POSTERN_SANDBOX: "on" } }));

interface GeminiResponse {
  readonly candidates: readonly {
    readonly content: { readonly parts: readonly Readonly<Record<string, unknown>>[] };
    readonly finishReason?: string;
  }[];
  readonly usageMetadata?: Readonly<Record<string, number>>;
}

const ask = (model: string, body: object, operation = "generateContent"): Promise<Response> =>
  fetch(`${postern.url}/v1beta/models/${model}:${operation}`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-goog-api-key": KEY },
    body: JSON.stringify(body),
  });
const read = async (response: Promise<Response>): Promise<GeminiResponse> =>
  (await (await response).json()) as GeminiResponse;
const user = (text: string) => ({ role: "user", parts: [{ text }] });

/** Google natively, and translations to chat, Messages and Responses. */
describe.each(["gemini-2.5-flash", "grok-4", "claude-sonnet-4-6", "gpt-5.2"])(
  "%s for a client of Google's",
  (model) => {
    const tools = [
      {
        functionDeclarations: [
          {
            name: "get_weather",
            parameters: { type: "OBJECT", properties: { city: { type: "STRING" } }, required: ["city"] },
          },
        ],
      },
    ];

    it("streams what it says whole, with thoughts only where they are asked for", async () => {
      const contents = [user("Hello")];
      const thinkingConfig = { includeThoughts: true, thinkingBudget: 4_096 };
      const whole = await read(ask(model, { contents, generationConfig: { thinkingConfig } }));
      const response = await ask(model, { contents, generationConfig: { thinkingConfig } }, "streamGenerateContent");
      const chunks = (await response.json()) as GeminiResponse[];
      const text = (responses: readonly GeminiResponse[], isThought: boolean): string =>
        responses
          .flatMap(({ candidates }) => candidates[0]?.content.parts ?? [])
          .map((part) => ((part["thought"] === true) === isThought ? (part["text"] as string) : ""))
          .join("");
      expect(text(chunks, false)).toBe(text([whole], false));
      expect(text(chunks, true)).toBe(text([whole], true));
      expect(text(chunks, true)).not.toBe("");
      const {
        promptTokenCount = 0,
        candidatesTokenCount = 0,
        thoughtsTokenCount = 0,
        totalTokenCount,
      } = chunks.at(-1)?.usageMetadata ?? {};
      expect(totalTokenCount).toBe(promptTokenCount + candidatesTokenCount + thoughtsTokenCount);
      const hidden = await read(
        ask(model, { contents, generationConfig: { thinkingConfig: { thinkingBudget: 4_096 } } }),
      );
      expect(text([hidden], true)).toBe("");
    });

    it("calls a function, and reads what it said, with or without ids", async () => {
      const contents = [user('[[tool:get_weather {"city":"Rome"}]]')];
      const { candidates } = await read(ask(model, { contents, tools }));
      const call = candidates[0]?.content.parts.find((part) => part["functionCall"] !== undefined);
      expect(call?.["functionCall"]).toMatchObject({ name: "get_weather", args: { city: "Rome" } });
      for (const parts of [[call], [{ functionCall: { name: "get_weather", args: { city: "Rome" } } }]]) {
        const result = { functionResponse: { name: "get_weather", response: { output: "Sunny" } } };
        const next = [...contents, { role: "model", parts }, { role: "user", parts: [result] }];
        const told = await read(ask(model, { contents: next, tools }));
        expect(JSON.stringify(told)).toContain("Sunny");
      }
    });

    it("keeps to a schema, sees a picture, and fails in Google's words", async () => {
      const responseSchema = { type: "OBJECT", properties: { name: { type: "STRING" } }, required: ["name"] };
      const generationConfig = { responseMimeType: "application/json", responseSchema };
      const json = await read(ask(model, { contents: [user("A recipe")], generationConfig }));
      const [part = {}] = json.candidates[0]?.content.parts ?? [];
      expect(JSON.parse(part["text"] as string)).toEqual({ name: expect.any(String) });
      const inlineData = { mimeType: "image/png", data: "iVBORw0KGgo=" };
      const seen = await read(ask(model, { contents: [{ parts: [{ text: "What is it?" }, { inlineData }] }] }));
      expect(JSON.stringify(seen)).toMatch(/image/);
      const failed = await ask(model, { contents: [user("sandbox:error=400")] });
      expect([failed.status, await failed.json()]).toMatchObject([400, { error: { code: 400, details: [{}] } }]);
    });
  },
);

it("makes a picture with an image model of Google's by the same operation", async () => {
  const { candidates } = await read(ask("gemini-2.5-flash-image", { contents: [user("A cat")] }));
  expect(candidates[0]?.content.parts).toMatchObject([{ inlineData: { mimeType: "image/png" } }]);
  expect(await postern.receipt()).toMatchObject({ endpoint: "images", model: "gemini-2.5-flash-image" });
});
