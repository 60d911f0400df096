import { describe, expect, it } from "vitest";
import { modelFactsSchema, type ModelFacts } from "../../../../gateway/contract/playground.ts";
import { allModels, findModel } from "../../../../gateway/catalog/lookup.ts";
import { getFacts } from "../../../../gateway/services/playground/describe-model.ts";

/** What forms offer has to be what the rules of requests let through. */
function factsOfListed(id: string): ModelFacts {
  const spec = findModel(id) ?? null;
  if (spec === null) throw new Error(`the catalog has no ${id}`);
  return getFacts(id, spec, { id, rules: spec.video ?? null, providerFamily: "sora" });
}

describe("the facts of a model", () => {
  it("fit their contract for every model of the catalog", () => {
    for (const { id } of allModels()) expect(() => modelFactsSchema.parse(factsOfListed(id)), id).not.toThrow();
  });

  it("name sizes and counts of pictures, and who may look at pictures", () => {
    expect(factsOfListed("epsilon-3").image).toMatchObject({
      family: "epsilon",
      sizes: ["1024x1024", "1792x1024", "1024x1792"],
      free: false,
      most: 1,
      qualities: ["standard", "hd"],
      references: { least: 0, most: 0 },
    });
    expect(factsOfListed("delta-image-2").image).toMatchObject({ free: true, sizes: expect.arrayContaining(["auto"]) });
    expect(factsOfListed("delta-image-1").edit).toMatchObject({ pictures: 16, mask: true, square_png: false });
    expect(factsOfListed("epsilon-2").edit).toMatchObject({ pictures: 1, square_png: true });
    expect(factsOfListed("gpt-5.4-mini").image).toBeNull();
  });

  it("name voices, lengths of vectors and seconds", () => {
    expect(factsOfListed("tts-1").speech).toMatchObject({ default_voice: "alloy", speed: { least: 0.25, most: 4 } });
    expect(factsOfListed("gamma3-tts-instruct-flash").speech).toMatchObject({ formats: ["wav"], speed: null });
    expect(factsOfListed("eta-4").embedding).toEqual({
      dimensions: [256, 512, 1024, 2048],
      least: 256,
      most: 2048,
      standard: 1024,
    });
    expect(factsOfListed("text-embedding-3-small").embedding).toMatchObject({ dimensions: null, least: 1, most: 1536 });
    expect(factsOfListed("text-embedding-ada-002").embedding).toMatchObject({ dimensions: [] });
    expect(factsOfListed("sora-2").video).toMatchObject({ family: "sora", durations: [4, 8, 12], with_image: null });
  });

  it("leave everything to the provider where only it knows the model", () => {
    expect(getFacts("new/model", null, { id: "new/model", rules: null, providerFamily: "alpha" })).toEqual({
      id: "new/model",
      chat: { efforts: null },
      image: null,
      edit: null,
      speech: null,
      transcription: null,
      embedding: null,
      video: { family: "alpha", kind: "any", resolutions: [], durations: null, with_image: null },
    });
  });
});
