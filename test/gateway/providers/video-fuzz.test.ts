import * as fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { allModels } from "../../../gateway/catalog/lookup.ts";
import { videoRequestSchema } from "../../../gateway/contract/videos.ts";
import { GatewayError } from "../../../gateway/core/errors.ts";
import { videoHold } from "../../../gateway/core/videos/video-cost.ts";
import type { OrderedModel, VideoFamily, VideoRules } from "../../../gateway/core/videos/video-order.ts";
import { videoOrder } from "../../../gateway/providers/video-families.ts";
import { takesDuration } from "../../../gateway/core/videos/video-terms.ts";
import { FIRST_FRAME, MOVIE, PICTURE, PROMPT, listed, orderOf, refusalOf, unlisted } from "./video-fixture.ts";
import type { Json } from "./video-fixture.ts";

const videoModels = allModels().flatMap(({ id, video }) => (video === undefined ? [] : [{ id, rules: video }]));
const FAMILIES: readonly VideoFamily[] = ["alpha-legacy", "alpha", "beta", "seedance", "grok", "sora"];
const models: readonly OrderedModel[] = [...videoModels.map(({ id }) => listed(id)), ...FAMILIES.map(unlisted)];

/** An input that the model takes. */
function inputFor({ family, kind }: VideoRules): Json {
  if (family === "alpha-legacy" && kind === "i2v") return { prompt: PROMPT, img_url: PICTURE };
  if (family === "alpha-legacy" && kind === "r2v") return { prompt: PROMPT, reference_urls: [PICTURE] };
  if (kind === "r2v") return { prompt: PROMPT, media: [{ type: "reference_image", url: PICTURE }] };
  if (kind === "edit") return { prompt: PROMPT, media: [{ type: "video", url: MOVIE }] };
  if (kind === "i2v" && family !== "seedance") return { prompt: PROMPT, media: [FIRST_FRAME] };
  return { prompt: PROMPT };
}

const durationsOf = ({ durations }: VideoRules): fc.Arbitrary<number> =>
  "oneOf" in durations ? fc.constantFrom(...durations.oneOf) : fc.integer({ min: durations.from, max: durations.to });

/** Names that mean something in parameters or input: left out where unknown fields are wanted. */
const KNOWN = new Set(
  "prompt content media image img_url first_frame last_frame reference_urls reference_video_urls video input_reference duration seconds frames resolution ratio aspect_ratio size".split(
    " ",
  ),
);
const unknownFields = fc.dictionary(
  fc.string({ minLength: 1, maxLength: 12 }).filter((name) => !KNOWN.has(name) && name !== "__proto__"),
  fc.oneof(fc.constantFrom<unknown>(false, 0, "", -1, [], {}), fc.jsonValue({ maxDepth: 2 })),
  { maxKeys: 6 },
);

describe.each(videoModels)("$id", ({ id, rules }) => {
  const media = ["alpha", "alpha-legacy", "beta"].includes(rules.family);

  it("takes every length and resolution of its rules, holds at least what it bills, and tells the provider so", () => {
    fc.assert(
      fc.property(durationsOf(rules), fc.constantFrom(...rules.resolutions), (duration, resolution) => {
        const order = orderOf(id, { duration, resolution, input: inputFor(rules) });
        expect(order).toMatchObject({ seconds: duration, resolution, family: rules.family });
        expect(order.holdSeconds).toBeGreaterThanOrEqual(order.seconds);
        expect(JSON.stringify(order.body)).not.toMatch(/webhook_url|"wait"/);
      }),
    );
  });

  it("takes the specification's defaults, or what it makes that is nearest", () => {
    const order = orderOf(id, { input: inputFor(rules) });
    expect(takesDuration(order.seconds, rules)).toBe(true);
    expect(order.resolution).toBe("720p");
  });

  it("passes on unknown fields, false and 0 among them", () => {
    fc.assert(
      fc.property(unknownFields, unknownFields, (more, parameters) => {
        const input = { ...inputFor(rules), ...more };
        const { body } = orderOf(id, { input, parameters });
        if (media) {
          expect(body["input"]).toBe(input);
          const filled = body["parameters"] as Json;
          const added = Object.keys(filled).filter((name) => !Object.hasOwn(parameters, name));
          expect(added).toEqual([rules.family === "alpha-legacy" && rules.kind !== "i2v" ? "size" : "resolution"]);
          expect(filled).toEqual({ ...parameters, [added[0] ?? ""]: filled[added[0] ?? ""] });
        } else {
          const sent = Object.fromEntries(Object.entries({ ...more, ...withoutNulls(parameters) }));
          expect(body).toMatchObject(withoutNulls(sent));
        }
      }),
    );
  });

  it("refuses a duration that is not the one in parameters, naming both", () => {
    const name = rules.family === "sora" ? "seconds" : "duration";
    fc.assert(
      fc.property(durationsOf(rules), durationsOf(rules), (top, inner) => {
        fc.pre(top !== inner);
        const refusal = refusalOf(id, { duration: top, input: inputFor(rules), parameters: { [name]: inner } });
        expect(refusal.code).toBe("invalid_value");
        expect(refusal.message).toContain(`'duration' is ${top}`);
        expect(refusal.message).toContain(`'parameters.${name}' is ${inner}`);
      }),
    );
  });

  it("refuses a resolution that is not the one in parameters, naming both", () => {
    for (const top of rules.resolutions) {
      for (const inner of rules.resolutions.filter((name) => name !== top)) {
        const body = { resolution: top, input: inputFor(rules), parameters: { resolution: inner.toUpperCase() } };
        const refusal = refusalOf(id, body);
        expect(refusal.code).toBe("invalid_value");
        expect(refusal.message).toContain(`'resolution' is "${top}"`);
        expect(refusal.message).toContain(`'parameters.resolution' is "${inner.toUpperCase()}"`);
      }
    }
  });
});

const withoutNulls = (fields: Json): Json =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null));

const FIELDS = [...KNOWN, "seed", "watermark", "__proto__", "constructor", "input", "parameters", "wait"];
const values = fc.oneof(
  fc.constantFrom<unknown>(PROMPT, PICTURE, "720P", "1280*720", "16:9", 5, 8, -1, 0, 0.5, true, null, [], {}),
  fc.constant([FIRST_FRAME]),
  fc.constant([{ type: "text", text: PROMPT }]),
  fc.anything({ maxDepth: 3, withNullPrototype: true }),
);
const fields = fc.dictionary(fc.constantFrom(...FIELDS), values);

const plausible = fc.dictionary(
  fc.constantFrom("duration", "resolution", "ratio", "size", "seed", "frames", "watermark", "reference_urls", "image"),
  fc.constantFrom<unknown>(5, 8, "720P", "1280*720", "16:9", false, [PICTURE], PICTURE, null),
  { maxKeys: 2 },
);

test("whatever comes: an order whose figures are sound, or a refusal with a sentence; never another error", () => {
  const bodies = fc.record({
    top: fc.oneof(fields, plausible),
    input: fc.option(fc.oneof(fields, plausible)),
    parameters: fc.option(fc.oneof(fields, plausible)),
    sound: fc.boolean(),
  });
  fc.assert(
    fc.property(bodies, fc.constantFrom(...models), ({ top, input, parameters, sound }, model) => {
      const base = sound && model.rules !== null ? inputFor(model.rules) : {};
      const body = { ...top, model: model.id, input: input === null ? null : { ...input, ...base }, parameters };
      if (!videoRequestSchema.safeParse(body).success) return;
      try {
        const order = videoOrder(body, body, model);
        expect(order.seconds).toBeGreaterThan(0);
        expect(order.holdSeconds).toBeGreaterThanOrEqual(order.seconds);
        expect(Number.isSafeInteger(videoHold(order, null))).toBe(true);
        expect(typeof order.prompt).toBe("string");
        for (const value of Object.values(order.parameters)) expect(typeof value).toMatch(/string|number|boolean/);
      } catch (error) {
        if (!(error instanceof GatewayError)) throw error;
        expect(error.status).toBe(400);
        expect(error.message.length).toBeLessThan(600);
      }
    }),
    { numRuns: 5_000 },
  );
});
