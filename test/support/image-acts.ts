import type { WireAct } from "./wire-provider.ts";

/** A PNG of one pixel. */
export const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
export const PIXEL_BASE64 = PIXEL.toString("base64");

/** `POST` below DashScope's bare origin (docs/providers/dashscope.md#images). */
export const GAMMA_ROUTE = "POST /api/v1/services/aigc/multimodal-generation/generation";
/** `POST` below OpenAI's base URL. */
export const OPENAI_ROUTE = "POST /v1/images/generations";

/** A request of the gamma-image family. */
export function gammaBody(
  model: string,
  parameters: Readonly<Record<string, unknown>> | null = null,
  content: readonly unknown[] = [{ text: "A red fox in the snow" }],
): Record<string, unknown> {
  return {
    model,
    input: { messages: [{ role: "user", content }] },
    ...(parameters === null ? {} : { parameters }),
  };
}

/** What Qwen Image answers (docs/providers/dashscope.md#images). */
export function gammaResponse(url: string, width = 1024, height = 1024): Record<string, unknown> {
  return {
    output: { choices: [{ finish_reason: "stop", message: { role: "assistant", content: [{ image: url }] } }] },
    usage: { height, image_count: 1, width },
    request_id: "d0250a3d-b07f-49e1-bdc8-6793f4929xxx",
  };
}

/** What gpt-image answers (docs/providers/openai.md#images). */
export function deltaResponse(count = 1): Record<string, unknown> {
  return {
    created: 1_713_833_628,
    data: Array.from({ length: count }, () => ({ b64_json: PIXEL_BASE64 })),
    background: "opaque",
    output_format: "png",
    size: "1024x1024",
    quality: "high",
    usage: {
      total_tokens: 4_204,
      input_tokens: 44,
      output_tokens: 4_160,
      input_tokens_details: { text_tokens: 44, image_tokens: 0 },
      output_tokens_details: { text_tokens: 0, image_tokens: 4_160 },
    },
  };
}

/** An event of a stream, as OpenAI writes it: its name is its type. */
export function imageEvent(event: Readonly<Record<string, unknown>>): string {
  return `event: ${String(event["type"])}\ndata: ${JSON.stringify(event)}\n\n`;
}

const SHOWN = { size: "1024x1024", quality: "high", background: "opaque", output_format: "png" } as const;

export function partialEvent(index: number): string {
  return imageEvent({
    type: "image_generation.partial_image",
    b64_json: PIXEL_BASE64,
    created_at: 1_713_833_628,
    ...SHOWN,
    partial_image_index: index,
  });
}

export const IMAGE_USAGE = {
  total_tokens: 4_204,
  input_tokens: 44,
  output_tokens: 4_160,
  input_tokens_details: { text_tokens: 44, image_tokens: 0 },
} as const;

export function completedEvent(usage: unknown = IMAGE_USAGE): string {
  return imageEvent({
    type: "image_generation.completed",
    b64_json: PIXEL_BASE64,
    created_at: 1_713_833_640,
    ...SHOWN,
    ...(usage === null ? {} : { usage }),
  });
}

/** Serves the picture that a response names. */
export const pixelFile: WireAct = (_seen, outgoing) => {
  outgoing.writeHead(200, { "content-type": "image/png" }).end(PIXEL);
};
