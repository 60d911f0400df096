import { describe, expect, it } from "vitest";
import { FIRST_FRAME, PICTURE, PROMPT, orderOf, checkRefusals, unlisted, type Json } from "../video-fixture.ts";

const input = { prompt: PROMPT };
const INLINE = "data:image/png;base64,AAAA";

describe("OpenAI's body", () => {
  it.each<[string, Json, Json]>([
    ["nothing but a prompt", { input }, { seconds: "4", size: "1280x720" }],
    ["ours", { input, duration: 8, aspect_ratio: "9:16" }, { seconds: "8", size: "720x1280" }],
    ["its own words", { input, parameters: { seconds: "12", size: "720x1280" } }, { seconds: "12", size: "720x1280" }],
    ["its own body at the top", { prompt: PROMPT, seconds: "8", size: "1280x720" }, { seconds: "8", size: "1280x720" }],
    ["seconds as a number", { prompt: PROMPT, seconds: 8 }, { seconds: "8", size: "1280x720" }],
  ])("from %s", (_, body, wire) => {
    expect(orderOf("sora-2", body).body).toEqual({ prompt: PROMPT, ...wire });
  });

  it("the larger format of the pro model is a resolution of its own, since it has a price of its own", () => {
    expect(orderOf("sora-2-pro", { input, parameters: { size: "1024x1792" } })).toMatchObject({
      resolution: "1024p",
      ratio: "9:16",
      body: { size: "1024x1792" },
    });
    expect(orderOf("sora-2-pro", { input, resolution: "1024p" }).body["size"]).toBe("1792x1024");
  });

  it.each<[string, Json, unknown]>([
    ["an inline picture", { image: INLINE }, INLINE],
    ["an address", { image: PICTURE }, { image_url: PICTURE }],
    ["media as of alpha 2.7", { media: [FIRST_FRAME] }, { image_url: PICTURE }],
    ["one that is said twice", { image: PICTURE, media: [FIRST_FRAME] }, { image_url: PICTURE }],
    ["OpenAI's own", { input_reference: { file_id: "file-1" } }, { file_id: "file-1" }],
    ["OpenAI's own, inline", { input_reference: { image_url: INLINE } }, INLINE],
  ])("begins from %s", (_, given, reference) => {
    expect(orderOf("sora-2", { input: { ...input, ...given } }).body["input_reference"]).toEqual(reference);
  });
});

checkRefusals("sora-2", [
  ["no prompt", { input: {} }, "input.prompt missing_required_parameter"],
  ["5 s", { input, duration: 5 }, "duration"],
  ["words for seconds", { input, parameters: { seconds: "four" } }, "parameters.seconds invalid_type"],
  ["1080p", { input, resolution: "1080p" }, "resolution"],
  ["a square", { input, parameters: { size: "720x720" } }, "parameters.size"],
  ["the format of pro", { input, parameters: { size: "1024x1792" } }, "parameters.size"],
  ["1:1", { input, aspect_ratio: "1:1" }, "aspect_ratio"],
  ["two pictures", { input: { ...input, image: INLINE, media: [FIRST_FRAME] } }, "input.media"],
  ["two lengths", { input, duration: 8, parameters: { seconds: "4" } }, "duration invalid_value"],
  ["two shapes", { input, aspect_ratio: "9:16", parameters: { size: "1280x720" } }, "aspect_ratio invalid_value"],
]);

describe("a server with OpenAI's dialect whose models no one here knows", () => {
  const model = unlisted("sora");

  it("learns what the client said, and nothing else", () => {
    expect(orderOf(model, { prompt: PROMPT, guidance: 0 }).body).toEqual({ prompt: PROMPT, guidance: 0 });
    expect(orderOf(model, { input, duration: 7, resolution: "480p" }).body).toEqual({
      prompt: PROMPT,
      seconds: "7",
      size: "832x480",
    });
    expect(orderOf(model, { prompt: PROMPT, size: "640x640" })).toMatchObject({
      body: { size: "640x640" },
      ratio: "1:1",
    });
  });
});
