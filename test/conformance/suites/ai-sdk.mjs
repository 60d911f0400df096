// @ts-nocheck: its packages are installed only where it runs.
/** Vercel's AI SDK, which parses every response and event by its own schemas, in the four dialects. */
import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import * as ai from "ai";
import { z } from "zod";

const { SUITE_URL: url, SUITE_KEY: apiKey, SUITE_MODEL: model } = process.env;
const openai = createOpenAI({ baseURL: `${url}/v1`, apiKey });
const anthropic = createAnthropic({ baseURL: `${url}/v1`, authToken: apiKey });
const google = createGoogleGenerativeAI({ baseURL: `${url}/v1beta`, apiKey });
const models = {
  "openai-chat": openai.chat(model),
  "open-responses": openai.responses(model),
  anthropic: anthropic(model),
  gemini: google(model),
};
const weather = ai.tool({ inputSchema: z.object({ city: z.string() }), execute: async () => "Sunny." });
const loop = { tools: { weather }, stopWhen: (ai.isStepCount ?? ai.stepCountIs)(3) };
const cases = { plain: {}, "tool loop": loop };

async function failureOf(run) {
  try {
    const text = await run();
    return text === "" ? "no text" : null;
  } catch (error) {
    return String(error).slice(0, 300);
  }
}

async function streamed(request) {
  const failures = [];
  const text = await ai.streamText({ ...request, onError: ({ error }) => failures.push(error) }).text;
  if (failures.length > 0) throw new Error(String(failures[0]));
  return text;
}

const results = {};
for (const [dialect, served] of Object.entries(models)) {
  results[dialect] = {};
  for (const [name, more] of Object.entries(cases)) {
    const request = { model: served, prompt: "How is the weather in Oslo?", maxRetries: 0, ...more };
    results[dialect][name] = await failureOf(async () => (await ai.generateText(request)).text);
    results[dialect][`${name}, streamed`] = await failureOf(() => streamed(request));
  }
}
console.log(JSON.stringify(results));
