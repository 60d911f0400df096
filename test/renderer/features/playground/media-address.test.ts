import { expect, it } from "vitest";
import { mediaAddress, variationOf } from "../../../../renderer/features/playground/media-address.ts";
import { mediaOrigin } from "../../../support/media-samples.ts";

it("reads ids out of an address, and takes an empty one for none", () => {
  expect(mediaAddress(new URLSearchParams("kind=edit&picture=med_1&vary="))).toEqual({ vary: null, picture: "med_1" });
});

it("fills in the form that made a picture, without its seed", () => {
  const origin = mediaOrigin({
    endpoint: "images",
    model: "gpt-image-1",
    prompt: "A heron",
    parameters: { size: "1024x1024", n: 2, quality: "low", seed: 7 },
    seed: 7,
  });
  expect(variationOf({ origin })).toEqual({
    kind: "image",
    fields: { model: "gpt-image-1", prompt: "A heron", size: "1024x1024", n: "2", quality: "low", seed: "" },
  });
});

it("knows the names that speech and videos are recorded under, and parameters that are nested", () => {
  const speech = mediaOrigin({
    endpoint: "speech",
    model: "tts-1",
    prompt: "Hello",
    parameters: { voice: "alloy", response_format: "mp3", speed: 1.25 },
  });
  expect(variationOf({ origin: speech })?.fields).toEqual({
    model: "tts-1",
    input: "Hello",
    voice: "alloy",
    format: "mp3",
    speed: "1.25",
    instructions: "",
  });
  const video = mediaOrigin({
    endpoint: "videos",
    model: "beta-video-1.0",
    prompt: "Rain",
    parameters: { duration: 5, resolution: "720p", parameters: { aspect_ratio: "9:16" } },
  });
  expect(variationOf({ origin: video })?.fields).toMatchObject({ seconds: "5", resolution: "720p", ratio: "9:16" });
});

it("makes nothing of a file whose origin is lost or whose form is missing", () => {
  expect(variationOf({ origin: null })).toBeNull();
  expect(variationOf({ origin: mediaOrigin({ endpoint: "chat" }) })).toBeNull();
});
