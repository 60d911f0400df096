import { describe, expect, it } from "vitest";
import { FIRST_FRAME, MOVIE, PICTURE, PROMPT, item, orderOf, checkRefusals, type Json } from "../video-fixture.ts";

const MODEL = "grok-imagine-video";
const input = { prompt: PROMPT };
const USUAL = { duration: 5, resolution: "720p" };
const picture = { url: PICTURE };

describe("xAI's flat body", () => {
  it.each<[string, Json, Json]>([
    ["a prompt", { input }, { prompt: PROMPT, ...USUAL }],
    [
      "the top of ours",
      { duration: 10, resolution: "480P", aspect_ratio: "2:3", input },
      { prompt: PROMPT, duration: 10, resolution: "480p", aspect_ratio: "2:3" },
    ],
    [
      "parameters",
      { input, parameters: { duration: 7, resolution: "480p", aspect_ratio: "1:1", user: "u" } },
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

checkRefusals(MODEL, [
  ["nothing", {}, "input.prompt missing_required_parameter"],
  ["no prompt", { input: {} }, "input.prompt missing_required_parameter"],
  ["a prompt that is no text", { input: { prompt: 1 } }, "input.prompt invalid_type"],
  ["a picture that is none", { input: { image: 1 } }, "input.image invalid_type"],
  ["references that are none", { input: { ...input, reference_urls: "y" } }, "input.reference_urls invalid_type"],
  ["an end", { input: { media: [item("last_frame", "y")] } }, "input.media[0].type"],
  [
    "two videos",
    {
      input: {
        prompt: "x",
        media: [item("video", "y"), item("reference_video", "z")],
      },
    },
    "input.media",
  ],
  ["two pictures to begin from", { input: { image: "y", media: [FIRST_FRAME] } }, "input.media"],
  ["16 s", { input, duration: 16 }, "duration"],
  ["1080p", { input, resolution: "1080p" }, "resolution"],
  ["a ratio that is not made", { input, aspect_ratio: "21:9" }, "aspect_ratio"],
  ["two durations", { input, duration: 5, parameters: { duration: 6 } }, "duration invalid_value"],
]);
