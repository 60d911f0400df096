import { reply, replyEvents } from "../../support/wire-provider.ts";
import type { LoopCase } from "./loop-case.ts";

const NATIVE = "gemini-3.8-flash";
const ANSWER = { candidates: [{ content: { parts: [{ text: "Hello." }] }, finishReason: "STOP" }] };
const CHAT = { choices: [{ index: 0, message: { role: "assistant", content: "Hello." }, finish_reason: "stop" }] };
const range = (size: number): number[] => Array.from({ length: size }, (_, index) => index);
const user = (parts: readonly object[]) => ({ role: "user", parts });

/** A request of Google's, to Google and to a provider of another dialect. */
const asked = (name: string, full: number, body: (size: number) => object): LoopCase[] =>
  [NATIVE, "deepseek-v4-flash"].map((model) => ({
    name: `${name}, Gemini API, ${model}`,
    full,
    run: (world, size) => {
      world.wire.on(`POST /gemini/v1beta/models/${NATIVE}:generateContent`, reply(200, ANSWER));
      world.wire.on("POST /deepseek/v1/chat/completions", reply(200, CHAT));
      return world.post(`beta/models/${model}:generateContent`, JSON.stringify(body(size)));
    },
  }));

const call = (index: number) => ({ functionCall: { name: `f${index}`, args: {} } });
const result = (index: number) => ({ functionResponse: { name: `f${index}`, response: { output: "x" } } });

/** Inputs of Google's dialect that a careless reader needs the square of their size for. */
export const geminiCases: readonly LoopCase[] = [
  ...asked("turns", 15_000, (size) => ({
    contents: range(size).map((index) => ({ role: index % 2 === 0 ? "user" : "model", parts: [{ text: "a" }] })),
  })),
  ...asked("parts of one turn", 50_000, (size) => ({ contents: [user(range(size).map(() => ({ text: "a" })))] })),
  ...asked("calls with their results in reverse", 10_000, (size) => ({
    contents: [
      user([{ text: "Go" }]),
      { role: "model", parts: range(size).map(call) },
      user(range(size).toReversed().map(result)),
    ],
  })),
  ...asked("results without a call", 10_000, (size) => ({ contents: [user(range(size).map(result))] })),
  ...asked("fields in snake_case", 20_000, (size) => ({
    contents: [user(range(size).map(() => ({ inline_data: { mime_type: "text/plain", data: "YQ==" } })))],
  })),
  ...asked("functions that are all allowed", 10_000, (size) => ({
    contents: [user([{ text: "Go" }])],
    tools: [{ functionDeclarations: range(size).map((index) => ({ name: `f${index}` })) }],
    toolConfig: {
      functionCallingConfig: { mode: "ANY", allowedFunctionNames: range(size).map((index) => `f${index}`) },
    },
  })),
  ...asked("a schema of many fields", 20_000, (size) => ({
    contents: [user([{ text: "Go" }])],
    generationConfig: {
      responseMimeType: "application/json",
      responseSchema: {
        type: "OBJECT",
        properties: Object.fromEntries(range(size).map((index) => [`a${index}`, { type: "STRING", nullable: true }])),
      },
    },
  })),
  ...asked("a long signature", 8_000_000, (size) => ({
    contents: [user([{ text: "Go" }]), { role: "model", parts: [{ ...call(1), thoughtSignature: "A".repeat(size) }] }],
  })),
  {
    name: "a stream of many chunks, Gemini API",
    full: 20_000,
    run: (world, size) => {
      const chunks = range(size).map(
        () => `data: ${JSON.stringify({ candidates: [{ content: { parts: [{ text: "a" }] } }] })}\n\n`,
      );
      world.wire.on(
        `POST /gemini/v1beta/models/${NATIVE}:streamGenerateContent`,
        replyEvents(...chunks, `data: ${JSON.stringify(ANSWER)}\n\n`),
      );
      return world.post(
        `beta/models/${NATIVE}:streamGenerateContent`,
        JSON.stringify({ contents: [user([{ text: "Go" }])] }),
      );
    },
  },
];
