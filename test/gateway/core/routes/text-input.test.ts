import { expect, it } from "vitest";
import { textInputTokens } from "../../../../gateway/core/routes/text-input.ts";

const WORDS = "Rain over the sea. ".repeat(10);
const one = textInputTokens({ input: WORDS }, 0);

it.each<[string, unknown, number]>([
  ["a text", { input: WORDS }, one],
  ["several texts", { input: [WORDS, WORDS] }, 2 * one],
  ["tokens", { input: [1, 2, 3, 4] }, 4],
  ["several inputs of tokens", { input: [[1, 2], [3]] }, 3],
  ["a prompt", { prompt: WORDS, n: 4 }, one],
  ["what is moderated, without its picture", { input: [{ type: "text", text: WORDS }, { type: "image_url" }] }, one],
  ["a picture in base64", { input: [{ type: "image_url", image_url: { url: `data:${WORDS}` } }] }, 0],
  ["DashScope's own words", { input: { messages: [{ role: "user", content: [{ text: WORDS }] }] } }, one],
  ["Gemini's own words", { contents: [{ parts: [{ text: WORDS }, { inlineData: { data: WORDS } }] }] }, one],
  ["nothing", { model: "m" }, 0],
  ["no body", null, 0],
])("counts %s", (_, body, tokens) => {
  expect(textInputTokens(body, 0)).toBe(tokens);
});

it("counts long bodies by a sample", () => {
  const input = WORDS.repeat(30_000);
  const tokens = textInputTokens({ input }, input.length);
  expect(tokens).toBeGreaterThan(500_000);
});
