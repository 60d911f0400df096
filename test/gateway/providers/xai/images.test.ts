import { describe, expect, it } from "vitest";
import { errors } from "../../../../gateway/providers/xai/errors.ts";
import { images } from "../../../../gateway/providers/xai/images.ts";
import { bodyOf, imagesCall } from "../dialect-call.ts";

const OWN = {
  model: "grok-imagine-image",
  prompt: "A cat",
  n: 2,
  response_format: "url",
  aspect_ratio: "19.5:9",
  resolution: "2k",
  quality: "high",
  sync_mode: false,
};

it("sends the client's own bytes where they are xAI's own words", () => {
  const call = imagesCall(OWN);
  const wire = images.toRequest(call, "xai-key");
  expect(wire).toMatchObject({ method: "POST", path: "/images/generations" });
  expect(wire.headers["authorization"]).toBe("Bearer xai-key");
  expect(wire.body).toBe(call.raw);
});

describe("a size, which xAI does not know", () => {
  const sent = (size: unknown, more: object = {}) => {
    const {
      model: _m,
      prompt: _p,
      ...rest
    } = bodyOf(images.toRequest(imagesCall({ model: OWN.model, prompt: "A cat", size, ...more }), null));
    return rest;
  };
  it.each([
    ["1024x1024", { aspect_ratio: "1:1", resolution: "1k" }],
    ["1792x1024", { aspect_ratio: "16:9", resolution: "1k" }],
    ["1024x1536", { aspect_ratio: "2:3", resolution: "1k" }],
    ["2048x2048", { aspect_ratio: "1:1", resolution: "2k" }],
    ["auto", {}],
    [null, {}],
  ])("%s is said as %j", (size, fields) => {
    expect(sent(size)).toEqual(fields);
  });

  it("does not stand against what the client says in xAI's words", () => {
    expect(sent("2048x2048", { aspect_ratio: "9:16", resolution: "1k" })).toEqual({
      aspect_ratio: "9:16",
      resolution: "1k",
    });
  });
});

/** docs/providers/xai.md#images */
it("passes the response on as it is", () => {
  const body = {
    data: [{ url: "https://imgen.x.ai/1.jpeg", revised_prompt: "", respect_moderation: true, mime_type: "image/jpeg" }],
    usage: { cost_in_usd_ticks: 200_000_000 },
  };
  const read = images.fromResponse(body, imagesCall(OWN));
  expect(read).toEqual({
    body,
    images: [{ kind: "url", url: "https://imgen.x.ai/1.jpeg" }],
    units: { image: 1 },
  });
  expect(read?.body).toBe(body);
});

it("is a refusal where the image was filtered", () => {
  const body = { data: [{ url: "", respect_moderation: false }] };
  expect(images.fromResponse(body, imagesCall(OWN))).toBeNull();
  expect(errors.inResponse?.(body)).toMatchObject({
    kind: "bad_request",
    status: 400,
    code: "content_policy_violation",
  });
});

it.each([null, {}, { data: [] }, { data: [{ url: "" }] }])("%j is no response, and no refusal", (body) => {
  expect(images.fromResponse(body, imagesCall(OWN))).toBeNull();
  expect(errors.inResponse?.(body)).toBeNull();
});
