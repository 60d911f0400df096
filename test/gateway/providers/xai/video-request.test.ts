import { describe, expect, it } from "vitest";
import { FIRST_FRAME, MOVIE, PICTURE, PROMPT, orderOf, refusalOf, type Json } from "../video-fixture.ts";

const MODEL = "grok-imagine-video";
const USUAL = { duration: 5, resolution: "720p" };
const picture = { url: PICTURE };

describe("xAI's flat body", () => {
  it.each<[string, Json, Json]>([
    ["a prompt", { input: { prompt: PROMPT } }, { prompt: PROMPT, ...USUAL }],
    [
      "the top of ours",
      { duration: 10, resolution: "480P", aspect_ratio: "2:3", input: { prompt: PROMPT } },
      { prompt: PROMPT, duration: 10, resolution: "480p", aspect_ratio: "2:3" },
    ],
    [
      "parameters",
      { input: { prompt: PROMPT }, parameters: { duration: 7, resolution: "480p", aspect_ratio: "1:1", user: "u" } },
      { prompt: PROMPT, user: "u", duration: 7, resolution: "480p", aspect_ratio: "1:1" },
    ],
    ["a picture", { input: { prompt: PROMPT, image: PICTURE } }, { prompt: PROMPT, image: picture, ...USUAL }],
    ["xAI's own picture", { input: { image: { file_id: "f" } } }, { image: { file_id: "f" }, ...USUAL }],
    ["media as of alpha 2.7", { input: { media: [FIRST_FRAME] } }, { image: picture, ...USUAL }],
    [
      "references, beside its own",
      { input: { prompt: PROMPT, reference_images: [{ url: "a" }], reference_urls: [PICTURE] } },
      { prompt: PROMPT, reference_images: [{ url: "a" }, picture], ...USUAL },
    ],
    [
      "xAI's own body at the top",
      {
        prompt: PROMPT,
        image: picture,
        duration: 6,
        resolution: "480p",
        unheard_of: 0,
        wait: false,
        webhook_url: null,
      },
      { prompt: PROMPT, image: picture, unheard_of: 0, duration: 6, resolution: "480p" },
    ],
  ])("from %s", (_, body, flat) => {
    expect(orderOf(MODEL, body).body).toEqual(flat);
  });
});

describe("a video to begin from", () => {
  it("is edited without duration, ratio and resolution, and the longest is held", () => {
    const order = orderOf(MODEL, {
      duration: 5,
      resolution: "720p",
      aspect_ratio: "16:9",
      input: { prompt: PROMPT, video: MOVIE },
      parameters: { resolution: "720p" },
    });
    expect(order.body).toEqual({ prompt: PROMPT, video: { url: MOVIE } });
    expect(order).toMatchObject({ seconds: 5, holdSeconds: 15 });
  });

  it("is made longer by a duration of the provider's own", () => {
    const order = orderOf(MODEL, { input: { prompt: PROMPT, video: { url: MOVIE } }, parameters: { duration: 4 } });
    expect(order.body).toEqual({ prompt: PROMPT, video: { url: MOVIE }, duration: 4 });
    expect(order).toMatchObject({ seconds: 4, holdSeconds: 19 });
  });
});

it.each<[string, Json, string, string]>([
  ["nothing", {}, "missing_required_parameter", "input.prompt"],
  ["no prompt", { input: {} }, "missing_required_parameter", "input.prompt"],
  ["a prompt that is no text", { input: { prompt: 1 } }, "invalid_type", "input.prompt"],
  ["a picture that is none", { input: { image: 1 } }, "invalid_type", "input.image"],
  ["references that are none", { input: { prompt: "x", reference_urls: "y" } }, "invalid_type", "input.reference_urls"],
  ["an end", { input: { media: [{ type: "last_frame", url: "y" }] } }, "unsupported_value", "input.media[0].type"],
  [
    "two videos",
    {
      input: {
        prompt: "x",
        media: [
          { type: "video", url: "y" },
          { type: "reference_video", url: "z" },
        ],
      },
    },
    "unsupported_value",
    "input.media",
  ],
  ["two pictures to begin from", { input: { image: "y", media: [FIRST_FRAME] } }, "unsupported_value", "input.media"],
  ["16 s", { input: { prompt: "x" }, duration: 16 }, "unsupported_value", "duration"],
  ["1080p", { input: { prompt: "x" }, resolution: "1080p" }, "unsupported_value", "resolution"],
  ["a ratio that is not made", { input: { prompt: "x" }, aspect_ratio: "21:9" }, "unsupported_value", "aspect_ratio"],
  ["two durations", { input: { prompt: "x" }, duration: 5, parameters: { duration: 6 } }, "invalid_value", "duration"],
])("%s is refused", (_, body, code, param) => {
  expect(refusalOf(MODEL, body)).toMatchObject({ code, param });
});
