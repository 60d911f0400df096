import { afterAll, beforeAll, expect, it } from "vitest";
import { VideoToolStage } from "../../../support/video-tools.ts";

/**
 * The same arguments for every family, and what each provider is sent for them (docs/providers/README.md#video-requests).
 */

let stage: VideoToolStage;
beforeAll(async () => {
  stage = await VideoToolStage.open();
});
afterAll(() => stage.close());

const A = "https://pictures.example/a.png";
const B = "https://pictures.example/b.png";
const FILM = "https://films.example/a.mp4";
const SOUND = "https://sounds.example/a.mp3";
const prompt = "A fox in the snow.";

type Fields = Readonly<Record<string, unknown>>;

const wan = (model: string, input: Fields, parameters: Fields): Fields => ({ model, input, parameters });
/** DashScope's list of media, from their types and addresses. */
const media = (items: Readonly<Record<string, string>>): object => ({
  media: Object.entries(items).map(([type, url]) => ({ type, url })),
});
/** Ark's list of content: the prompt, and what each role is played by. */
const content = (roles: Readonly<Record<string, string>>): object => ({
  content: [
    { type: "text", text: prompt },
    ...Object.entries(roles).map(([role, url]) => {
      const type = /_(video|audio)$/.exec(role)?.[1] ?? "image";
      return { type: `${type}_url`, [`${type}_url`]: { url }, role };
    }),
  ],
});
const SEEDANCE = "doubao-seedance-2-0-260128";
const GROK = "grok-imagine-video";

it.each<readonly [model: string, args: Fields, sent: Fields]>([
  ["alpha2.6-t2v", { prompt }, wan("wan2.6-t2v", { prompt }, { size: "1280*720" })],
  [
    "alpha2.6-t2v",
    { prompt, negative_prompt: "rain", size: "1280x720", duration_seconds: 10, seed: 7, audio: false },
    wan("wan2.6-t2v", { prompt, negative_prompt: "rain" }, { size: "1280*720", duration: 10, seed: 7, audio: false }),
  ],
  [
    "alpha2.6-i2v-flash",
    { first_frame_image: A, audio_url: SOUND, resolution: "1080p", parameters: { shot_type: "multi" } },
    wan("wan2.6-i2v-flash", { img_url: A, audio_url: SOUND }, { shot_type: "multi", resolution: "1080P" }),
  ],
  // Text to video with a picture is its sibling.
  ["alpha2.6-t2v", { prompt, first_frame_image: A }, wan("wan2.6-i2v", { prompt, img_url: A }, { resolution: "720P" })],
  [
    "alpha2.6-r2v",
    { prompt, reference_images: [A, B], reference_videos: [FILM], aspect_ratio: "9:16" },
    wan("wan2.6-r2v", { prompt, reference_urls: [A, B, FILM] }, { size: "720*1280" }),
  ],
  [
    "alpha2.7-t2v",
    { prompt, audio_url: SOUND, aspect_ratio: "1:1", watermark: true },
    wan("wan2.7-t2v", { prompt, audio_url: SOUND }, { watermark: true, resolution: "720P", ratio: "1:1" }),
  ],
  [
    "alpha2.7-i2v",
    { first_frame_image: A, last_frame_image: B, audio_url: SOUND, duration_seconds: 3 },
    wan(
      "wan2.7-i2v",
      { ...media({ first_frame: A, last_frame: B, driving_audio: SOUND }) },
      { resolution: "720P", duration: 3 },
    ),
  ],
  [
    "alpha2.7-t2v",
    { prompt, source_video: FILM },
    wan("wan2.7-i2v", { prompt, ...media({ first_clip: FILM }) }, { resolution: "720P" }),
  ],
  [
    "alpha2.7-r2v",
    { prompt, reference_images: [A], reference_videos: [FILM] },
    wan("wan2.7-r2v", { prompt, ...media({ reference_image: A, reference_video: FILM }) }, { resolution: "720P" }),
  ],
  [
    "beta-1.0-t2v",
    { prompt, duration_seconds: 3 },
    wan("happyhorse-1.0-t2v", { prompt }, { resolution: "720P", duration: 3 }),
  ],
  [
    "beta-1.0-video-edit",
    { prompt, source_video: FILM, reference_images: [A] },
    wan("happyhorse-1.0-video-edit", { prompt, ...media({ video: FILM, reference_image: A }) }, { resolution: "720P" }),
  ],
  [
    SEEDANCE,
    {
      prompt,
      first_frame_image: A,
      last_frame_image: B,
      audio: false,
      watermark: false,
      seed: -1,
      duration_seconds: -1,
    },
    {
      model: SEEDANCE,
      ...content({ first_frame: A, last_frame: B }),
      generate_audio: false,
      watermark: false,
      seed: -1,
      resolution: "720p",
      duration: -1,
    },
  ],
  [
    SEEDANCE,
    {
      prompt,
      reference_images: [A],
      reference_videos: [FILM],
      audio_url: SOUND,
      parameters: { return_last_frame: true },
    },
    {
      model: SEEDANCE,
      ...content({ reference_image: A, reference_video: FILM, reference_audio: SOUND }),
      return_last_frame: true,
      resolution: "720p",
      duration: 5,
    },
  ],
  [
    GROK,
    { prompt, first_frame_image: A, aspect_ratio: "3:2", resolution: "480p", duration_seconds: 6 },
    { model: GROK, prompt, image: { url: A }, duration: 6, resolution: "480p", aspect_ratio: "3:2" },
  ],
  [
    GROK,
    { prompt, source_video: FILM, parameters: { duration: 6 } },
    { model: GROK, prompt, video: { url: FILM }, duration: 6 },
  ],
  [
    "sora-2",
    { prompt, duration_seconds: 8, aspect_ratio: "9:16" },
    { model: "sora-2", prompt, seconds: "8", size: "720x1280" },
  ],
  [
    "sora-2-pro",
    { prompt, size: "1792*1024", first_frame_image: A },
    { model: "sora-2-pro", prompt, seconds: "4", size: "1792x1024", input_reference: { image_url: A } },
  ],
])("%s is ordered with %j as its provider takes it", async (model, args, sent) => {
  await stage.order({ model, ...args });
  expect(stage.sent).toEqual(sent);
  expect(stage.provider.complaints).toEqual([]);
});

it.each<readonly [string, Readonly<Record<string, unknown>>, string, string]>([
  // By the endpoint's own rules.
  ["alpha2.7-i2v", { prompt, first_frame_image: A, reference_images: [B] }, "unsupported_value", "input.media[1].type"],
  ["beta-1.0-i2v", { prompt, first_frame_image: A, last_frame_image: B }, "unsupported_value", "input.media[1].type"],
  ["beta-1.0-r2v", { prompt }, "missing_required_parameter", "input.media"],
  ["grok-imagine-video", { prompt, last_frame_image: A }, "unsupported_value", "input.media[0].type"],
  ["sora-2", { prompt, source_video: FILM }, "unsupported_value", "input.media[0].type"],
  ["sora-2", { prompt, reference_images: [A, B] }, "unsupported_value", "input.media"],
  ["grok-imagine-video", { prompt, reference_videos: [FILM, B] }, "unsupported_value", "input.media"],
  ["sora-2", { prompt, duration_seconds: 5 }, "unsupported_value", "duration"],
  ["alpha2.7-t2v", { prompt, resolution: "480p" }, "unsupported_value", "resolution"],
  ["alpha2.6-t2v", { prompt, size: "1280*720", resolution: "1080p" }, "invalid_value", "resolution"],
  ["alpha2.6-t2v", {}, "missing_required_parameter", "input.prompt"],
  ["alpha2.6-t2v", { prompt, duration_seconds: 0 }, "invalid_value", "duration"],
  // What its body has no place for.
  ["alpha2.6-i2v", { first_frame_image: A, last_frame_image: B }, "unsupported_value", "last_frame_image"],
  ["alpha2.6-t2v", { prompt, reference_images: [A] }, "unsupported_value", "reference_images"],
  ["alpha2.6-r2v", { prompt, first_frame_image: A, reference_images: [A] }, "unsupported_value", "first_frame_image"],
  ["alpha2.6-t2v", { prompt, source_video: FILM }, "unsupported_value", "source_video"],
  ["alpha2.7-t2v", { prompt, size: "1280*720" }, "unsupported_value", "size"],
])("%s refuses %j before its provider is asked", async (model, args, code, param) => {
  const before = stage.provider.count("submit");
  const { error } = await stage.generate({ model, ...args });
  expect([error?.code, error?.details.param]).toEqual([code, param]);
  expect(stage.provider.count("submit")).toBe(before);
});

it("leaves to the provider what no rule of ours depends on, in its own words, and charges nothing", async () => {
  const { error, receipt } = await stage.generate({ model: "sora-2", prompt, seed: 7 });
  expect(error?.message).toContain("unknown fields: seed");
  expect(receipt?.nano).toBe(0);
});
