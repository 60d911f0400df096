import { describe, expect, it } from "vitest";
import type { ModelFacts } from "../../../../gateway/contract/playground.ts";
import {
  editForm,
  editQuote,
  embeddingBody,
  imageBody,
  imageQuote,
  speechBody,
  transcriptionForm,
  videoBody,
  videoQuote,
  type ImageWish,
  type TranscriptionWish,
  type VideoWish,
} from "../../../../renderer/features/playground/media/bodies.ts";

const wish: ImageWish = {
  model: "m",
  prompt: "A heron",
  size: "1024x1024",
  n: "2",
  quality: "high",
  seed: "7",
  pictures: [],
};

type Family = NonNullable<ModelFacts["image"]>["family"];
const facts = (family: Family): ModelFacts["image"] => ({
  family,
  sizes: [],
  free: true,
  most: 10,
  qualities: [],
  references: { least: 0, most: 3 },
});

describe("the body of a request for images", () => {
  it("has the shape of the model's family", () => {
    expect(imageBody({ ...wish, pictures: ["data:a"] }, facts("gamma"))).toEqual({
      model: "m",
      input: { messages: [{ role: "user", content: [{ image: "data:a" }, { text: "A heron" }] }] },
      parameters: { size: "1024*1024", n: 2, seed: 7 },
    });
    expect(imageBody(wish, facts("delta"))).toEqual({
      model: "m",
      prompt: "A heron",
      n: 2,
      size: "1024x1024",
      quality: "high",
    });
    expect(imageBody({ ...wish, pictures: ["data:a", "data:b"] }, facts("seedream"))).toEqual({
      model: "m",
      prompt: "A heron",
      size: "1024x1024",
      seed: 7,
      image: ["data:a", "data:b"],
      sequential_image_generation: "auto",
      sequential_image_generation_options: { max_images: 2 },
    });
    expect(imageBody({ ...wish, size: "16:9" }, facts("grok"))).toEqual({
      model: "m",
      prompt: "A heron",
      n: 2,
      quality: "high",
      aspect_ratio: "16:9",
    });
    expect(imageBody(wish, null)).toMatchObject({ size: "1024x1024", seed: 7 });
  });

  it("leaves out what is not given, and passes on what is no number for the gateway to refuse", () => {
    const bare = { model: "m", prompt: "A heron", size: "", n: "", quality: "", seed: "", pictures: [] };
    expect(imageBody(bare, facts("gamma"))).not.toHaveProperty("parameters");
    expect(imageBody(bare, facts("delta"))).toEqual({ model: "m", prompt: "A heron" });
    expect(imageBody({ ...bare, n: "many" }, null)).toEqual({ model: "m", prompt: "A heron", n: "many" });
  });

  it("is quoted in words that all families share, with a small stand-in for each picture", () => {
    const quote = imageQuote({ ...wish, pictures: ["data:large", "data:larger"] }, facts("grok"));
    expect(quote).toMatchObject({ aspect_ratio: "1024x1024", n: 2 });
    expect(quote["images"]).toEqual(Array(2).fill(expect.stringMatching(/^data:image\/png;base64,.{20,200}$/)));
    expect(editQuote({ model: "m", prompt: "p", size: "", n: "3", quality: "" }, 2)).toMatchObject({
      n: 3,
      images: [expect.any(String), expect.any(String)],
    });
  });
});

it("makes the form of an edit, with its mask", () => {
  const png = new Blob(["x"], { type: "image/png" });
  const form = editForm({ model: "m", prompt: "p", size: "", n: "2", quality: "" }, [png], png);
  expect([...form.keys()]).toEqual(["model", "prompt", "n", "image", "mask"]);
  expect((form.get("image") as File).name).toBe("picture.png");
  expect([...editForm({ model: "m", prompt: "p", size: "", n: "", quality: "" }, [png], null).keys()]).not.toContain(
    "mask",
  );
  const several = editForm({ model: "m", prompt: "p", size: "", n: "", quality: "" }, [png, png], png);
  expect([...several.keys()]).toEqual(["model", "prompt", "image[]", "image[]", "mask"]);
  expect(several.getAll("image[]").map((each) => (each as File).name)).toEqual(["picture-1.png", "picture-2.png"]);
});

it("makes bodies of speech and embeddings", () => {
  const speech = { model: "tts-1", input: "Hi", voice: "", format: "mp3", speed: "1.25", instructions: "" };
  expect(speechBody(speech)).toEqual({ model: "tts-1", input: "Hi", response_format: "mp3", speed: 1.25 });
  expect(embeddingBody({ model: "e", texts: " one \n\ntwo", dimensions: "256" })).toEqual({
    model: "e",
    input: ["one", "two"],
    dimensions: 256,
  });
});

describe("the body of a request for a video", () => {
  const video: VideoWish = { model: "t2v", prompt: "A boat", seconds: "5", resolution: "", ratio: "16:9", first: null };
  const family = (change: Partial<ModelFacts["video"]>): ModelFacts["video"] => ({
    family: "alpha",
    kind: "t2v",
    resolutions: [],
    durations: null,
    with_image: null,
    ...change,
  });

  it("names the picture where its family looks for it, and the model that begins with one", () => {
    expect(videoBody(video, family({}))).toEqual({
      model: "t2v",
      duration: 5,
      aspect_ratio: "16:9",
      input: { prompt: "A boat" },
    });
    const first = { ...video, first: "data:a" };
    expect(videoBody(first, family({ with_image: "i2v" }))).toMatchObject({
      model: "i2v",
      input: { media: [{ type: "first_frame", url: "data:a" }] },
    });
    expect(videoBody(first, family({ family: "alpha-legacy", kind: "i2v" }))).toMatchObject({
      input: { img_url: "data:a" },
    });
    expect(videoBody(first, family({ family: "alpha-legacy", kind: "r2v" }))).toMatchObject({
      input: { reference_urls: ["data:a"] },
    });
    expect(videoBody(first, family({ kind: "r2v" }))).toMatchObject({
      input: { media: [{ type: "reference_image", url: "data:a" }] },
    });
  });

  it("is quoted with the same choices", () => {
    expect(videoQuote({ ...video, first: "data:a" }, family({ kind: "i2v" }))).toMatchObject({
      model: "t2v",
      duration_seconds: 5,
      first_frame_image: expect.stringContaining("data:image/png"),
    });
    expect(videoQuote({ ...video, first: "data:a" }, family({ kind: "r2v" }))).toHaveProperty("reference_images");
  });
});

describe("the form of a transcription", () => {
  const sound = new Blob(["RIFF"], { type: "audio/wav" });
  const wished: TranscriptionWish = {
    model: "whisper-1",
    prompt: "Postern",
    language: "de",
    format: "srt",
    english: false,
  };
  const fields = (form: FormData): string[] =>
    [...form].map(([name, value]) => `${name}=${value instanceof File ? value.name : value}`);

  it("has what was chosen, and the file", () => {
    expect(fields(transcriptionForm(wished, sound, "a.wav"))).toEqual([
      "model=whisper-1",
      "language=de",
      "prompt=Postern",
      "response_format=srt",
      "file=a.wav",
    ]);
    const least = { ...wished, prompt: "", language: "", format: "" };
    expect(fields(transcriptionForm(least, sound, "a.wav"))).toEqual(["model=whisper-1", "file=a.wav"]);
  });

  it("names no language where the text becomes English", () => {
    expect(fields(transcriptionForm({ ...wished, english: true }, sound, "a.wav"))).not.toContain("language=de");
  });
});
