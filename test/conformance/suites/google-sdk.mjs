// @ts-nocheck: its packages are installed only where it runs.
/** Google's SDK for JavaScript, which Gemini CLI is built on. */
import { GoogleGenAI, Type } from "@google/genai";

const { SUITE_URL: baseUrl, SUITE_KEY: apiKey, SUITE_MODEL: model } = process.env;
const ai = new GoogleGenAI({ apiKey, httpOptions: { baseUrl } });
const functionDeclarations = [
  { name: "get_weather", parameters: { type: Type.OBJECT, properties: { city: { type: Type.STRING } } } },
];
const tools = [{ functionDeclarations }];

async function joinStream(asked) {
  let text = "";
  const calls = [];
  for await (const chunk of await asked) {
    text += chunk.text ?? "";
    calls.push(...(chunk.functionCalls ?? []));
  }
  return { text, calls };
}

const checks = {
  whole: async () => (await ai.models.generateContent({ model, contents: "Hello" })).text,
  streamed: async () => (await joinStream(ai.models.generateContentStream({ model, contents: "Hello" }))).text,
  "tool loop": async () => {
    const chat = ai.chats.create({ model, config: { tools } });
    const asked = await joinStream(chat.sendMessageStream({ message: "How is the weather in Oslo?" }));
    const results = asked.calls.map(({ id, name }) => ({
      functionResponse: { id, name, response: { output: "Sunny." } },
    }));
    return (await joinStream(chat.sendMessageStream({ message: results }))).text;
  },
  schema: async () => {
    const responseSchema = { type: Type.OBJECT, properties: { name: { type: Type.STRING } }, required: ["name"] };
    const config = { responseMimeType: "application/json", responseSchema };
    return JSON.parse((await ai.models.generateContent({ model, contents: "A recipe", config })).text).name;
  },
  count: async () => String((await ai.models.countTokens({ model, contents: "Hello" })).totalTokens),
};

const results = {};
for (const [name, check] of Object.entries(checks)) {
  results[name] = await check().then(
    (text) => (text ? null : "no text"),
    (error) => String(error).slice(0, 300),
  );
}
console.log(JSON.stringify({ gemini: results }));
