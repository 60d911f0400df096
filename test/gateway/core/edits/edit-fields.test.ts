import { describe, expect, it, test } from "vitest";
import { deltaEdits, epsilonEdits } from "../../../../gateway/providers/openai/image-models.ts";
import { geminiEdits } from "../../../../gateway/providers/gemini/catalog.ts";
import { grokEdits } from "../../../../gateway/providers/xai/catalog.ts";
import { createFieldsForProvider, typedFields } from "../../../../gateway/core/edits/edit-fields.ts";

describe("a form's texts", () => {
  test.each([
    ["n", "2", 2],
    ["n", " 2 ", 2],
    ["n", "+2", 2],
    ["n", "-1", -1],
    ["n", "1.5", 1.5],
    ["n", "abc", "abc"],
    ["n", "", ""],
    ["n", "1e3", 1000],
    ["n", "2.0", 2],
    ["n", "2.", 2],
    ["n", "02", 2],
    ["n", " ", " "],
    ["stream", "1", true],
    ["stream", "TRUE", true],
    ["n", "0x10", "0x10"],
    ["n", "Infinity", "Infinity"],
    ["output_compression", "80", 80],
    ["partial_images", "1", 1],
    ["stream", "true", true],
    ["stream", "False", false],
    ["stream", "yes", "yes"],
    ["prompt", "42", "42"],
    ["user", "true", "true"],
    ["unknown", "7", "7"],
  ])("%s=%j is %j", (name, text, expected) => {
    expect(typedFields({ [name]: text })).toEqual({ [name]: expected });
  });
});

describe("what the provider is sent", () => {
  it("asks for base64 where the model is not known, and nothing is streamed", () => {
    expect(createFieldsForProvider({ prompt: "p" }, null)).toEqual({ prompt: "p", response_format: "b64_json" });
    expect(createFieldsForProvider({ prompt: "p", stream: true }, null)).toEqual({ prompt: "p", stream: true });
  });

  it("is everything but the model where the model is not known, and nothing that is null", () => {
    expect(
      createFieldsForProvider({ model: "m", prompt: "p", response_format: "url", seed: 4, user: null }, null),
    ).toEqual({
      prompt: "p",
      response_format: "url",
      seed: 4,
    });
  });

  test.each([
    ["delta takes no response_format", deltaEdits, { response_format: "b64_json" }, {}],
    ["not even url", deltaEdits, { response_format: "url" }, {}],
    ["delta takes standard as medium", deltaEdits, { quality: "standard" }, { quality: "medium" }],
    ["delta takes hd as high", deltaEdits, { quality: "hd" }, { quality: "high" }],
    [
      "delta keeps its own words",
      deltaEdits,
      { quality: "low", size: "auto", background: "auto", output_format: "webp" },
      { quality: "low", size: "auto", background: "auto", output_format: "webp" },
    ],
    [
      "delta keeps what it alone has",
      deltaEdits,
      { input_fidelity: "high", moderation: "low", output_compression: 90, stream: true, partial_images: 2 },
      { input_fidelity: "high", moderation: "low", output_compression: 90, stream: true, partial_images: 2 },
    ],
    ["epsilon is asked for base64, whose own default is a URL", epsilonEdits, {}, { response_format: "b64_json" }],
    ["epsilon may answer with a URL", epsilonEdits, { response_format: "url" }, { response_format: "url" }],
    [
      "epsilon knows no quality, background, format, auto",
      epsilonEdits,
      { quality: "hd", background: "opaque", output_format: "png", size: "auto", stream: false },
      { response_format: "b64_json" },
    ],
    [
      "epsilon keeps its sizes",
      epsilonEdits,
      { size: "256x256", n: 2 },
      { size: "256x256", n: 2, response_format: "b64_json" },
    ],
    ["gemini knows no quality", geminiEdits, { quality: "high" }, {}],
    ["grok knows three", grokEdits, { quality: "high" }, { quality: "high", response_format: "b64_json" }],
    ["grok knows no auto", grokEdits, { quality: "auto" }, { response_format: "b64_json" }],
    ["unknown fields stay", deltaEdits, { seed: 7, user: "u" }, { seed: 7, user: "u" }],
  ])("%s", (_name, rules, request, expected) => {
    expect(createFieldsForProvider({ model: "m", prompt: "p", ...request }, rules)).toEqual({
      prompt: "p",
      ...expected,
    });
  });

  it("leaves the client's fields as they are", () => {
    const fields = Object.freeze({ model: "m", prompt: "p", quality: "hd" });
    createFieldsForProvider(fields, deltaEdits);
    expect(fields).toEqual({ model: "m", prompt: "p", quality: "hd" });
  });
});
