import * as z from "zod";
import { PIXEL, PIXEL_BASE64, pixelFile } from "../../../support/image-acts.ts";
import { samplesOf, wavFile } from "../../../support/sound.ts";
import { qwenDocument, qwenEnd, qwenPiece } from "../../../support/speech-acts.ts";
import { reply, replyBytes, replyEvents } from "../../../support/wire-provider.ts";
import type { WireAct } from "../../../support/wire-provider.ts";
import { KEYS } from "./chat-providers.ts";
import type { Simulated } from "./simulated.ts";
import { strictly } from "./strict.ts";

/** Pictures and speech of DashScope, Gemini, Ark and xAI, as the pages of docs/providers/README.md show them. */

const link = z.string().regex(/^(https?:\/\/|oss:\/\/|data:image\/)/);
const QWEN_SIZES = /^(\d+)\*(\d+)$/;

/** One user message with exactly one text, and one to three images for editing. */
const qwenContent = z
  .array(z.union([z.strictObject({ text: z.string().min(1) }), z.strictObject({ image: link })]))
  .refine((blocks) => blocks.filter((block) => "text" in block).length === 1, "exactly one text");
const qwenImage = z
  .strictObject({
    model: z.string().startsWith("qwen-image"),
    input: z.strictObject({
      messages: z.array(z.strictObject({ role: z.literal("user"), content: qwenContent })).length(1),
    }),
    parameters: z
      .strictObject({
        n: z.int().min(1).max(6).optional(),
        size: z.string().regex(QWEN_SIZES).optional(),
        negative_prompt: z.string().max(500).optional(),
        prompt_extend: z.boolean().optional(),
        watermark: z.boolean().optional(),
        seed: z.int().min(0).max(2_147_483_647).optional(),
      })
      .optional(),
  })
  .superRefine(({ model, input, parameters }, context) => {
    const images = input.messages[0]?.content.filter((block) => "image" in block).length ?? 0;
    const [, width = 0, height = 0] = (QWEN_SIZES.exec(parameters?.size ?? "1024*1024") ?? []).map(Number);
    if (/edit/.test(model) ? images < 1 || images > 3 : images > 3) context.addIssue(`${images} images for ${model}`);
    if (/-(max|plus)$|^qwen-image$/.test(model) && !model.includes("edit")) {
      const five = ["1664*928", "1472*1104", "1328*1328", "1104*1472", "928*1664"];
      if (images > 0) context.addIssue(`${model} takes no images`);
      if (parameters?.size !== undefined && !five.includes(parameters.size))
        context.addIssue(`${parameters.size} for ${model}`);
    }
    if (model === "qwen-image-edit" && (parameters?.size ?? parameters?.prompt_extend) !== undefined) {
      context.addIssue("qwen-image-edit takes neither size nor prompt_extend");
    }
    if (/edit-(max|plus)/.test(model) && parameters?.size !== undefined && Math.min(width, height) < 512) {
      context.addIssue(`${parameters.size} for ${model}`);
    }
    if (width * height < 512 * 512 || width * height > 2_048 * 2_048) context.addIssue(`${width}*${height} pixels`);
  });

const qwenSpeech = z
  .strictObject({
    model: z.enum(["qwen3-tts-flash", "qwen3-tts-instruct-flash"]),
    input: z.strictObject({
      text: z.string().min(1).max(600),
      voice: z.string().regex(/^[A-Z]/),
      language_type: z.string().optional(),
      instructions: z.string().optional(),
      optimize_instructions: z.boolean().optional(),
    }),
  })
  .refine(
    ({ model, input }) => model.includes("instruct") || input.instructions === undefined,
    "instructions of flash",
  );

/** Both kinds live on one path; speech streams where `X-DashScope-SSE: enable` says so. */
function dashscope({ providers, deviations }: Simulated): void {
  const auth = ["authorization", `Bearer ${KEYS.dashscope}`] as const;
  const { origin } = providers.dashscope;
  const image = {
    output: {
      choices: [
        {
          finish_reason: "stop",
          message: { role: "assistant", content: [{ image: `${origin}/result.png?Expires=1` }] },
        },
      ],
    },
    usage: { height: 1_024, image_count: 1, width: 1_024 },
    request_id: "d0250a3d-b07f-49e1-bdc8-6793f4929xxx",
  };
  const characters = 5;
  const response: WireAct = (seen, outgoing) => {
    if (!(seen.json as { model: string }).model.includes("tts")) return reply(200, image)(seen, outgoing);
    return seen.headers["x-dashscope-sse"] === "enable"
      ? replyEvents(qwenPiece(1, samplesOf(0.3), characters), qwenEnd(2, characters, `${origin}/speech.wav`))(
          seen,
          outgoing,
        )
      : reply(200, qwenDocument(`${origin}/speech.wav?Expires=1`, characters))(seen, outgoing);
  };
  const act: WireAct = (seen, outgoing) => {
    const speaks = JSON.stringify(seen.json).includes("-tts-");
    const headers = seen.headers["x-dashscope-sse"] === undefined ? {} : { "x-dashscope-sse": "enable" };
    return strictly(deviations, { auth, headers, body: speaks ? qwenSpeech : qwenImage }, response)(seen, outgoing);
  };
  providers.dashscope
    .on("POST /api/v1/services/aigc/multimodal-generation/generation", act)
    .on("GET /result.png", unasked(deviations, pixelFile))
    .on("GET /speech.wav", unasked(deviations, replyBytes("audio/wav", wavFile(samplesOf(0.3)))));
}

/** A stored file: fetched without any key. */
function unasked(deviations: string[], act: WireAct): WireAct {
  return (seen, outgoing) => {
    const { authorization, cookie } = seen.headers;
    if (authorization !== undefined || cookie !== undefined) deviations.push(`${seen.path}: fetched with a key`);
    return act(seen, outgoing);
  };
}

const geminiPart = z.union([
  z.strictObject({ text: z.string().min(1) }),
  z.strictObject({
    inlineData: z.strictObject({ mimeType: z.string().startsWith("image/"), data: z.base64().min(1) }),
  }),
]);
const geminiImage = z.strictObject({
  contents: z.array(z.strictObject({ role: z.literal("user").optional(), parts: z.array(geminiPart).min(1) })).min(1),
  generationConfig: z
    .strictObject({
      responseModalities: z.array(z.enum(["TEXT", "IMAGE"])).refine((list) => list.includes("IMAGE")),
      imageConfig: z
        .strictObject({
          aspectRatio: z.enum(["1:1", "2:3", "3:2", "3:4", "4:3", "4:5", "5:4", "9:16", "16:9", "21:9"]).optional(),
          imageSize: z.enum(["512", "1K", "2K", "4K"]).optional(),
        })
        .optional(),
    })
    .loose(),
});
const geminiResponse = {
  candidates: [
    {
      content: { parts: [{ inlineData: { mimeType: "image/png", data: PIXEL_BASE64 } }], role: "model" },
      finishReason: "STOP",
      index: 0,
    },
  ],
  usageMetadata: {
    promptTokenCount: 9,
    candidatesTokenCount: 1_290,
    totalTokenCount: 1_299,
    promptTokensDetails: [{ modality: "TEXT", tokenCount: 9 }],
    candidatesTokensDetails: [{ modality: "IMAGE", tokenCount: 1_290 }],
  },
  modelVersion: "gemini-2.5-flash-image",
  responseId: "Un6LacrVMcjUxs0PmJfWoQc",
};
const imagen = z.strictObject({
  instances: z.array(z.strictObject({ prompt: z.string().min(1) })).length(1),
  parameters: z
    .strictObject({
      sampleCount: z.int().min(1).max(4).optional(),
      aspectRatio: z.enum(["1:1", "3:4", "4:3", "9:16", "16:9"]).optional(),
      personGeneration: z.string().optional(),
      sampleImageSize: z.enum(["1K", "2K"]).optional(),
    })
    .optional(),
});

const seedream = z.strictObject({
  model: z.string().regex(/seedream/),
  prompt: z.string().min(1),
  image: z.union([link, z.array(link).min(1).max(14)]).optional(),
  size: z
    .string()
    .regex(/^([1-4]K|\d+x\d+)$/)
    .optional(),
  response_format: z.enum(["url", "b64_json"]).optional(),
  watermark: z.boolean().optional(),
  sequential_image_generation: z.enum(["auto", "disabled"]).optional(),
  sequential_image_generation_options: z.strictObject({ max_images: z.int().min(1).max(15) }).optional(),
  stream: z.boolean().optional(),
  optimize_prompt_options: z.strictObject({ mode: z.string() }).optional(),
  output_format: z.enum(["png", "jpeg"]).optional(),
});
const seedreamAct: WireAct = (seen, outgoing) => {
  const { model, stream } = seen.json as { model: string; stream?: boolean };
  const usage = { generated_images: 1, output_tokens: 16_280, total_tokens: 16_280 };
  const url = `http://${seen.headers.host ?? ""}/result.png`;
  const base = { model, created: 1_757_323_224 };
  if (stream !== true) return reply(200, { ...base, data: [{ url, size: "2048x2048" }], usage })(seen, outgoing);
  const events = [
    { type: "image_generation.partial_succeeded", ...base, image_index: 0, url, size: "2048x2048" },
    { type: "image_generation.completed", ...base, usage },
  ].map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  return replyEvents(...events, "data: [DONE]\n\n")(seen, outgoing);
};

const grokCommon = {
  model: z.string().regex(/^grok-imagine-image/),
  prompt: z.string().min(1),
  n: z.int().min(1).max(10).optional(),
  response_format: z.enum(["url", "b64_json"]).optional(),
  aspect_ratio: z
    .string()
    .regex(/^[\d.]+:[\d.]+$/)
    .optional(),
  resolution: z.enum(["1k", "2k"]).optional(),
  quality: z.enum(["low", "medium", "high"]).optional(),
  output_format: z.string().optional(),
  sync_mode: z.boolean().optional(),
  user: z.string().optional(),
};
const grokReference = z.strictObject({ url: link, type: z.literal("image_url") });
const grokEdit = z
  .strictObject({
    ...grokCommon,
    image: grokReference.optional(),
    images: z.array(grokReference).min(1).max(5).optional(),
  })
  .refine(({ image, images }) => (image === undefined) !== (images === undefined), "image or images");
const grokAct: WireAct = (seen, outgoing) => {
  const { response_format: format = "url", n = 1 } = seen.json as { response_format?: string; n?: number };
  const picture =
    format === "url" ? { url: `http://${seen.headers.host ?? ""}/result.png` } : { b64_json: PIXEL.toString("base64") };
  const data = Array.from({ length: n }, () => ({
    ...picture,
    revised_prompt: "",
    respect_moderation: true,
    mime_type: "image/jpeg",
  }));
  return reply(200, { data, usage: { cost_in_usd_ticks: 200_000_000 * n } })(seen, outgoing);
};

/** Puts the four providers' pictures and voices on their simulators. */
export function simulateMedia(simulated: Simulated): void {
  const { providers, deviations } = simulated;
  dashscope(simulated);
  const google = ["x-goog-api-key", KEYS.gemini] as const;
  for (const model of ["gemini-2.5-flash-image", "gemini-3-pro-image", "gemini-3.1-flash-image"]) {
    const response = strictly(deviations, { auth: google, body: geminiImage }, reply(200, geminiResponse));
    providers.gemini.on(`POST /v1beta/models/${model}:generateContent`, response);
  }
  const predictions = { predictions: [{ bytesBase64Encoded: PIXEL_BASE64, mimeType: "image/png" }] };
  providers.gemini.on(
    "POST /v1beta/models/imagen-4.0-generate-001:predict",
    strictly(deviations, { auth: google, body: imagen }, reply(200, predictions)),
  );
  const ark = { auth: ["authorization", `Bearer ${KEYS.ark}`], body: seedream } as const;
  providers.ark
    .on("POST /api/v3/images/generations", strictly(deviations, ark, seedreamAct))
    .on("GET /result.png", unasked(deviations, pixelFile));
  const xai = ["authorization", `Bearer ${KEYS.xai}`] as const;
  providers.xai
    .on("POST /v1/images/generations", strictly(deviations, { auth: xai, body: z.strictObject(grokCommon) }, grokAct))
    .on("POST /v1/images/edits", strictly(deviations, { auth: xai, body: grokEdit }, grokAct))
    .on("GET /result.png", unasked(deviations, pixelFile));
}
