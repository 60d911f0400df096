import { describe, expect, test } from "vitest";
import { errorOf, minimal } from "./chat-request-fixture.ts";

const image = { type: "image_url", image_url: { url: "data:image/png;base64,AAAA", detail: "low" } };

describe("messages", () => {
  test.each([
    ["system", { role: "system", content: "Be brief." }],
    ["developer", { role: "developer", content: "Be brief.", name: "n" }],
    ["user with blocks", { role: "user", content: [{ type: "text", text: "What is this?" }, image] }],
    ["user with an empty text", { role: "user", content: "" }],
    [
      "image as a bare URL",
      { role: "user", content: [{ type: "image_url", image_url: "data:image/png;base64,AAAA" }] },
    ],
    [
      "video, sound and file blocks",
      {
        role: "user",
        content: [
          { type: "video_url", video_url: { url: "https://example.com/a.mp4" } },
          { type: "audio_url", audio_url: { url: "https://example.com/a.mp3" } },
          { type: "input_audio", input_audio: { data: "AAAA", format: "wav" } },
          { type: "file", file: { file_id: "file-1" } },
        ],
      },
    ],
    ["a block of a kind that is not known", { role: "user", content: [{ type: "hologram", hologram: { url: 5 } }] }],
    [
      "assistant without content but with tool calls",
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "c1", type: "function", function: { name: "f", arguments: "{}" } }],
      },
    ],
    ["assistant with reasoning and no content", { role: "assistant", content: null, reasoning_content: "Hm." }],
    ["assistant refusal block", { role: "assistant", content: [{ type: "refusal", refusal: "No." }] }],
    ["tool with a string", { role: "tool", tool_call_id: "c1", content: "15 °C" }],
    ["tool with blocks", { role: "tool", tool_call_id: "c1", content: [{ type: "text", text: "15 °C" }] }],
    ["function (deprecated)", { role: "function", name: "f", content: "15 °C" }],
    ["fields that nobody knows", { role: "user", content: "hi", cache_control: { type: "ephemeral" }, weight: 3 }],
  ])("takes %s", (_, message) => {
    expect(errorOf({ ...minimal, messages: [message] })).toBeUndefined();
  });

  test.each([
    ["an unknown role", { role: "robot", content: "x" }, "messages[0].role", "invalid_value"],
    ["no role", { content: "x" }, "messages[0].role", "missing_required_parameter"],
    ["no content", { role: "user" }, "messages[0].content", "missing_required_parameter"],
    ["null content of a user", { role: "user", content: null }, "messages[0].content", "invalid_value"],
    [
      "assistant with neither content nor calls",
      { role: "assistant" },
      "messages[0].content",
      "missing_required_parameter",
    ],
    ["a number as content", { role: "user", content: 5 }, "messages[0].content", "invalid_type"],
    ["a string among blocks", { role: "user", content: ["hi"] }, "messages[0].content[0]", "invalid_type"],
    [
      "a block without type",
      { role: "user", content: [{ text: "hi" }] },
      "messages[0].content[0].type",
      "missing_required_parameter",
    ],
    [
      "a text block without text",
      { role: "user", content: [{ type: "text" }] },
      "messages[0].content[0].text",
      "missing_required_parameter",
    ],
    [
      "an image without url",
      { role: "user", content: [{ type: "image_url", image_url: {} }] },
      "messages[0].content[0].image_url.url",
      "missing_required_parameter",
    ],
    [
      "a tool answer without call id",
      { role: "tool", content: "x" },
      "messages[0].tool_call_id",
      "missing_required_parameter",
    ],
    [
      "tool calls that are no array",
      { role: "assistant", content: "", tool_calls: {} },
      "messages[0].tool_calls",
      "invalid_type",
    ],
  ])("refuses %s", (_, message, param, code) => {
    expect(errorOf({ ...minimal, messages: [message] })).toMatchObject({ code, details: { param } });
  });

  test("names the message that is wrong, not the first", () => {
    const error = errorOf({
      ...minimal,
      messages: [
        { role: "user", content: "a" },
        { role: "user", content: [image, { type: "text", text: 4 }] },
      ],
    });
    expect(error?.details.param).toBe("messages[1].content[1].text");
  });
});
