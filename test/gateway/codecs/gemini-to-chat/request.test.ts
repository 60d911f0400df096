import { describe, expect, it } from "vitest";
import type { Document } from "../../../../gateway/codecs/translation.ts";
import { ASKED, translateGemini } from "../support/gemini.ts";
import { refusalOf } from "../support/translating.ts";

const chat = (body: Document, model?: string): Document => translateGemini(body, model).body;
const PNG = "iVBORw0KGgo=";

describe("a request of Google's as chat", () => {
  it("has the instruction first, sampling, stops and the model's own bound", () => {
    const generationConfig = {
      temperature: 0.2,
      topP: 0.9,
      topK: 40,
      seed: 7,
      maxOutputTokens: 50,
      stopSequences: ["END"],
      presencePenalty: 0.5,
    };
    expect(chat({ systemInstruction: { parts: [{ text: "Be" }, { text: "brief" }] }, generationConfig })).toEqual({
      model: "house-model",
      messages: [
        { role: "system", content: "Be\n\nbrief" },
        { role: "user", content: "Hi" },
      ],
      max_tokens: 50,
      temperature: 0.2,
      stop: ["END"],
      seed: 7,
      presence_penalty: 0.5,
    });
  });

  it("is the same in snake_case, whose values stay as they are", () => {
    const declared = { name: "f", parameters: { type: "OBJECT", properties: { user_id: { type: "STRING" } } } };
    const snake = {
      system_instruction: { parts: [{ text: "Be brief" }] },
      generation_config: { max_output_tokens: 5, response_mime_type: "application/json" },
      tools: [{ function_declarations: [declared] }],
      contents: [{ parts: [{ inline_data: { mime_type: "image/png", data: PNG } }] }],
    };
    const camel = {
      systemInstruction: { parts: [{ text: "Be brief" }] },
      generationConfig: { maxOutputTokens: 5, responseMimeType: "application/json" },
      tools: [{ functionDeclarations: [declared] }],
      contents: [{ parts: [{ inlineData: { mimeType: "image/png", data: PNG } }] }],
    };
    expect(chat(snake)).toEqual(chat(camel));
    expect(JSON.stringify(chat(snake)["tools"])).toContain("user_id");
  });

  it("refuses a field in both spellings, because a provider may take the other one", () => {
    const generationConfig = { maxOutputTokens: 5, max_output_tokens: 5_000 };
    const { code, details } = refusalOf(() => chat({ generationConfig }));
    expect([code, details.param]).toEqual(["invalid_value", "maxOutputTokens"]);
  });

  it("keeps calls and results together by id, else by name and order, and writes a result without a call as text", () => {
    const contents = [
      { role: "user", parts: [{ text: "Weather?" }] },
      {
        role: "model",
        parts: [
          { text: "I look." },
          { functionCall: { name: "weather", args: { city: "Rome" } } },
          { functionCall: { name: "weather", args: { city: "Oslo" } } },
          { functionCall: { id: "mine", name: "time" } },
        ],
      },
      {
        role: "user",
        parts: [
          { functionResponse: { id: "mine", name: "time", response: { error: "no clock" } } },
          { functionResponse: { name: "weather", response: { output: "Sunny" } } },
          { functionResponse: { name: "weather", response: { temperature: 3 } } },
          { functionResponse: { name: "nothing", response: { output: "late" } } },
        ],
      },
    ];
    const { messages } = chat({ contents }) as { messages: readonly Document[] };
    expect(messages.slice(1)).toEqual([
      {
        role: "assistant",
        content: "I look.",
        tool_calls: [
          { id: "call_1", type: "function", function: { name: "weather", arguments: '{"city":"Rome"}' } },
          { id: "call_2", type: "function", function: { name: "weather", arguments: '{"city":"Oslo"}' } },
          { id: "mine", type: "function", function: { name: "time", arguments: "{}" } },
        ],
      },
      { role: "tool", tool_call_id: "mine", content: "Error: no clock" },
      { role: "tool", tool_call_id: "call_1", content: "Sunny" },
      { role: "tool", tool_call_id: "call_2", content: '{"temperature":3}' },
      { role: "user", content: "Result of tool call nothing:\nlate" },
    ]);
  });

  it.each([
    [{ mode: "AUTO" }, undefined, ["a", "b"]],
    [{ mode: "VALIDATED" }, undefined, ["a", "b"]],
    [{ mode: "NONE" }, "none", ["a", "b"]],
    [{ mode: "ANY" }, "required", ["a", "b"]],
    [{ mode: "ANY", allowedFunctionNames: ["b"] }, { type: "function", function: { name: "b" } }, ["b"]],
  ])("offers functions by %o", (functionCallingConfig, choice, names) => {
    const functionDeclarations = [{ name: "a" }, { name: "b", parametersJsonSchema: { type: "object" } }];
    const body = chat({ tools: [{ functionDeclarations }], toolConfig: { functionCallingConfig } });
    expect(body["tool_choice"]).toEqual(choice);
    expect((body["tools"] as { function: Document }[]).map((tool) => tool.function["name"])).toEqual(names);
  });

  it("has Google's schemas as JSON Schema", () => {
    const responseSchema = {
      type: "OBJECT",
      propertyOrdering: ["a"],
      required: ["a"],
      properties: {
        a: { type: "ARRAY", minItems: "1", items: { type: "STRING", format: "enum", enum: ["x"], nullable: true } },
        type: { anyOf: [{ type: "INTEGER" }, { type: "NUMBER" }], nullable: true },
      },
    };
    const generationConfig = { responseMimeType: "application/json", responseSchema };
    const { response_format: format } = chat({ generationConfig });
    expect(format).toMatchObject({
      json_schema: {
        schema: {
          type: "object",
          required: ["a"],
          properties: {
            a: { type: "array", minItems: 1, items: { type: ["string", "null"], enum: ["x", null] } },
            type: { anyOf: [{ type: "integer" }, { type: "number" }, { type: "null" }] },
          },
        },
      },
    });
    expect(JSON.stringify(format)).not.toMatch(/propertyOrdering|nullable|"format"/);
    expect(chat({ generationConfig: { responseMimeType: "application/json" } })).toMatchObject({
      messages: [{ role: "system", content: "Respond in JSON." }, { role: "user" }],
      response_format: { type: "json_object" },
    });
  });

  it.each([
    [{ thinkingBudget: 0 }, "none"],
    [{ thinkingBudget: 2_000 }, "medium"],
    [{ thinkingLevel: "HIGH" }, "high"],
    [{ thinkingLevel: "LOW" }, "low"],
    [{ thinkingBudget: -1 }, undefined],
    [{ includeThoughts: true }, undefined],
  ])("thinks as %o says", (thinkingConfig, effort) => {
    expect(chat({ generationConfig: { thinkingConfig } }, "gpt-5.2")["reasoning_effort"]).toBe(effort);
  });

  it("has pictures, sounds, films, documents and texts, in either alphabet of base64", () => {
    const inline = (mimeType: string, data: string) => ({ inlineData: { mimeType, data } });
    const parts = [
      inline("image/png", "-_8="),
      inline("audio/mpeg", "AAAA"),
      inline("video/mp4", "AAAA"),
      inline("application/pdf", "AAAA"),
      inline("text/plain", Buffer.from("a note").toString("base64")),
      { fileData: { mimeType: "image/jpeg", fileUri: "https://example.com/a.jpg" } },
    ];
    expect(chat({ contents: [{ parts }] })["messages"]).toEqual([
      {
        role: "user",
        content: [
          { type: "image_url", image_url: { url: "data:image/png;base64,+/8=" } },
          { type: "input_audio", input_audio: { data: "AAAA", format: "mp3" } },
          { type: "video_url", video_url: { url: "data:video/mp4;base64,AAAA" } },
          { type: "file", file: { filename: "document.pdf", file_data: "data:application/pdf;base64,AAAA" } },
          { type: "text", text: "a note" },
          { type: "image_url", image_url: { url: "https://example.com/a.jpg" } },
        ],
      },
    ]);
  });

  it.each<[Document, string]>([
    [{ cachedContent: "cachedContents/x" }, "cachedContent"],
    [{ generationConfig: { candidateCount: 2 } }, "generationConfig.candidateCount"],
    [{ generationConfig: { responseModalities: ["AUDIO"] } }, "generationConfig.responseModalities"],
    [{ generationConfig: { responseMimeType: "text/x.enum" } }, "generationConfig.responseMimeType"],
    [{ contents: [{ parts: [{ fileData: { fileUri: "gs://bucket/film.mp4" } }] }] }, "contents"],
  ])("refuses %o, which only Google can do", (body, param) => {
    const { status, details, message } = refusalOf(() => chat(body));
    expect([status, details.param]).toEqual([400, param]);
    expect(message).toContain("Google's models");
  });

  it("leaves out Google's own tools and settings", () => {
    const tools = [{ googleSearch: {} }, { codeExecution: {} }];
    expect(chat({ tools, safetySettings: [{ category: "X" }], labels: { a_b: "c" } })).toEqual(chat(ASKED));
  });
});
