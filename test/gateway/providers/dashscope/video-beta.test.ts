import { describe, expect, it } from "vitest";
import { FIRST_FRAME, MOVIE, PROMPT, item, orderOf, checkRefusals, refusalOf, type Json } from "../video-fixture.ts";

const input = { prompt: PROMPT };
const references = (count: number) => Array.from({ length: count }, () => item("reference_image"));
const source = item("video", MOVIE);

it.each<[string, Json, Json]>([
  ["beta-1.0-t2v", { input, aspect_ratio: "9:16", duration: 3 }, { resolution: "720P", duration: 3, ratio: "9:16" }],
  ["beta-1.0-i2v", { input: { media: [FIRST_FRAME] }, aspect_ratio: "9:16" }, { resolution: "720P" }],
  [
    "beta-1.0-r2v",
    { input: { prompt: PROMPT, media: references(9) }, aspect_ratio: "1:1", resolution: "1080p" },
    { resolution: "1080P", ratio: "1:1" },
  ],
])("%s learns what it takes", (model, body, parameters) => {
  expect(orderOf(model, body).body).toEqual({ input: body["input"], parameters });
});

checkRefusals("beta-1.0-t2v", [
  ["no prompt", { input: {} }, "input.prompt missing_required_parameter"],
  ["2 s", { input, duration: 2 }, "duration"],
  ["480p", { input, resolution: "480p" }, "resolution"],
]);

checkRefusals("beta-1.0-i2v", [
  ["no first frame", { input }, "input.media missing_required_parameter"],
  ["an empty list", { input: { media: [] } }, "input.media missing_required_parameter"],
  ["two first frames", { input: { media: [FIRST_FRAME, FIRST_FRAME] } }, "input.media invalid_value"],
  ["an end", { input: { media: [FIRST_FRAME, item("last_frame")] } }, "input.media[1].type"],
]);

checkRefusals("beta-1.0-r2v", [
  ["no references", { input }, "input.media missing_required_parameter"],
  ["ten references", { input: { prompt: "x", media: references(10) } }, "input.media invalid_value"],
  ["a reference video", { input: { prompt: "x", media: [item("reference_video", MOVIE)] } }, "input.media[0].type"],
]);

checkRefusals("beta-1.0-video-edit", [
  ["nothing to edit", { input }, "input.media missing_required_parameter"],
  ["two videos to edit", { input: { prompt: "x", media: [source, source] } }, "input.media invalid_value"],
  ["an edit without words", { input: { media: [source] } }, "input.prompt missing_required_parameter"],
]);

it("names the figure and the bound", () => {
  expect(refusalOf("beta-1.0-r2v", { input: { prompt: "x", media: references(12) } }).message).toBe(
    "Invalid value for 'input.media': it has 12 items of type reference_image; expected at most 9.",
  );
  expect(refusalOf("beta-1.0-i2v", { input: { media: [FIRST_FRAME, FIRST_FRAME] } }).message).toContain("exactly one");
});

describe("an edit", () => {
  const given = { prompt: PROMPT, media: [source, ...references(2), item("mask_of_the_future")] };

  it("learns neither duration nor ratio, and its media are the provider's to judge", () => {
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
