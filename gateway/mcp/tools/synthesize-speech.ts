import * as z from "zod";
import { GatewayError } from "../../core/errors.ts";
import { SPEECH_PCM, wavHeader } from "../../core/speech/speech-wav.ts";
import type { SpokenResponse } from "../../services/speech/deliver-speech.ts";
import { getMediaContent } from "../media/media-content.ts";
import { deliverySchema, mediaFactsSchema } from "../media/media-facts.ts";
import { costLine, paidFields, getPaid } from "../tool/paid-fields.ts";
import type { ToolDeps } from "../tool/tool-deps.ts";
import { defineTool } from "../tool/tool.ts";
import type { Tool, ToolCall } from "../tool/tool.ts";
import type { UnsavedMedia } from "../media/unsaved-media.ts";
import { whileWaiting } from "../tool/waiting.ts";

const input = z.strictObject({
  model: z.string().min(1).describe("Id of a model with the capability speech."),
  input: z
    .string()
    .min(1)
    .describe(
      "The text to speak, in any mix of languages. OpenAI's models take up to 4096 characters, gamma3-tts up to 600: split longer texts at the ends of sentences.",
    ),
  voice: z
    .string()
    .min(1)
    .optional()
    .describe(
      "A voice of the model; default the model's own: alloy, ash, ballad, coral, echo, fable, nova, onyx, sage, shimmer, verse, marin, cedar at OpenAI; Cherry, Serena, Ethan and others at gamma3-tts. The error for an unknown voice lists them.",
    ),
  response_format: z
    .string()
    .meta({ enum: ["mp3", "wav", "opus", "aac", "flac", "pcm"] })
    .optional()
    .describe(
      "Default mp3. gamma3-tts-flash: mp3, wav; gamma3-tts-instruct-flash always makes wav. pcm is kept and delivered as wav.",
    ),
  speed: z.number().optional().describe("0.25 to 4, default 1; OpenAI's models. No effect at gamma3-tts."),
  instructions: z
    .string()
    .optional()
    .describe("How to speak: tone, pace, emotion. gpt-4o-mini-tts and gamma3-tts-instruct-flash."),
  language_type: z
    .string()
    .optional()
    .describe("Language of the text for gamma3-tts: Auto (default), English, Chinese, German, French, Japanese, …"),
  optimize_instructions: z
    .boolean()
    .optional()
    .describe("Whether gamma3-tts-instruct-flash rewrites the instructions first."),
  delivery: deliverySchema,
});

const output = z.object({
  audio: mediaFactsSchema.nullable().describe("The audio; null only for a cancelled call."),
  ...paidFields,
});

type Deps = Pick<ToolDeps, "synthesizeSpeech" | "media" | "clock" | "later" | "origin">;

/** Runs the service of `POST /v1/audio/speech`. */
export function synthesizeSpeechTool(deps: Deps): Tool {
  return defineTool({
    name: "synthesize_speech",
    title: "Generate speech",
    description:
      "Speaks a text and returns the audio file and a link to it. Costs money: per character or per second of audio at the model's price. Call quote with the same arguments to estimate the cost, and list_models with capability speech for models and prices. Takes about a second per sentence and reports progress. The audio is kept in Postern's media library as postern://media/{id}; its url plays in a browser for a day.",
    input,
    output,
    hints: { readOnly: false, destructive: false, idempotent: false, openWorld: true },
    capability: "speech",
    estimate({ input }, args) {
      const { delivery: _, ...body } = args;
      return deps.synthesizeSpeech.estimate({ ...input, body });
    },
    async run(call, { delivery, ...body }) {
      const work = async () => {
        const spoken = await deps.synthesizeSpeech.run({ ...call.input, body }, call.client);
        if (spoken !== null && spoken.error !== null) throw brokenOff(call, spoken);
        return getMediaContent(deps, call, delivery, () => listUnsavedSound(spoken));
      };
      const made = await whileWaiting(deps, call.progress, `${body.model} speaks`, work());
      return {
        content: [...made.content, { type: "text", text: [made.text, costLine(call)].join("\n").trim() }],
        structured: { audio: made.results[0] ?? null, ...getPaid(call) },
      };
    },
  });
}

/** Creates the error for broken audio: over HTTP the connection breaks; here there is no connection to break. */
function brokenOff(call: ToolCall, { sound }: SpokenResponse): GatewayError {
  return new GatewayError(
    "upstream_error",
    `The audio broke off after ${sound.length} bytes, so nothing was kept. ${costLine(call)} Call again.`,
  );
}

/** Raw samples are not playable, so they get the same header as in the library. */
function listUnsavedSound(spoken: SpokenResponse | null): readonly UnsavedMedia[] {
  if (spoken === null || spoken.sound.length === 0) return [];
  const { sound, contentType } = spoken;
  const bare = contentType.startsWith("audio/pcm");
  return [{ kind: "bytes", bytes: bare ? Buffer.concat([wavHeader(sound.length, SPEECH_PCM), sound]) : sound }];
}
