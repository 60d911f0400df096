import { describe, expect, it } from "vitest";
import type { ModelFacts } from "../../../../gateway/contract/playground.ts";
import {
  createEstimate,
  createRequest,
  nameEditFiles,
  type MediaInput,
} from "../../../../renderer/features/playground/media/media-requests.ts";

const png = new Blob(["x"], { type: "image/png" });

function input(kind: MediaInput["kind"], values: MediaInput["values"], more: Partial<MediaInput> = {}): MediaInput {
  return { kind, model: "m", values, facts: undefined, pictures: [], files: [], isTranslation: false, ...more };
}

const imageFacts = (family: string): ModelFacts => ({ image: { family } }) as ModelFacts;
const videoFacts = (change: Partial<ModelFacts["video"]>): ModelFacts =>
  ({ video: { family: "alpha", kind: "t2v", with_image: null, ...change } }) as ModelFacts;

describe("the body of a request for images", () => {
  it("has the shape of the model's family", () => {
    const pictures = ["data:a", "data:b"];
    const gamma = { prompt: "A heron", parameters: { size: "1024*1024", seed: 7 } };
    expect(createRequest(input("image", gamma, { facts: imageFacts("gamma"), pictures })).body).toEqual({
      model: "m",
      input: { messages: [{ role: "user", content: [{ image: "data:a" }, { image: "data:b" }, { text: "A heron" }] }] },
      parameters: { size: "1024*1024", seed: 7 },
    });
    const values = { prompt: "A heron", n: 2, size: "2K" };
    expect(createRequest(input("image", values, { facts: imageFacts("seedream"), pictures })).body).toEqual({
      model: "m",
      prompt: "A heron",
      size: "2K",
      image: pictures,
      sequential_image_generation: "auto",
      sequential_image_generation_options: { max_images: 2 },
    });
    expect(createRequest(input("image", values)).body).toEqual({ model: "m", ...values });
  });

  it("is estimated in words that all families share, with a small stand-in for each picture", () => {
    const gamma = { prompt: "A heron", parameters: { size: "1024*1024", seed: 7 } };
    expect(createEstimate(input("image", gamma), 2)).toEqual({
      tool: "generate_image",
      arguments: {
        model: "m",
        prompt: "A heron",
        size: "1024*1024",
        images: Array(2).fill(expect.stringMatching(/^data:image\/png;base64,.{20,200}$/)),
      },
    });
    expect(createEstimate(input("edit", { prompt: "p", n: 3 }), 0)?.arguments).toEqual({
      model: "m",
      prompt: "p",
      n: 3,
    });
  });
});

it("makes the form of an edit, with its mask", () => {
  const form = (files: MediaInput["files"]): FormData =>
    createRequest(input("edit", { prompt: "p", n: 2 }, { files })).body as FormData;
  const one = form(nameEditFiles([png], png));
  expect([...one.keys()]).toEqual(["model", "prompt", "n", "image", "mask"]);
  expect(one.get("n")).toBe("2");
  expect((one.get("image") as File).name).toBe("picture.png");
  const several = form(nameEditFiles([png, png], null));
  expect([...several.keys()]).toEqual(["model", "prompt", "n", "image[]", "image[]"]);
  expect(several.getAll("image[]").map((each) => (each as File).name)).toEqual(["picture-1.png", "picture-2.png"]);
});

describe("the body of a request for a video", () => {
  const values = { prompt: "A boat", duration: 5, aspect_ratio: "16:9" };
  const body = (change: Partial<ModelFacts["video"]>, pictures: string[] = ["data:a"], more = values) =>
    createRequest(input("video", more, { facts: videoFacts(change), pictures })).body;

  it("names the picture where its family looks for it, and the model that begins with one", () => {
    expect(body({}, [])).toEqual({ model: "m", duration: 5, aspect_ratio: "16:9", input: { prompt: "A boat" } });
    expect(body({ with_image: "i2v" })).toMatchObject({
      model: "i2v",
      input: { media: [{ type: "first_frame", url: "data:a" }] },
    });
    expect(body({ family: "alpha-legacy", kind: "i2v" })).toMatchObject({ input: { img_url: "data:a" } });
    expect(body({ family: "alpha-legacy", kind: "r2v" })).toMatchObject({ input: { reference_urls: ["data:a"] } });
    expect(body({ kind: "r2v" })).toMatchObject({ input: { media: [{ type: "reference_image", url: "data:a" }] } });
  });

  it("keeps further input of the provider's own", () => {
    const own = { ...values, input: { negative_prompt: "rain" } };
    expect(body({}, [], own)).toMatchObject({ input: { negative_prompt: "rain", prompt: "A boat" } });
  });

  it("is estimated with the same choices", () => {
    const estimate = (kind: ModelFacts["video"]["kind"]) =>
      createEstimate(input("video", values, { facts: videoFacts({ kind }) }), 1)?.arguments;
    expect(estimate("i2v")).toMatchObject({ duration_seconds: 5, first_frame_image: expect.stringContaining("data:") });
    expect(estimate("i2v")).not.toHaveProperty("duration");
    expect(estimate("r2v")).toMatchObject({ reference_images: [expect.stringContaining("data:")] });
  });
});

describe("the form of a transcription", () => {
  const files = [{ field: "file", file: new Blob(["RIFF"], { type: "audio/wav" }), name: "a.wav" }];
  const values = { language: "de", keywords: ["Postern", "Lima"], chunking_strategy: { type: "server_vad" } };

  it("has what was chosen, lists as SDKs repeat them, and the file", () => {
    const { path, body } = createRequest(input("transcription", values, { files }));
    expect(path).toBe("/v1/audio/transcriptions");
    expect(
      [...(body as FormData)].map(([name, value]) => `${name}=${value instanceof File ? value.name : value}`),
    ).toEqual([
      "model=m",
      "language=de",
      "keywords[]=Postern",
      "keywords[]=Lima",
      'chunking_strategy={"type":"server_vad"}',
      "file=a.wav",
    ]);
  });

  it("goes to the endpoint of translations where the text becomes English, and is not estimated", () => {
    expect(createRequest(input("transcription", {}, { files, isTranslation: true })).path).toBe(
      "/v1/audio/translations",
    );
    expect(createEstimate(input("transcription", {}), 0)).toBeNull();
  });
});
