import { expect, it } from "vitest";
import { STAND_IN } from "../../../../renderer/features/playground/media/media-requests.ts";
import { chatQuote } from "../../../../renderer/features/playground/chat/chat-quote.ts";

it("asks for the price of the same words, pictures and bound, and puts tools in as words", () => {
  const picture = [{ type: "image_url", image_url: { url: "data:image/png;base64,AA==" } }];
  const tools = [{ type: "function", function: { name: "get_weather" } }];
  const call = { id: "1", type: "function", function: { name: "get_weather", arguments: "{}" } };
  const body = {
    model: "m",
    stream: true,
    seed: 1,
    messages: [
      { role: "system", content: "Be brief." },
      { role: "user", content: picture },
      { role: "assistant", content: null, tool_calls: [call] },
      { role: "tool", tool_call_id: "1", content: "21" },
    ],
    max_completion_tokens: 50,
    reasoning_effort: "low",
    tools,
  };
  expect(chatQuote(body)).toEqual({
    model: "m",
    messages: [
      { role: "system", content: "Be brief." },
      { role: "user", content: [{ type: "image_url", image_url: { url: STAND_IN } }] },
      { role: "assistant", content: JSON.stringify([call]) },
      { role: "user", content: "21" },
    ],
    system: JSON.stringify(tools),
    max_tokens: 50,
    reasoning_effort: "low",
  });
  expect(chatQuote({ model: "m", messages: [] })).toEqual({ model: "m", messages: [] });
});
