import { describe, expect, it } from "vitest";
import { MOVIE, PICTURE, PROMPT, orderOf, checkRefusals, refusalOf, unlisted, type Json } from "../video-fixture.ts";

const T2V = "alpha2.6-t2v";
const I2V = "alpha2.6-i2v";
const R2V = "alpha2.6-r2v";
const input = { prompt: PROMPT };
const fromPicture = { prompt: PROMPT, img_url: PICTURE };

describe("the size that is filled in", () => {
  it.each([
    [T2V, "720p", "16:9", "1280*720"],
    [T2V, "720p", "9:16", "720*1280"],
    [T2V, "720p", "1:1", "960*960"],
    [T2V, "720p", "4:3", "1088*832"],
    [T2V, "720p", "3:4", "832*1088"],
    [T2V, "1080p", "16:9", "1920*1080"],
    [T2V, "1080P", "9:16", "1080*1920"],
    [T2V, "1080p", "1:1", "1440*1440"],
    [T2V, "1080p", "4:3", "1632*1248"],
    [T2V, "1080p", "3:4", "1248*1632"],
    ["alpha2.5-t2v-preview", "480p", "16:9", "832*480"],
    ["alpha2.5-t2v-preview", "480P", "9:16", "480*832"],
    ["alpha2.5-t2v-preview", "480p", "1:1", "624*624"],
  ])("%s at %s and %s is %s", (model, resolution, aspect_ratio, size) => {
    const { body, ratio } = orderOf(model, { input, resolution, aspect_ratio });
    expect(body).toEqual({ input, parameters: { size } });
    expect(ratio).toBe(aspect_ratio);
  });

  it("is 1280*720 where nothing is said", () => {
    expect(orderOf(T2V, { input }).body).toEqual({ input, parameters: { size: "1280*720" } });
  });

  it("follows a resolution or ratio in parameters, which the provider does not read and is sent all the same", () => {
    expect(orderOf(T2V, { input, parameters: { resolution: "1080P", ratio: "9:16" } })).toMatchObject({
      resolution: "1080p",
      ratio: "9:16",
      body: { parameters: { resolution: "1080P", ratio: "9:16", size: "1080*1920" } },
    });
  });

  it("is refused where the model makes no such shape", () => {
    const refusal = refusalOf("alpha2.5-t2v-preview", { input, resolution: "480p", aspect_ratio: "4:3" });
    expect(refusal).toMatchObject({ code: "unsupported_value", param: "aspect_ratio" });
    expect(refusal.message).toContain("makes 16:9, 9:16, 1:1 at 480p");
  });
});

describe("the size that a client sends", () => {
  it.each([
    ["1280*720", "720p", "16:9"],
    ["720*1280", "720p", "9:16"],
    ["1088*832", "720p", "4:3"],
    ["1920*1080", "1080p", "16:9"],
    ["1248*1632", "1080p", "3:4"],
    ["1024*1024", "720p", "1:1"],
    ["2000*1000", "1080p", "2:1"],
  ])("%s is billed as %s and passed on", (size, resolution, ratio) => {
    const parameters = { size };
    const order = orderOf(T2V, { input, parameters });
    expect(order).toMatchObject({ resolution, ratio });
    expect(order.body["parameters"]).toBe(parameters);
  });

  it("agrees with the top in the words of the table", () => {
    const body = { input, resolution: "720p", aspect_ratio: "4:3", parameters: { size: "1088*832" } };
    expect(orderOf(T2V, body)).toMatchObject({ resolution: "720p", ratio: "4:3" });
  });

  it.each<[string, Json, readonly string[]]>([
    [
      "resolution",
      { resolution: "720p", parameters: { size: "1920*1080" } },
      [`'resolution' is "720p"`, `'parameters.size' is "1920*1080"`],
    ],
    [
      "ratio",
      { aspect_ratio: "16:9", parameters: { size: "720*1280" } },
      [`'aspect_ratio' is "16:9"`, `'parameters.size' is "720*1280"`],
    ],
    [
      "resolution in parameters",
      { parameters: { resolution: "720P", size: "1920*1080" } },
      [`'parameters.resolution' is "720P"`, `'parameters.size' is "1920*1080"`],
    ],
  ])("differs from the %s: refused, naming both", (_, body, words) => {
    const refusal = refusalOf(T2V, { input, ...body });
    expect(refusal.code).toBe("invalid_value");
    for (const word of words) expect(refusal.message).toContain(word);
  });

  it.each(["huge", "0*0", "16:9"])("%j is the provider's to refuse", (size) => {
    const parameters = { size };
    expect(orderOf(T2V, { input, parameters }).body["parameters"]).toBe(parameters);
  });

  it("480p is refused of 2.6 in a size too", () => {
    expect(refusalOf(T2V, { input, parameters: { size: "832*480" } })).toMatchObject({
      code: "unsupported_value",
      param: "parameters.size",
    });
  });
});

describe("from a picture", () => {
  it("resolution is what the provider reads", () => {
    expect(orderOf(I2V, { input: fromPicture }).body).toEqual({
      input: fromPicture,
      parameters: { resolution: "720P" },
    });
  });

  it("a size is taken too, and said again as the resolution: the provider would make 1080P", () => {
    const order = orderOf(I2V, { input: fromPicture, parameters: { size: "1280*720", shot_type: "multi" } });
    expect(order.resolution).toBe("720p");
    expect(order.body["parameters"]).toEqual({ size: "1280*720", shot_type: "multi", resolution: "720P" });
  });

  it("there needs to be no prompt", () => {
    expect(orderOf(I2V, { input: { img_url: PICTURE } }).prompt).toBe("");
  });
});

describe("from references", () => {
  it("holds five seconds for each that may be a video", () => {
    const reference_urls = [MOVIE, PICTURE, "https://example.com/what-is-it", "data:image/png;base64,AAAA"];
    expect(orderOf(R2V, { input: { prompt: PROMPT, reference_urls } })).toMatchObject({ seconds: 5, holdSeconds: 15 });
  });

  it("takes the provider's older name", () => {
    const given = { prompt: PROMPT, reference_video_urls: [PICTURE] };
    const order = orderOf(R2V, { input: given });
    expect(order.holdSeconds).toBe(10);
    expect(order.body["input"]).toBe(given);
  });
});

checkRefusals(T2V, [
  ["no prompt", { input: {} }, "input.prompt missing_required_parameter"],
  ["a size that is no text", { input, parameters: { size: 1280 } }, "parameters.size invalid_type"],
]);

checkRefusals(I2V, [
  ["no picture", { input }, "input.img_url missing_required_parameter"],
  ["a picture that is no text", { input: { img_url: [PICTURE] } }, "input.img_url invalid_type"],
]);

checkRefusals("alpha2.6-i2v-flash", [["no picture, fast", { input }, "input.img_url missing_required_parameter"]]);

checkRefusals(R2V, [
  ["no references", { input }, "input.reference_urls missing_required_parameter"],
  ["an empty list", { input: { prompt: "x", reference_urls: [] } }, "input.reference_urls missing_required_parameter"],
  ["references as one text", { input: { prompt: "x", reference_urls: MOVIE } }, "input.reference_urls invalid_type"],
  [
    "a reference that is no text",
    { input: { prompt: "x", reference_urls: [MOVIE, { url: MOVIE }] } },
    "input.reference_urls[1] invalid_type",
  ],
  ["11 s from references", { input: { prompt: "x", reference_urls: [MOVIE] }, duration: 11 }, "duration"],
]);

checkRefusals("alpha2.5-t2v-preview", [["7 s of 2.5", { input, duration: 7 }, "duration"]]);

it("2.5 makes 5 or 10 seconds", () => {
  expect(orderOf("alpha2.5-t2v-preview", { input, duration: 10 }).body["parameters"]).toMatchObject({ duration: 10 });
  expect(refusalOf("alpha2.5-t2v-preview", { input, duration: 7 }).message).toContain("makes 5 or 10 seconds");
});

it("a model that only its provider knows is read by what it is sent", () => {
  const model = unlisted("alpha-legacy");
  expect(orderOf(model, { input: fromPicture }).body["parameters"]).toEqual({ resolution: "720P" });
  expect(orderOf(model, { input: {} }).body["parameters"]).toEqual({ size: "1280*720" });
  const odd = orderOf(model, { input: {}, resolution: "540p", parameters: { seed: 1 } });
  expect(odd.body["parameters"]).toEqual({ seed: 1 });
});
