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

const T2V = "alpha2.7-t2v";
const input = { prompt: PROMPT };

describe("alpha 2.7: what is said at the top and in parameters", () => {
  it.each<[string, Json, Json]>([
    ["nothing", {}, { resolution: "720P" }],
    ["only the defaults", { duration: 5, resolution: "720p", aspect_ratio: "16:9" }, { resolution: "720P" }],
    ["another resolution", { resolution: "1080p" }, { resolution: "1080P" }],
    ["capitals", { resolution: "1080P" }, { resolution: "1080P" }],
    ["another duration", { duration: 8 }, { resolution: "720P", duration: 8 }],
    ["another ratio", { aspect_ratio: "9:16" }, { resolution: "720P", ratio: "9:16" }],
  ])("%s at the top fills in what the provider would not assume", (_, top, parameters) => {
    expect(orderOf(T2V, { ...top, input }).body).toEqual({ input, parameters });
  });

  it("sends Wan 3.0 the ratio that is asked for, and up to 30 seconds of texts, frames and references", () => {
    const media = [item("reference_image", PICTURE), item("reference_video", MOVIE)];
    const top = { duration: 30, aspect_ratio: "16:9", resolution: "480p" };
    const order = orderOf("wan3.0-video", { ...top, input: { ...input, media } });
    expect(order.body).toMatchObject({ parameters: { duration: 30, ratio: "16:9", resolution: "480P" } });
    expect(orderOf("alpha3.0-video", { input }).body).toEqual({ input, parameters: { resolution: "720P" } });
    expect(order).toMatchObject({ seconds: 30, holdSeconds: 35 });
  });

  it.each<[string, Json, Partial<ReturnType<typeof orderOf>>]>([
    ["the defaults where nobody says anything", {}, { seconds: 5, resolution: "720p", ratio: "16:9" }],
    [
      "parameters where the top says nothing",
      { parameters: { duration: 9, resolution: "1080P", ratio: "1:1" } },
      { seconds: 9, resolution: "1080p", ratio: "1:1" },
    ],
    [
      "the top where parameters say nothing",
      { duration: 2, resolution: "1080p", aspect_ratio: "3:4" },
      { seconds: 2, resolution: "1080p", ratio: "3:4" },
    ],
    [
      "both where they agree in other spellings",
      { resolution: "1080p", parameters: { resolution: "1080P" } },
      { resolution: "1080p" },
    ],
    ["nothing of what is null", { duration: null, parameters: { duration: null } }, { seconds: 5 }],
  ])("bills %s", (_, body, terms) => {
    expect(orderOf(T2V, { input, ...body })).toMatchObject(terms);
  });

  it.each<[string, Json, readonly string[]]>([
    ["duration", { duration: 5, parameters: { duration: 10 } }, ["'duration' is 5", "'parameters.duration' is 10"]],
    [
      "resolution",
      { resolution: "720p", parameters: { resolution: "1080P" } },
      [`'resolution' is "720p"`, `'parameters.resolution' is "1080P"`],
    ],
    [
      "ratio",
      { aspect_ratio: "16:9", parameters: { ratio: "9:16" } },
      [`'aspect_ratio' is "16:9"`, `'parameters.ratio' is "9:16"`],
    ],
  ])("refuses two places that differ about the %s, naming both", (_, body, words) => {
    const refusal = refusalOf(T2V, { input, ...body });
    expect(refusal.code).toBe("invalid_value");
    for (const word of words) expect(refusal.message).toContain(word);
  });

  it("fills in what is billed by in the place of null, and nothing else", () => {
    const nulls = { resolution: null, duration: null, ratio: null, seed: null };
    const filled = { resolution: "720P", duration: 5, ratio: "16:9", seed: null };
    expect(orderOf(T2V, { input, parameters: nulls }).body["parameters"]).toEqual(filled);
    const older = orderOf("alpha2.6-t2v", { input, parameters: { size: null, duration: null } });
    expect(older.body["parameters"]).toEqual({ size: "1280*720", duration: 5 });
  });

  it("passes on the client's own objects where nothing is to be filled in, false, 0 and unknown fields among them", () => {
    const given = { prompt: PROMPT, negative_prompt: "", unheard_of: { of: [0, false, null] } };
    const parameters = { resolution: "720P", prompt_extend: false, watermark: false, seed: 0, unheard_of: "?" };
    const { body } = orderOf(T2V, { input: given, parameters });
    expect(body["input"]).toBe(given);
    expect(body["parameters"]).toBe(parameters);
  });

  it("never changes the client's objects", () => {
    const parameters = Object.freeze({ seed: 1 });
    const { body } = orderOf(T2V, { input: Object.freeze({ prompt: PROMPT }), parameters, duration: 3 });
    expect(body["parameters"]).toEqual({ seed: 1, resolution: "720P", duration: 3 });
    expect(parameters).toEqual({ seed: 1 });
  });
});

describe("alpha 2.7: what is known to be wrong", () => {
  checkRefusals(T2V, [
    ["no input", {}, "input missing_required_parameter"],
    ["no prompt", { input: {} }, "input.prompt missing_required_parameter"],
    ["an empty prompt", { input: { prompt: " " } }, "input.prompt invalid_value"],
    ["a prompt that is no text", { input: { prompt: 5 } }, "input.prompt invalid_type"],
    ["a duration that is no number", { input, parameters: { duration: "5" } }, "parameters.duration invalid_type"],
    ["half a second", { input, parameters: { duration: 2.5 } }, "parameters.duration invalid_type"],
    ["a resolution that is no text", { input, parameters: { resolution: 720 } }, "parameters.resolution invalid_type"],
    ["too short", { input, duration: 1 }, "duration"],
    ["too long", { input, parameters: { duration: 16 } }, "parameters.duration"],
    ["480p", { input, resolution: "480p" }, "resolution"],
    ["4K in parameters", { input, parameters: { resolution: "4K" } }, "parameters.resolution"],
    ["a ratio that is not made", { input, aspect_ratio: "21:9" }, "aspect_ratio"],
  ]);

  checkRefusals("alpha2.7-i2v", [
    ["no picture", { input }, "input.media missing_required_parameter"],
    ["media that is no list", { input: { media: {} } }, "input.media invalid_type"],
    ["an item that is none", { input: { media: ["x"] } }, "input.media[0] invalid_type"],
    [
      "an item without a type",
      { input: { media: [{ url: PICTURE }] } },
      "input.media[0].type missing_required_parameter",
    ],
    [
      "an item without an address",
      { input: { media: [FIRST_FRAME, { type: "last_frame" }] } },
      "input.media[1].url missing_required_parameter",
    ],
    [
      "an address that is no text",
      { input: { media: [{ type: "first_frame", url: 1 }] } },
      "input.media[0].url invalid_type",
    ],
    ["a type that nobody knows", { input: { media: [FIRST_FRAME, item("middle_frame")] } }, "input.media[1].type"],
    ["only the end", { input: { media: [item("last_frame")] } }, "input.media missing_required_parameter"],
  ]);

  checkRefusals("alpha2.7-r2v", [
    ["no reference", { input }, "input.media missing_required_parameter"],
    [
      "references without a prompt",
      { input: { media: [item("reference_image")] } },
      "input.prompt missing_required_parameter",
    ],
  ]);

  it("says what the model makes", () => {
    expect(refusalOf(T2V, { input, duration: 20 }).message).toBe(
      `Unsupported value for 'duration': 20; the model "alpha2.7-t2v" makes 2 to 15 seconds.`,
    );
    expect(refusalOf(T2V, { input, resolution: "480P" }).message).toContain("makes 720p, 1080p");
  });

  it("never shows a whole inline picture", () => {
    const picture = `data:image/png;base64,${"A".repeat(10_000)}`;
    expect(refusalOf("alpha2.7-i2v", { input: { media: [picture] } }).message.length).toBeLessThan(300);
  });
});

describe("alpha 2.7 with pictures and references", () => {
  it("from a picture there needs to be no prompt, and no ratio is sent: the picture has one", () => {
    const given = { media: [FIRST_FRAME, item("driving_audio", "https://example.com/a.mp3")] };
    const { body, prompt } = orderOf("alpha2.7-i2v", { input: given, aspect_ratio: "9:16" });
    expect(body).toEqual({ input: given, parameters: { resolution: "720P" } });
    expect(prompt).toBe("");
  });

  it("continues a clip", () => {
    const given = { media: [item("first_clip", MOVIE)] };
    expect(orderOf("alpha2.7-i2v", { input: given, duration: 10 })).toMatchObject({ seconds: 10, holdSeconds: 10 });
  });

  it("holds for the seconds of reference videos too, which the provider bills", () => {
    const media = [
      item("reference_video", MOVIE),
      item("reference_image"),
      item("reference_video", MOVIE),
      FIRST_FRAME,
    ];
    expect(orderOf("alpha2.7-r2v", { input: { prompt: PROMPT, media }, duration: 4 })).toMatchObject({
      seconds: 4,
      holdSeconds: 14,
    });
  });
});

it("the library receives settings, and neither the prompt nor media", () => {
  const parameters = { resolution: "720P", watermark: false, seed: 7, note: "x".repeat(501), list: [1] };
  const given = { prompt: PROMPT, negative_prompt: "rain", audio_url: "https://example.com/a.mp3" };
  const order = orderOf(T2V, { input: given, parameters });
  expect(order.parameters).toEqual({ negative_prompt: "rain", resolution: "720P", watermark: false, seed: 7 });
  expect(order).toMatchObject({ prompt: PROMPT, timeoutMs: null });
});

it.each([
  [{ seed: 7 }, { resolution: "720P" }, 7],
  [{ seed: 7 }, { resolution: "720P", seed: null }, 7],
  [{ seed: 7 }, { resolution: "720P", seed: 8 }, 8],
  [{ seed: -1 }, { resolution: "720P" }, -1],
  [{}, { resolution: "720P" }, undefined],
])("a seed at the top goes to the provider where the parameters have none: %j next to %j", (top, parameters, seed) => {
  expect(orderOf(T2V, { input, ...top, parameters }).body["parameters"]).toEqual(
    seed === undefined ? parameters : { ...parameters, seed },
  );
});

describe("a model that only its provider knows", () => {
  const WAN = unlisted("alpha");

  it("has no bounds", () => {
    expect(orderOf(WAN, { input: {}, duration: 60, resolution: "540p", aspect_ratio: "21:9" })).toMatchObject({
      family: "alpha",
      seconds: 60,
      body: { input: {}, parameters: { resolution: "540P", duration: 60, ratio: "21:9" } },
    });
  });

  it("is still asked for what it can read, and in one voice", () => {
    expect(refusalOf(WAN, { input: { media: "x" } })).toMatchObject({ code: "invalid_type", param: "input.media" });
    expect(refusalOf(WAN, { duration: 5, input: {}, parameters: { duration: 6 } }).code).toBe("invalid_value");
  });

  it.each([0, -1, -1_000_000, Number.MAX_SAFE_INTEGER])("counts no money by a duration of %d", (duration) => {
    const { seconds, holdSeconds, body } = orderOf(WAN, { input: {}, parameters: { duration } });
    expect(seconds).toBeGreaterThan(0);
    expect(holdSeconds).toBeLessThanOrEqual(3_600);
    expect(body["parameters"]).toMatchObject({ duration });
  });
});
