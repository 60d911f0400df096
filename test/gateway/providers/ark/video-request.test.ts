import { describe, expect, it } from "vitest";
import {
  FIRST_FRAME,
  MOVIE,
  PICTURE,
  PROMPT,
  item,
  orderOf,
  checkRefusals,
  refusalOf,
  unlisted,
  type Json,
} from "../video-fixture.ts";

const MODEL = "doubao-seedance-2-0-260128";
const OLD = "doubao-seedance-1-0-pro-250528";
const TEXT = { type: "text", text: PROMPT };
const image = (role: string) => ({ type: "image_url", image_url: { url: PICTURE }, role });
const input = { prompt: PROMPT };
const USUAL = { resolution: "720p", duration: 5 };

describe("what it is made from", () => {
  it.each<[string, Json, readonly Json[]]>([
    ["a prompt", { prompt: PROMPT }, [TEXT]],
    ["a picture", { prompt: PROMPT, image: PICTURE }, [TEXT, image("first_frame")]],
    ["a picture as an object", { image: { url: PICTURE } }, [image("first_frame")]],
    ["img_url", { img_url: PICTURE }, [image("first_frame")]],
    [
      "first and last frame",
      { prompt: PROMPT, first_frame: PICTURE, last_frame: PICTURE },
      [TEXT, image("first_frame"), image("last_frame")],
    ],
    [
      "references",
      { prompt: PROMPT, reference_urls: [PICTURE, MOVIE, "https://example.com/a.mp3?x=1"] },
      [
        TEXT,
        image("reference_image"),
        { type: "video_url", video_url: { url: MOVIE }, role: "reference_video" },
        { type: "audio_url", audio_url: { url: "https://example.com/a.mp3?x=1" }, role: "reference_audio" },
      ],
    ],
    [
      "media as of alpha 2.7",
      {
        media: [FIRST_FRAME, item("reference_video", MOVIE), item("driving_audio", "https://e.com/a")],
      },
      [
        image("first_frame"),
        { type: "video_url", video_url: { url: MOVIE }, role: "reference_video" },
        { type: "audio_url", audio_url: { url: "https://e.com/a" }, role: "reference_audio" },
      ],
    ],
    [
      "content and a prompt beside it",
      { prompt: PROMPT, content: [image("first_frame")] },
      [TEXT, image("first_frame")],
    ],
    ["content with a text of its own", { prompt: "other", content: [TEXT] }, [TEXT]],
  ])("%s", (_, input, content) => {
    expect(orderOf(MODEL, { input }).body).toEqual({ content, ...USUAL });
  });

  it("the provider's own content is passed on as it is, unknown items too", () => {
    const content = [TEXT, { type: "draft_task", draft_task: { id: "cgt-1" } }, { type: "unheard_of" }];
    const order = orderOf(MODEL, { input: { content } });
    expect(order.body["content"]).toEqual(content);
    expect(order.prompt).toBe(PROMPT);
  });

  it("the provider's own flat body, without what is ours", () => {
    const order = orderOf(MODEL, {
      content: [TEXT],
      duration: 8,
      resolution: "1080P",
      ratio: "21:9",
      generate_audio: false,
      seed: 0,
      unheard_of: [1],
      webhook_url: "https://example.com/hook",
      wait: true,
      camera_fixed: null,
    });
    expect(order.body).toEqual({
      content: [TEXT],
      duration: 8,
      resolution: "1080p",
      ratio: "21:9",
      generate_audio: false,
      seed: 0,
      unheard_of: [1],
    });
    expect(order).toMatchObject({ seconds: 8, resolution: "1080p", ratio: "21:9", prompt: PROMPT });
  });

  it("input, parameters and the top of the body go into one flat body", () => {
    const order = orderOf(MODEL, {
      aspect_ratio: "9:16",
      input: { prompt: PROMPT, safety_identifier: "u1" },
      parameters: { generate_audio: false, draft: false, return_last_frame: true },
    });
    expect(order.body).toEqual({
      content: [TEXT],
      safety_identifier: "u1",
      generate_audio: false,
      draft: false,
      return_last_frame: true,
      ratio: "9:16",
      ...USUAL,
    });
    expect(order.parameters).not.toHaveProperty("content");
  });
});

describe("how long it is", () => {
  it("the model may decide: then the longest is held", () => {
    expect(orderOf(MODEL, { input, parameters: { duration: -1 } })).toMatchObject({
      seconds: 15,
      holdSeconds: 15,
      body: { duration: -1 },
    });
  });

  it("frames beat seconds, and need not make whole ones", () => {
    const order = orderOf(OLD, { input, parameters: { frames: 121 } });
    expect(order).toMatchObject({ seconds: 5.042, holdSeconds: 5.042, body: { frames: 121 } });
    expect(order.body).not.toHaveProperty("duration");
    expect(orderOf(OLD, { input, duration: 5, parameters: { frames: 121 } }).seconds).toBe(5.042);
    expect(refusalOf(OLD, { input, duration: 10, parameters: { frames: 121 } }).message).toContain("parameters.frames");
  });

  it("what the first generation obeys in a prompt counts, and is not said twice", () => {
    const prompt = "A lighthouse --rs 1080p --dur 10 --rt 21:9";
    const order = orderOf(OLD, { input: { prompt } });
    expect(order).toMatchObject({ seconds: 10, resolution: "1080p", ratio: "21:9" });
    expect(order.body).toEqual({ content: [{ type: "text", text: prompt }] });
    const refusal = refusalOf(OLD, { input: { prompt }, duration: 5 });
    expect(refusal.message).toContain("'duration' is 5 and 'input.prompt' is \"10\"");
  });

  it("later generations do not obey it", () => {
    expect(orderOf(MODEL, { input: { prompt: "A lighthouse --dur 10" } }).body).toMatchObject(USUAL);
  });

  it.each([
    [3_600, 3_600_000],
    [0, null],
    ["3600", null],
    [1e12, null],
  ])("execution_expires_after %j is a patience of %j ms", (seconds, timeoutMs) => {
    const order = orderOf(MODEL, { input, parameters: { execution_expires_after: seconds } });
    expect(order.timeoutMs).toBe(timeoutMs);
    expect(order.body["execution_expires_after"]).toBe(seconds);
  });
});

checkRefusals(MODEL, [
  ["nothing", { input: {} }, "input.prompt missing_required_parameter"],
  ["nothing at all", {}, "input.prompt missing_required_parameter"],
  ["empty content", { content: [] }, "input.prompt missing_required_parameter"],
  ["a prompt that is no text", { input: { prompt: [PROMPT] } }, "input.prompt invalid_type"],
  ["content that is no list", { input: { content: PROMPT } }, "input.content invalid_type"],
  ["flat content that is no list", { content: PROMPT }, "content invalid_type"],
  ["an item that is none", { content: [TEXT, "x"] }, "content[1] invalid_type"],
  ["a text that is none", { input: { content: [{ type: "text" }] } }, "input.content[0].text invalid_type"],
  ["a picture without an address", { input: { image: {} } }, "input.image.url missing_required_parameter"],
  ["an unknown type", { input: { media: [item("x", "y")] } }, "input.media[0].type"],
  ["3 s", { input, duration: 3 }, "duration"],
  ["0 s", { input, parameters: { duration: 0 } }, "parameters.duration"],
  ["two durations", { input, duration: 5, parameters: { duration: -1 } }, "duration invalid_value"],
  ["two ratios", { input, aspect_ratio: "1:1", parameters: { ratio: "16:9" } }, "aspect_ratio invalid_value"],
]);

checkRefusals("doubao-seedance-2-0-fast-260128", [
  ["1080p of the fast one", { input, resolution: "1080p" }, "resolution"],
]);

checkRefusals("doubao-seedance-1-5-pro-251215", [
  ["4k of 1.5", { input, parameters: { resolution: "4k" } }, "parameters.resolution"],
]);

it("2.0 makes 4k, 2.5 makes half a minute", () => {
  expect(orderOf(MODEL, { input, resolution: "4K" }).body["resolution"]).toBe("4k");
  expect(orderOf("doubao-seedance-2-5-260628", { input, duration: 30 }).seconds).toBe(30);
});

it("an endpoint that only Ark knows has no bounds", () => {
  const order = orderOf(unlisted("seedance"), { input, duration: 50, resolution: "2k" });
  expect(order.body).toMatchObject({ duration: 50, resolution: "2k" });
});
