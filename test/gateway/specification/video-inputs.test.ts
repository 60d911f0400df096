import { describe, expect, it } from "vitest";
import { FILM, PICTURE, SOUND, useVideoStage } from "./video-stage.ts";

/** The shapes that inputs of `POST /v1/videos/generations` have by protocol, row by row, and their limits. */

const videos = useVideoStage();
const { sent, refused } = videos;

const prompt = "A lighthouse at dusk.";
const frame = { type: "first_frame", url: PICTURE };
const reference = { type: "reference_image", url: PICTURE };
const newer = { resolution: "720P", duration: 6, prompt_extend: false, watermark: false };
const older = { size: "1280*720", duration: 6, audio: false, shot_type: "multi", prompt_extend: false };

const times = (count: number, item: object): object[] => Array.from({ length: count }, () => item);

interface Shape {
  readonly models: readonly string[];
  /** `[input, parameters]` that reach the provider as they are. */
  readonly taken: readonly (readonly [input: object, parameters: object])[];
  /** Inputs that are refused, and the field that is named. */
  readonly wrong: readonly (readonly [input: object, param: string])[];
  /** What is filled in beside what the client sent. */
  readonly filled?: object;
}

const T27 = ["alpha2.7-t2v", "alpha2.7-t2v-2026-04-25"];
const I27 = ["alpha2.7-i2v", "alpha2.7-i2v-2026-04-25"];
const T26 = ["alpha2.6-t2v"];
const I26 = ["alpha2.6-i2v", "alpha2.6-i2v-flash"];
const R26 = ["alpha2.6-r2v", "alpha2.6-r2v-flash"];

const NO_PROMPT: Shape["wrong"] = [
  [{}, "input.prompt"],
  [{ prompt: null }, "input.prompt"],
  [{ prompt: " " }, "input.prompt"],
  [{ prompt: 5 }, "input.prompt"],
];
/** `media` that is none, beside a prompt. */
const BAD_MEDIA: Shape["wrong"] = [
  [{ prompt, media: PICTURE }, "input.media"],
  [{ prompt, media: [PICTURE] }, "input.media[0]"],
  [{ prompt, media: [{ url: PICTURE }] }, "input.media[0].type"],
  [{ prompt, media: [{ type: "poster", url: PICTURE }] }, "input.media[0].type"],
];

const SHAPES: readonly (readonly [title: string, shape: Shape])[] = [
  [
    "alpha 2.7 and later, t2v › prompt",
    {
      models: T27,
      taken: [
        [{ prompt }, newer],
        [{ prompt }, { ...newer, ratio: "9:16" }],
      ],
      wrong: NO_PROMPT,
    },
  ],
  [
    "alpha 2.7 and later, i2v › prompt and media with a first_frame",
    {
      models: I27,
      taken: [
        [{ prompt, media: [frame] }, newer],
        [{ media: [frame, { type: "last_frame", url: PICTURE }, { type: "driving_audio", url: SOUND }] }, newer],
      ],
      wrong: [
        [{ prompt }, "input.media"],
        [{ prompt, media: [] }, "input.media"],
        [{ prompt, media: [{ type: "first_frame" }] }, "input.media[0].url"],
        [{ prompt, media: [reference] }, "input.media[0].type"],
        ...BAD_MEDIA,
      ],
    },
  ],
  [
    "alpha 2.7 and later, r2v › prompt and media of four types",
    {
      models: ["alpha2.7-r2v"],
      taken: [
        [
          { prompt, media: [reference] },
          { ...newer, ratio: "1:1" },
        ],
        [
          {
            prompt,
            media: [
              { type: "reference_video", url: FILM },
              { ...reference, reference_voice: SOUND },
              frame,
              { type: "driving_audio", url: SOUND },
            ],
          },
          newer,
        ],
      ],
      wrong: [
        ...NO_PROMPT,
        [{ prompt }, "input.media"],
        [{ prompt, media: [] }, "input.media"],
        [{ prompt, media: [reference, { type: "reference_image" }] }, "input.media[1].url"],
        ...BAD_MEDIA,
      ],
    },
  ],
  [
    "alpha 2.6, t2v › prompt, and a size of width*height",
    {
      models: T26,
      taken: [
        [{ prompt }, older],
        [{ prompt }, { ...older, size: "720*1280" }],
        [{ prompt }, { ...older, size: "960*960" }],
      ],
      wrong: NO_PROMPT,
    },
  ],
  [
    "alpha 2.6, i2v › prompt, img_url and audio_url",
    {
      models: I26,
      taken: [
        [{ prompt, img_url: PICTURE }, older],
        [{ prompt, img_url: PICTURE, audio_url: SOUND }, older],
        [{ img_url: PICTURE }, older],
      ],
      // What the provider reads here (docs/providers/dashscope.md#wan-25-and-26); the size stays.
      filled: { resolution: "720P" },
      wrong: [
        [{ prompt }, "input.img_url"],
        [{ prompt, img_url: "" }, "input.img_url"],
        [{ prompt, img_url: [PICTURE] }, "input.img_url"],
        [{ prompt: 5, img_url: PICTURE }, "input.prompt"],
      ],
    },
  ],
  [
    "alpha 2.6, r2v › prompt and reference_urls",
    {
      models: R26,
      taken: [
        [{ prompt, reference_urls: [PICTURE, FILM] }, older],
        [
          { prompt, reference_urls: [FILM] },
          { size: "1280*720", duration: 6, shot_type: "single" },
        ],
      ],
      wrong: [
        ...NO_PROMPT,
        [{ prompt }, "input.reference_urls"],
        [{ prompt, reference_urls: [] }, "input.reference_urls"],
        [{ prompt, reference_urls: PICTURE }, "input.reference_urls"],
        [{ prompt, reference_urls: [PICTURE, { url: PICTURE }] }, "input.reference_urls[1]"],
      ],
    },
  ],
  [
    "beta-1.0 t2v › prompt",
    {
      models: ["beta-1.0-t2v"],
      taken: [
        [{ prompt }, { resolution: "720P", duration: 6 }],
        [{ prompt }, { resolution: "720P", duration: 6, ratio: "3:4" }],
      ],
      wrong: NO_PROMPT,
    },
  ],
  [
    "beta-1.0 i2v › prompt and exactly one first_frame",
    {
      models: ["beta-1.0-i2v"],
      taken: [
        [
          { prompt, media: [frame] },
          { resolution: "720P", duration: 6 },
        ],
        [{ media: [frame] }, { resolution: "720P", duration: 6 }],
      ],
      wrong: [
        [{ prompt }, "input.media"],
        [{ prompt, media: [] }, "input.media"],
        [{ prompt, media: [frame, frame] }, "input.media"],
        [{ prompt, media: [frame, reference] }, "input.media[1].type"],
        ...BAD_MEDIA,
      ],
    },
  ],
  [
    "beta-1.0 r2v › prompt and at most 9 reference_image items",
    {
      models: ["beta-1.0-r2v"],
      taken: [
        [
          { prompt, media: [reference] },
          { resolution: "720P", duration: 6, ratio: "9:16" },
        ],
        [
          { prompt, media: times(9, reference) },
          { resolution: "720P", duration: 6 },
        ],
      ],
      wrong: [
        ...NO_PROMPT,
        [{ prompt }, "input.media"],
        [{ prompt, media: [] }, "input.media"],
        [{ prompt, media: times(10, reference) }, "input.media"],
        [{ prompt, media: [frame] }, "input.media[0].type"],
        ...BAD_MEDIA,
      ],
    },
  ],
];

const UPSTREAM = { alpha: "wan", beta: "happyhorse" } as const;
const upstreamOf = (model: string): string =>
  model.replace(/^(alpha|beta)/, (family) => UPSTREAM[family as "alpha" | "beta"]);

describe("input shapes by protocol", () => {
  it.each(SHAPES)("%s", async (_title, { models, taken, wrong, filled = {} }) => {
    for (const model of models) {
      for (const [input, parameters] of taken) {
        const shown = JSON.stringify([model, input, parameters]);
        const body = await sent({ model, duration: 6, resolution: "720p", input, parameters });
        expect(body, shown).toEqual({ model: upstreamOf(model), input, parameters: { ...parameters, ...filled } });
      }
      for (const [input, param] of wrong) {
        const shown = JSON.stringify([model, input]);
        expect((await refused({ model, duration: 6, input })).param, shown).toBe(param);
      }
    }
  });
});

describe("limits", () => {
  it.each([
    [9, 202],
    [10, 400],
  ])("reference images of beta-1.0 r2v: %i are %i", async (count, status) => {
    const body = { model: "beta-1.0-r2v", input: { prompt, media: times(count, reference) } };
    if (status === 202) expect(await sent(body)).toMatchObject({ input: body.input });
    else expect((await refused(body)).message).toMatch(/10 items.*at most 9/);
  });

  it.each([
    [0, 400],
    [1, 202],
    [2, 400],
  ])("first frames of beta-1.0 i2v: %i are %i", async (count, status) => {
    const body = { model: "beta-1.0-i2v", input: { prompt, media: times(count, frame) } };
    if (status === 202) expect(await sent(body)).toMatchObject({ input: body.input });
    else expect((await refused(body)).message).toContain("exactly one");
  });
});
