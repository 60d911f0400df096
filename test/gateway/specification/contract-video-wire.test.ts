import { describe, expect, it } from "vitest";
import { FILM, PICTURE, useVideoStage } from "./video-stage.ts";

/** docs/contract.md#video: what the provider is sent, deep-equal but for what is filled in by its rules. */

const videos = useVideoStage();
const { sent } = videos;
const prompt = "A kite.";
const SEEDANCE = "doubao-seedance-2-0-260128";
const GROK = "grok-imagine-video";

/** What the client sends, and the whole body that the provider is sent. */
const FILLED: readonly (readonly [string, object, object])[] = [
  [
    "resolution, in the media protocol",
    { model: "alpha2.7-t2v", resolution: "1080p", input: { prompt } },
    { model: "wan2.7-t2v", input: { prompt }, parameters: { resolution: "1080P" } },
  ],
  [
    "resolution beside what the client sent",
    { model: "beta-1.0-t2v", duration: 3, input: { prompt }, parameters: { watermark: false, seed: 0, x: null } },
    {
      model: "happyhorse-1.0-t2v",
      input: { prompt },
      parameters: { watermark: false, seed: 0, x: null, resolution: "720P", duration: 3 },
    },
  ],
  [
    "what is billed by, in the place of null",
    {
      model: "alpha2.7-t2v",
      input: { prompt },
      parameters: { resolution: null, duration: null, ratio: null, seed: null },
    },
    {
      model: "wan2.7-t2v",
      input: { prompt },
      parameters: { resolution: "720P", duration: 5, ratio: "16:9", seed: null },
    },
  ],
  [
    "what is billed by, in the place of null, in the legacy protocol",
    { model: "alpha2.6-t2v", input: { prompt }, parameters: { size: null, duration: null } },
    { model: "wan2.6-t2v", input: { prompt }, parameters: { size: "1280*720", duration: 5 } },
  ],
  [
    "size, in the legacy protocol",
    {
      model: "alpha2.6-t2v",
      resolution: "1080p",
      aspect_ratio: "1:1",
      input: { prompt },
      parameters: { audio: false },
    },
    { model: "wan2.6-t2v", input: { prompt }, parameters: { audio: false, size: "1440*1440" } },
  ],
  [
    "resolution of a video from a picture, in the legacy protocol",
    { model: "alpha2.6-i2v-flash", resolution: "1080p", duration: 2, input: { img_url: PICTURE } },
    { model: "wan2.6-i2v-flash", input: { img_url: PICTURE }, parameters: { resolution: "1080P", duration: 2 } },
  ],
  [
    "no ratio where the picture decides",
    { model: "alpha2.7-i2v", aspect_ratio: "9:16", input: { media: [{ type: "first_frame", url: PICTURE }] } },
    {
      model: "wan2.7-i2v",
      input: { media: [{ type: "first_frame", url: PICTURE }] },
      parameters: { resolution: "720P" },
    },
  ],
  [
    "neither duration nor ratio of an edit",
    {
      model: "beta-1.0-video-edit",
      duration: 8,
      aspect_ratio: "9:16",
      input: { prompt, media: [{ type: "video", url: FILM }] },
    },
    {
      model: "happyhorse-1.0-video-edit",
      input: { prompt, media: [{ type: "video", url: FILM }] },
      parameters: { resolution: "720P" },
    },
  ],
  [
    "duration and resolution of Seedance",
    { model: SEEDANCE, input: { prompt }, parameters: { watermark: false, seed: 0, priority: 0 } },
    {
      model: SEEDANCE,
      content: [{ type: "text", text: prompt }],
      watermark: false,
      seed: 0,
      priority: 0,
      duration: 5,
      resolution: "720p",
    },
  ],
  [
    "duration and resolution of Grok",
    {
      model: GROK,
      aspect_ratio: "3:2",
      input: { prompt, image: { url: PICTURE, detail: 0 } },
      parameters: { user: "" },
    },
    {
      model: GROK,
      prompt,
      image: { url: PICTURE, detail: 0 },
      user: "",
      duration: 5,
      resolution: "720p",
      aspect_ratio: "3:2",
    },
  ],
  [
    "seconds and size of Sora, as texts",
    { model: "sora-2", duration: 8, aspect_ratio: "9:16", input: { prompt } },
    { model: "sora-2", prompt, seconds: "8", size: "720x1280" },
  ],
];

describe("filled in at the provider's wire, and nothing else", () => {
  it.each(FILLED)("%s", async (_name, body, wire) => {
    expect(await sent(body)).toEqual(wire);
  });
});

describe("the provider's own flat body", () => {
  it("Ark's", async () => {
    const body = {
      model: "doubao-seedance-1-5-pro-251215",
      content: [
        { type: "text", text: prompt },
        { type: "image_url", image_url: { url: PICTURE }, role: "first_frame" },
      ],
      resolution: "480p",
      ratio: "9:16",
      duration: 4,
      seed: 0,
      camera_fixed: false,
      watermark: false,
      generate_audio: false,
      draft: true,
      return_last_frame: false,
      service_tier: "flex",
      execution_expires_after: 3_600,
      safety_identifier: "",
    };
    expect(await sent(body)).toEqual(body);
    expect(videos.provider.last.path).toBe("/ark/api/v3/contents/generations/tasks");
  });

  it("Ark's duration that the model decides, billed at its most until it is known", async () => {
    const body = { model: SEEDANCE, content: [{ type: "text", text: prompt }], duration: -1, resolution: "480p" };
    expect(await sent(body)).toEqual(body);
  });

  it("xAI's: generations, edits and extensions", async () => {
    const made = { model: GROK, prompt, duration: 6, resolution: "480p", aspect_ratio: "1:1", image: { url: PICTURE } };
    expect(await sent({ ...made, webhook_url: null })).toEqual(made);
    expect(videos.provider.last.path).toBe("/xai/v1/videos/generations");
    const edited = { model: GROK, prompt, video: { url: FILM } };
    expect(await sent(edited)).toEqual(edited);
    expect(videos.provider.last.path).toBe("/xai/v1/videos/edits");
    const longer = { model: GROK, prompt, video: { url: FILM }, duration: 3 };
    expect(await sent(longer)).toEqual(longer);
    expect(videos.provider.last.path).toBe("/xai/v1/videos/extensions");
  });
});
