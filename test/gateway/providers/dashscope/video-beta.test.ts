import { describe, expect, it } from "vitest";
import { FIRST_FRAME, MOVIE, PICTURE, PROMPT, orderOf, refusalOf, type Json } from "../video-fixture.ts";

const input = { prompt: PROMPT };
const references = (count: number) => Array.from({ length: count }, () => ({ type: "reference_image", url: PICTURE }));
const source = { type: "video", url: MOVIE };

it.each<[string, Json, Json]>([
  ["beta-1.0-t2v", { input, aspect_ratio: "9:16", duration: 3 }, { resolution: "720P", duration: 3, ratio: "9:16" }],
  ["beta-1.0-i2v", { input: { media: [FIRST_FRAME] }, aspect_ratio: "9:16" }, { resolution: "720P" }],
  [
    "beta-1.0-r2v",
    { input: { prompt: PROMPT, media: references(9) }, aspect_ratio: "1:1", resolution: "1080p" },
    { resolution: "1080P", ratio: "1:1" },
  ],
])("%s is told what it takes", (model, body, parameters) => {
  expect(orderOf(model, body).body).toEqual({ input: body["input"], parameters });
});

it.each<[string, string, Json, string, string]>([
  ["no prompt", "beta-1.0-t2v", { input: {} }, "missing_required_parameter", "input.prompt"],
  ["2 s", "beta-1.0-t2v", { input, duration: 2 }, "unsupported_value", "duration"],
  ["480p", "beta-1.0-t2v", { input, resolution: "480p" }, "unsupported_value", "resolution"],
  ["no first frame", "beta-1.0-i2v", { input }, "missing_required_parameter", "input.media"],
  ["an empty list", "beta-1.0-i2v", { input: { media: [] } }, "missing_required_parameter", "input.media"],
  [
    "two first frames",
    "beta-1.0-i2v",
    { input: { media: [FIRST_FRAME, FIRST_FRAME] } },
    "invalid_value",
    "input.media",
  ],
  [
    "an end",
    "beta-1.0-i2v",
    { input: { media: [FIRST_FRAME, { type: "last_frame", url: PICTURE }] } },
    "unsupported_value",
    "input.media[1].type",
  ],
  ["no references", "beta-1.0-r2v", { input }, "missing_required_parameter", "input.media"],
  ["ten references", "beta-1.0-r2v", { input: { prompt: "x", media: references(10) } }, "invalid_value", "input.media"],
  [
    "a reference video",
    "beta-1.0-r2v",
    { input: { prompt: "x", media: [{ type: "reference_video", url: MOVIE }] } },
    "unsupported_value",
    "input.media[0].type",
  ],
  ["nothing to edit", "beta-1.0-video-edit", { input }, "missing_required_parameter", "input.media"],
  [
    "two videos to edit",
    "beta-1.0-video-edit",
    { input: { prompt: "x", media: [source, source] } },
    "invalid_value",
    "input.media",
  ],
  [
    "an edit without words",
    "beta-1.0-video-edit",
    { input: { media: [source] } },
    "missing_required_parameter",
    "input.prompt",
  ],
])("%s is refused (%s)", (_, model, body, code, param) => {
  expect(refusalOf(model, body)).toMatchObject({ code, param });
});

it("names the figure and the bound", () => {
  expect(refusalOf("beta-1.0-r2v", { input: { prompt: "x", media: references(12) } }).message).toBe(
    "Invalid value for 'input.media': it has 12 items of type reference_image; expected at most 9.",
  );
  expect(refusalOf("beta-1.0-i2v", { input: { media: [FIRST_FRAME, FIRST_FRAME] } }).message).toContain("exactly one");
});

describe("an edit", () => {
  const given = { prompt: PROMPT, media: [source, ...references(2), { type: "mask_of_the_future", url: PICTURE }] };

  it("is told neither duration nor ratio, and its media are the provider's to judge", () => {
    const { body } = orderOf("beta-1.0-video-edit", { input: given, duration: 8, aspect_ratio: "9:16" });
    expect(body).toEqual({ input: given, parameters: { resolution: "720P" } });
    expect(body["input"]).toBe(given);
  });

  it("holds the longest source and the longest result, whatever the client expects", () => {
    expect(orderOf("beta-1.0-video-edit", { input: given })).toMatchObject({ seconds: 5, holdSeconds: 30 });
    expect(orderOf("beta-1.0-video-edit", { input: given, duration: 60 })).toMatchObject({
      seconds: 15,
      holdSeconds: 30,
    });
  });

  it("keeps what the client puts into parameters", () => {
    const parameters = { resolution: "1080P", duration: 0, audio_setting: "origin" };
    const order = orderOf("beta-1.0-video-edit", { input: given, parameters });
    expect(order.body["parameters"]).toBe(parameters);
    expect(order).toMatchObject({ seconds: 5, resolution: "1080p" });
  });
});
