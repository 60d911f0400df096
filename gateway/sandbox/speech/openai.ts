import { type SpeechRequest, speechRequestSchema } from "../../contract/speech.ts";
import { GatewayError } from "../../core/errors.ts";
import type { ModelSpec } from "../../core/models/model.ts";
import { applySpeechRules, type RuledSpeech } from "../../core/speech/speech-rules.ts";
import { AUDIO_TOKENS_PER_SECOND } from "../../core/speech/speech-units.ts";
import { validate } from "../../core/validation.ts";
import { directivesOf } from "../directives.ts";
import { cutConnection, type Exchange, findModel, type Route, wait } from "../exchange.ts";
import { Failure, parsedJson, requestedFailure } from "../fields.ts";
import { pieceCount, sendPieces, SOUND_TYPES, type SoundFormat, soundOf } from "./send-sound.ts";
import { type Melody, melodyOf } from "./tones.ts";
import { countTokens } from "../tokens.ts";

const PIECES_BEFORE_CUT = 2;

/**
 * `POST …/audio/speech` below `base`, OpenAI's protocol (docs/providers/openai.md#speech), in the formats that can be
 * made here.
 */
export function speechRoutes(base: string, models: () => readonly ModelSpec[]): Route[] {
  return [{ method: "POST", path: `${base}/audio/speech`, handle: (exchange) => speak(exchange, models()) }];
}

async function speak(exchange: Exchange, models: readonly ModelSpec[]): Promise<void> {
  const { body, ruled, format } = orderOf(exchange, models);
  const { errorStatus, slowMs, cut } = directivesOf(ruled.text);
  if (errorStatus !== null) {
    await wait(exchange, slowMs ?? 0);
    throw requestedFailure(errorStatus);
  }
  const voice = typeof ruled.voice === "object" ? (ruled.voice?.id ?? "") : ruled.voice;
  const melody = melodyOf(ruled.text, voice, body.speed ?? 1);
  const sound = soundOf(melody, format);
  const whole = await sendPieces(
    exchange,
    ruled.events !== null ? "text/event-stream; charset=utf-8" : SOUND_TYPES[format],
    ruled.events !== null ? eventsOf(sound, ruled, melody) : sound,
    {
      gapMs: slowMs === null ? 0 : slowMs / pieceCount(melody),
      limit: cut ? PIECES_BEFORE_CUT : Number.POSITIVE_INFINITY,
      headers: {},
    },
  );
  if (whole && !cut) exchange.response.end();
  else cutConnection(exchange);
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
