import { describe, expect, test } from "vitest";
import { errorOf, minimal } from "./chat-request-fixture.ts";
import { functionCall, modelTurn, systemTurn, textBlock, toolTurn, userTurn } from "../../codecs/support/blocks.ts";

const image = { type: "image_url", image_url: { url: "data:image/png;base64,AAAA", detail: "low" } };

describe("messages", () => {
  test.each([
    ["system", systemTurn("Be brief.")],
    ["developer", { role: "developer", content: "Be brief.", name: "n" }],
    ["user with blocks", userTurn([textBlock("What is this?"), image])],
    ["user with an empty text", userTurn("")],
    ["image as a bare URL", userTurn([{ type: "image_url", image_url: "data:image/png;base64,AAAA" }])],
    [
      "video, sound and file blocks",
      userTurn([
        { type: "video_url", video_url: { url: "https://example.com/a.mp4" } },
        { type: "audio_url", audio_url: { url: "https://example.com/a.mp3" } },
        { type: "input_audio", input_audio: { data: "AAAA", format: "wav" } },
        { type: "file", file: { file_id: "file-1" } },
      ]),
    ],
    ["a block of a kind that is not known", userTurn([{ type: "hologram", hologram: { url: 5 } }])],
    [
      "assistant without content but with tool calls",
      {
        role: "assistant",
        content: null,
        tool_calls: [functionCall("c1", "f", "{}")],
      },
    ],
    ["assistant with reasoning and no content", { role: "assistant", content: null, reasoning_content: "Hm." }],
    ["assistant refusal block", modelTurn([{ type: "refusal", refusal: "No." }])],
    ["tool with a string", toolTurn("c1", "15 °C")],
    ["tool with blocks", toolTurn("c1", [textBlock("15 °C")])],
    ["function (deprecated)", { role: "function", name: "f", content: "15 °C" }],
    ["fields that nobody knows", { role: "user", content: "hi", cache_control: { type: "ephemeral" }, weight: 3 }],
  ])("takes %s", (_, message) => {
    expect(errorOf({ ...minimal, messages: [message] })).toBeUndefined();
  });

  test.each<[string, object, param: string, code?: string]>([
    ["an unknown role", { role: "robot", content: "x" }, "role", "invalid_value"],
    ["no role", { content: "x" }, "role"],
    ["no content", { role: "user" }, "content"],
    ["null content of a user", userTurn(null), "content", "invalid_value"],
    ["assistant with neither content nor calls", { role: "assistant" }, "content"],
    ["a number as content", userTurn(5), "content", "invalid_type"],
    ["a string among blocks", userTurn(["hi"]), "content[0]", "invalid_type"],
    ["a block without type", userTurn([{ text: "hi" }]), "content[0].type"],
    ["a text block without text", userTurn([{ type: "text" }]), "content[0].text"],
    ["an image without url", userTurn([{ type: "image_url", image_url: {} }]), "content[0].image_url.url"],
    ["a tool answer without call id", { role: "tool", content: "x" }, "tool_call_id"],
    ["tool calls that are no array", { role: "assistant", content: "", tool_calls: {} }, "tool_calls", "invalid_type"],
  ])("refuses %s", (_, message, param, code = "missing_required_parameter") => {
    expect(errorOf({ ...minimal, messages: [message] })).toMatchObject({
      code,
      details: { param: `messages[0].${param}` },
    });
  });

  test("names the message that is wrong, not the first", () => {
    const error = errorOf({
      ...minimal,
      messages: [userTurn("a"), userTurn([image, { type: "text", text: 4 }])],
    });
    expect(error?.details.param).toBe("messages[1].content[1].text");
  });
});
