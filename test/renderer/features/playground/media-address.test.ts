import { expect, it } from "vitest";
import { readMediaAddress, readVariation } from "../../../../renderer/features/playground/media-address.ts";
import { mediaOrigin } from "../../../support/media-samples.ts";

it("reads ids out of an address, and takes an empty one for none", () => {
  expect(readMediaAddress(new URLSearchParams("kind=edit&picture=med_1&vary="))).toEqual({
    vary: null,
    picture: "med_1",
  });
});

it("fills in the form that made a picture, without its seed", () => {
  const origin = mediaOrigin({
    endpoint: "images",
    model: "gpt-image-1",
    prompt: "A heron",
    parameters: { size: "1024x1024", n: 2, quality: "low", seed: 7 },
    seed: 7,
  });
  expect(readVariation({ origin })).toEqual({
    kind: "image",
    model: "gpt-image-1",
    typed: { prompt: "A heron", size: "1024x1024", n: "2", quality: "low" },
  });
});

it("knows the names that speech and videos are recorded under, and parameters that are nested", () => {
  const speech = mediaOrigin({
    endpoint: "speech",
    model: "tts-1",
    prompt: "Hello",
    parameters: { voice: "alloy", response_format: "mp3", speed: 1.25 },
  });
  expect(readVariation({ origin: speech })?.typed).toEqual({
    input: "Hello",
    voice: "alloy",
    response_format: "mp3",
    speed: "1.25",
  });
  const video = mediaOrigin({
    endpoint: "videos",
    model: "beta-video-1.0",
    prompt: "Rain",
    parameters: { duration: 5, resolution: "720p", parameters: { ratio: "9:16", seed: 7 } },
  });
  expect(readVariation({ origin: video })?.typed).toEqual({
    prompt: "Rain",
    duration: "5",
    resolution: "720p",
    aspect_ratio: "9:16",
    "parameters.ratio": "9:16",
  });
});

it("makes nothing of a file whose origin is lost or whose form is missing", () => {
  expect(readVariation({ origin: null })).toBeNull();
  expect(readVariation({ origin: mediaOrigin({ endpoint: "chat" }) })).toBeNull();
});
