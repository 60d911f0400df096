import { FILM, PICTURE } from "../../support/video-stage.ts";

/** Good orders for videos, of every protocol: bad ones are made of them (hostile-bodies.ts). */

const prompt = "A kite.";
/** Name, good body of `POST /v1/videos/generations`. */
export const VIDEO_BASES: readonly (readonly [name: string, body: Readonly<Record<string, unknown>>])[] = [
  [
    "alpha 2.6",
    {
      model: "alpha2.6-t2v",
      duration: 5,
      resolution: "720p",
      aspect_ratio: "16:9",
      input: { prompt, negative_prompt: "x", audio_url: FILM },
      parameters: { size: "1280*720", duration: 5, audio: true, shot_type: "multi", prompt_extend: true, seed: 1 },
      webhook_url: "https://receiver.example/hook",
    },
  ],
  [
    "alpha 2.6 from a picture",
    { model: "alpha2.6-i2v", input: { prompt, img_url: PICTURE }, parameters: { resolution: "720P" } },
  ],
  [
    "alpha 2.6 from references",
    { model: "alpha2.6-r2v", duration: 5, input: { prompt, reference_urls: [PICTURE, FILM] } },
  ],
  [
    "alpha 2.7",
    {
      model: "alpha2.7-r2v",
      duration: 5,
      resolution: "720p",
      aspect_ratio: "16:9",
      input: { prompt, media: [{ type: "reference_image", url: PICTURE }] },
      parameters: { resolution: "720P", duration: 5, ratio: "16:9", watermark: false },
    },
  ],
  [
    "beta",
    {
      model: "beta-1.0-i2v",
      duration: 5,
      input: { prompt, media: [{ type: "first_frame", url: PICTURE }] },
      parameters: { resolution: "720P", duration: 5 },
    },
  ],
  [
    "a beta edit",
    {
      model: "beta-1.0-video-edit",
      duration: 5,
      input: { prompt, media: [{ type: "video", url: FILM }] },
      parameters: { watermark: false },
    },
  ],
  [
    "Seedance",
    {
      model: "doubao-seedance-2-0-260128",
      duration: 5,
      resolution: "720p",
      input: {
        content: [
          { type: "text", text: prompt },
          { type: "image_url", image_url: { url: PICTURE }, role: "first_frame" },
        ],
      },
      parameters: {
        duration: 5,
        resolution: "720p",
        ratio: "16:9",
        seed: 1,
        frames: 121,
        execution_expires_after: 3_600,
      },
    },
  ],
  [
    "Seedance by name",
    {
      model: "doubao-seedance-1-0-pro-250528",
      input: { prompt, image: PICTURE, last_frame: { url: PICTURE }, reference_urls: [PICTURE] },
    },
  ],
  [
    "Ark's own body",
    {
      model: "doubao-seedance-2-0-260128",
      content: [{ type: "text", text: prompt }],
      duration: 5,
      resolution: "720p",
      ratio: "16:9",
      seed: 1,
    },
  ],
  [
    "xAI's own body",
    {
      model: "grok-imagine-video",
      prompt,
      duration: 5,
      resolution: "480p",
      aspect_ratio: "16:9",
      image: { url: PICTURE },
      reference_images: [{ url: PICTURE }],
      video: { url: FILM },
    },
  ],
  [
    "Sora",
    {
      model: "sora-2",
      duration: 4,
      resolution: "720p",
      input: { prompt, seconds: "4", input_reference: { image_url: PICTURE } },
      parameters: { size: "1280x720" },
    },
  ],
];

/** The same of `POST /v1/videos`. */
export const OPENAI_VIDEO_BASES: readonly (readonly [name: string, body: Readonly<Record<string, unknown>>])[] = [
  ...["alpha2.6-t2v", "alpha2.7-t2v", "beta-1.0-t2v", "doubao-seedance-2-0-260128", "grok-imagine-video", "sora-2"].map(
    (model) =>
      [
        model,
        {
          model,
          prompt,
          seconds: model === "sora-2" ? "4" : "5",
          size: "1280x720",
          input_reference: { image_url: { url: PICTURE } },
        },
      ] as const,
  ),
  [
    "our own fields",
    {
      model: "alpha2.7-t2v",
      prompt,
      duration: 5,
      resolution: "720p",
      aspect_ratio: "16:9",
      input: { negative_prompt: "x" },
      parameters: { duration: 5, seed: 1 },
    },
  ],
];
