import { describe, expect, it } from "vitest";
import { getFacts } from "../../../../gateway/services/playground/describe-model.ts";
import { findModel } from "../../../../gateway/catalog/lookup.ts";
import type { ModelFacts } from "../../../../gateway/contract/playground.ts";
import { speechRequestSchema } from "../../../../gateway/contract/speech.ts";
import type { MediaKind } from "../../../../renderer/features/playground/kinds.ts";
import { createMediaFields } from "../../../../renderer/features/playground/media/media-forms.ts";
import { en } from "../../../../renderer/locales/en.ts";

function fieldsFor(kind: MediaKind, facts?: ModelFacts, isTranslation = false) {
  return createMediaFields(kind, facts, isTranslation, en.playground);
}

function names(kind: MediaKind, facts?: ModelFacts, isTranslation = false): { main: string[]; more: string[] } {
  const fields = fieldsFor(kind, facts, isTranslation);
  const select = (main: boolean): string[] => fields.filter((field) => field.main === main).map(({ name }) => name);
  return { main: select(true), more: select(false) };
}

/** Facts as the gateway describes a model of the catalog. */
function factsFor(id: string): ModelFacts {
  const spec = findModel(id);
  if (spec === undefined) throw new Error(`${id} is not in the catalog`);
  return getFacts(id, spec, { id, rules: spec.video ?? null, providerFamily: "sora" });
}

describe("a form for media", () => {
  it("has each field of the endpoint's schema, so that a new one appears by itself", () => {
    const shown = fieldsFor("speech").map(({ name }) => name);
    const hidden = ["model", "stream_format"];
    expect(shown.toSorted()).toEqual(
      Object.keys(speechRequestSchema.shape)
        .filter((name) => !hidden.includes(name))
        .toSorted(),
    );
  });

  it("offers what the model accepts, and leaves out what it does not", () => {
    const speech = fieldsFor("speech", factsFor("tts-1"));
    const voice = speech.find(({ name }) => name === "voice");
    expect(voice).toMatchObject({ label: "Voice", control: "choice", choices: expect.arrayContaining(["nova"]) });
    const facts = factsFor("tts-1");
    const quiet = { ...facts, speech: facts.speech && { ...facts.speech, speed: null, instructions: false } };
    expect(names("speech", quiet).main).toEqual(["input", "voice", "response_format"]);
    expect(names("transcription", factsFor("gpt-4o-transcribe-diarize")).main).toEqual(["language", "response_format"]);
  });

  it("has the fields of the model's family, nested ones by their path", () => {
    expect(names("image", factsFor("gamma-image-2.0"))).toEqual({
      main: ["prompt", "parameters.size", "parameters.seed"],
      more: ["parameters.watermark", "parameters.negative_prompt", "parameters.prompt_extend"],
    });
    expect(names("image", factsFor("delta-image-1")).main).toEqual(["prompt", "n", "size", "quality"]);
    expect(names("image").more).toEqual([]);
    expect(names("image", factsFor("grok-imagine-image")).main).toContain("aspect_ratio");
  });

  it("names no language where the text becomes English", () => {
    expect(names("transcription", undefined, true).main).toEqual(["prompt", "response_format"]);
    expect(names("transcription").main).toEqual(["prompt", "language", "response_format"]);
  });

  it("takes a text a line for vectors, and the seconds that a video may have", () => {
    expect(fieldsFor("embedding")[0]).toMatchObject({ name: "input", control: "lines", label: "Texts" });
    const facts = factsFor("tts-1");
    const video = { ...facts.video, durations: [4, 8] };
    expect(fieldsFor("video", { ...facts, video }).find(({ name }) => name === "duration")).toMatchObject({
      control: "choice",
      choices: [4, 8],
    });
    expect(names("video").more).toEqual(["input", "parameters"]);
  });
});
