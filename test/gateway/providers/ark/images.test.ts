import { describe, expect, it } from "vitest";
import { errors } from "../../../../gateway/providers/ark/errors.ts";
import { images } from "../../../../gateway/providers/ark/provider.ts";
import { imagesCall } from "../dialect-call.ts";

const BODY = {
  model: "doubao-seedream-4-5-251128",
  prompt: "The same cat in four seasons",
  image: ["https://example.com/cat.png", "data:image/png;base64,iVBORw0KGgo="],
  size: "2K",
  response_format: "url",
  watermark: false,
  sequential_image_generation: "auto",
  sequential_image_generation_options: { max_images: 4 },
  stream: false,
  seed: 0,
};

it("sends the client's own bytes, with pictures to start from and every false and 0", () => {
  const call = imagesCall(BODY);
  const wire = images.toRequest(call, "ark-key");
  expect(wire).toMatchObject({ method: "POST", path: "/images/generations" });
  expect(wire.headers["authorization"]).toBe("Bearer ark-key");
  expect(wire.body).toBe(call.raw);
});

/** docs/providers/ark.md#images */
const RESPONSE = {
  model: BODY.model,
  created: 1_757_323_224,
  data: [
    { url: "https://ark-content.example/1.jpeg", size: "1760x2368" },
    { error: { code: "OutputImageSensitiveContentDetected", message: "The image may contain sensitive information." } },
    { b64_json: "/9j/4AA=", size: "1760x2368" },
  ],
  usage: { generated_images: 2, output_tokens: 16_280, total_tokens: 16_280 },
};

describe("the response", () => {
  it("is passed on as it is, and its images are counted without those that failed", () => {
    const read = images.fromResponse(RESPONSE, imagesCall(BODY));
    expect(read?.body).toBe(RESPONSE);
    expect(read?.images).toEqual([
      { kind: "url", url: "https://ark-content.example/1.jpeg" },
      { kind: "base64", data: "/9j/4AA=" },
    ]);
    expect(read?.units).toEqual({ image: 2, image_output: 16_280 });
  });

  it("counts what came where the provider does not", () => {
    expect(images.fromResponse({ ...RESPONSE, usage: undefined }, imagesCall(BODY))?.units).toEqual({ image: 2 });
  });

  it.each([null, {}, { data: "x" }, { data: [] }, { data: [null, 5] }])("%j is invalid", (body) => {
    expect(images.fromResponse(body, imagesCall(BODY))).toBeNull();
    expect(errors.inResponse?.(body)).toBeNull();
  });
});

it("is a refusal in Ark's words where every image failed", () => {
  const body = { ...RESPONSE, data: [RESPONSE.data[1]] };
  expect(images.fromResponse(body, imagesCall(BODY))).toBeNull();
  expect(errors.inResponse?.(body)).toMatchObject({
    kind: "bad_request",
    status: 400,
    code: "OutputImageSensitiveContentDetected",
    message: "The image may contain sensitive information.",
  });
});

it("is Ark's failure where every image failed by it", () => {
  const failed = { error: { code: "InternalServiceError", message: "Something went wrong." } };
  expect(errors.inResponse?.({ data: [failed] })).toMatchObject({ kind: "overload", status: 500 });
});

it("reads the usage at the end of a stream", () => {
  expect(images.toUnits?.({ generated_images: 1, output_tokens: 16_280 })).toEqual({ image_output: 16_280 });
  expect(images.toUnits?.(undefined)).toBeNull();
});
