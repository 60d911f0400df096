import { type SpeechRequest, speechRequestSchema } from "../../contract/speech.ts";
import { GatewayError } from "../../core/errors.ts";
import type { ModelSpec } from "../../core/models/model.ts";
import { applySpeechRules, type RuledSpeech } from "../../core/speech/speech-rules.ts";
import { AUDIO_TOKENS_PER_SECOND } from "../../core/speech/speech-units.ts";
import { validate } from "../../core/validation.ts";
import { type Exchange, findModel, type Route } from "../exchange.ts";
import { Failure, parsedJson } from "../fields.ts";
import { prepare } from "../prepare.ts";
import { pieceCount, PIECES_BEFORE_CUT, sendPieces, SOUND_TYPES, type SoundFormat, soundOf } from "./send-sound.ts";
import { type Melody, melodyOf } from "./tones.ts";
import { countTokens } from "../tokens.ts";

/**
 * `POST …/audio/speech` below `base`, OpenAI's protocol (docs/providers/openai.md#speech), in the formats that can be
 * made here.
 */
export function speechRoutes(base: string, models: () => readonly ModelSpec[]): Route[] {
  return [{ method: "POST", path: `${base}/audio/speech`, handle: (exchange) => speak(exchange, models()) }];
}

async function speak(exchange: Exchange, models: readonly ModelSpec[]): Promise<void> {
  const { body, ruled, format } = orderOf(exchange, models);
  const voice = typeof ruled.voice === "object" ? (ruled.voice?.id ?? "") : ruled.voice;
  const melody = melodyOf(ruled.text, voice, body.speed ?? 1);
  const manner = await prepare(exchange, ruled.text, pieceCount(melody) + 1, PIECES_BEFORE_CUT);
  if (manner === null) return;
  const sound = soundOf(melody, format);
  if (ruled.events === null) return sendPieces(exchange, SOUND_TYPES[format], sound, manner);
  await sendPieces(exchange, "text/event-stream; charset=utf-8", eventsOf(sound, ruled, melody), manner);
}

function orderOf(
  exchange: Exchange,
  models: readonly ModelSpec[],
): { body: SpeechRequest; ruled: RuledSpeech; format: SoundFormat } {
  try {
    const body = validate(speechRequestSchema, parsedJson(exchange.body));
    if (body.voice == null) throw new GatewayError("missing_required_parameter", "voice", { param: "voice" });
    const { id, speech } = findModel(models, body.model);
    if (speech === undefined) {
      throw new Failure(404, `${id} is not a speech model and thus not supported in the v1/audio/speech endpoint.`, {
        param: "model",
      });
    }
    const ruled = applySpeechRules(body, id, speech);
    if (ruled.events === "postern") {
      const sentence = `${id} does not support stream_format "sse".`;
      throw new GatewayError("unsupported_value", sentence, { param: "stream_format" });
    }
    if (isMade(ruled.format)) return { body, ruled, format: ruled.format };
    throw new GatewayError(
      "unsupported_value",
      `The sandbox cannot make ${ruled.format}. It makes ${Object.keys(SOUND_TYPES).join(", ")}.`,
      { param: "response_format" },
    );
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    const { param } = error.details;
    throw new Failure(400, error.message, { code: error.code, ...(param === undefined ? {} : { param }) });
  }
}

function isMade(format: string): format is SoundFormat {
  return Object.hasOwn(SOUND_TYPES, format);
}

async function* eventsOf(
  sound: AsyncIterable<Buffer>,
  { text, instructions }: RuledSpeech,
  { seconds }: Melody,
): AsyncGenerator<string, void, undefined> {
  for await (const piece of sound) {
    yield `data: ${JSON.stringify({ type: "speech.audio.delta", audio: piece.toString("base64") })}\n\n`;
  }
  const input_tokens = countTokens(text) + countTokens(instructions ?? "");
  const output_tokens = Math.ceil(seconds * AUDIO_TOKENS_PER_SECOND);
  const usage = { input_tokens, output_tokens, total_tokens: input_tokens + output_tokens };
  yield `data: ${JSON.stringify({ type: "speech.audio.done", usage })}\n\n`;
}
