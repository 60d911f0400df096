import type { ModelSpec } from "../../core/models/model.ts";
import { billedCharacters } from "../../core/speech/speech-units.ts";
import { isLongerThan } from "../../lib/characters.ts";
import { isRecord } from "../../lib/records.ts";
import { type Exchange, findModel, type Route, sendJson } from "../exchange.ts";
import { Failure, type Fields } from "../fields.ts";
import { invalidParameter, type MultimodalOperation, nativeFailureBody, requestIdOf } from "../multimodal.ts";
import { prepare } from "../prepare.ts";
import { PIECE_SECONDS, pieceCount, PIECES_BEFORE_CUT, sendPieces, soundOf } from "./send-sound.ts";
import { type Melody, melodyOf } from "./tones.ts";

/**
 * Qwen-TTS as DashScope serves it (docs/providers/dashscope.md#speech): JSON that names a WAV file, or samples as
 * events.
 */

/** The sandbox's files do not go away: they are made anew from their address. */
const NEVER_EXPIRES = 4_102_444_800;
const FILES = "/results/speech";

interface Speech {
  readonly text: string;
  readonly voice: string;
}

/** A request that was checked. */
interface SpeechOrder extends Speech {
  readonly requestId: string;
  readonly usage: object;
}

export function dashscopeSpeech(models: () => readonly ModelSpec[]): MultimodalOperation {
  return {
    field: "text",
    response: async (exchange, body, input) => {
      const order = orderOf(exchange, body, input, models());
      if (exchange.request.headers["x-dashscope-sse"] === "enable") return sendEvents(exchange, order);
      if ((await prepare(exchange, order.text, null)) === null) return;
      const output = { text: null, finish_reason: "stop", choices: null, audio: audioOf(exchange, order) };
      sendJson(exchange.response, 200, JSON.stringify({ request_id: order.requestId, output, usage: order.usage }));
    },
  };
}

/** The addresses that answers name; like a provider's, they need no key. */
export const dashscopeSpeechFiles: Route = {
  method: "GET",
  path: new RegExp(String.raw`^${FILES}/[\w-]+\.wav$`),
  keyless: true,
  failureBody: nativeFailureBody,
  handle: async (exchange) => {
    const speech = speechAt(exchange.path);
    const sound = soundOf(melodyOf(speech.text, speech.voice), "wav");
    const manner = { gapMs: 0, cutAfter: null };
    await sendPieces(exchange, "audio/wav", sound, manner, { "cache-control": "no-store" });
  },
};

function orderOf(exchange: Exchange, body: Fields, input: Fields, models: readonly ModelSpec[]): SpeechOrder {
  if (typeof body["model"] !== "string") throw invalidParameter("model is required.");
  const { speech } = findModel(models, body["model"]);
  if (speech === undefined) throw invalidParameter(`${body["model"].slice(0, 200)} does not speak.`);
  const { text, voice, instructions } = input;
  if (typeof text !== "string" || text.trim() === "") throw invalidParameter("input.text is required.");
  if (isLongerThan(text, speech.maxCharacters)) {
    throw invalidParameter(`Range of input length should be [1, ${speech.maxCharacters}]`);
  }
  if (typeof voice !== "string" || !speech.voices.includes(voice)) {
    throw invalidParameter(`input.voice must be one of ${speech.voices.join(", ")}.`);
  }
  if (instructions !== undefined && !speech.instructions) throw invalidParameter("this model takes no instructions.");
  return {
    text,
    voice,
    requestId: requestIdOf(exchange.body),
    usage: { input_tokens: 0, output_tokens: 0, characters: billedCharacters(text, speech.ideographCounts) },
  };
}

async function sendEvents(exchange: Exchange, order: SpeechOrder): Promise<void> {
  const melody = melodyOf(order.text, order.voice);
  const manner = await prepare(exchange, order.text, pieceCount(melody) + 1, PIECES_BEFORE_CUT);
  if (manner === null) return;
  const events = eventsOf(exchange, order, melody);
  await sendPieces(exchange, "text/event-stream;charset=UTF-8", events, manner, { "cache-control": "no-cache" });
}

/** Lines without a space behind the colon, a status as a comment, `finish_reason` the text "null" until the last event. */
async function* eventsOf(
  exchange: Exchange,
  order: SpeechOrder,
  melody: Melody,
): AsyncGenerator<string, void, undefined> {
  let id = 0;
  const event = (output: object): string => {
    id += 1;
    const data = JSON.stringify({ output, usage: order.usage, request_id: order.requestId });
    return `id:${id}\nevent:result\n:HTTP_STATUS/200\ndata:${data}\n\n`;
  };
  const place = audioOf(exchange, order);
  const { expires_at, id: audioId } = place;
  for (const samples of melody.samples(PIECE_SECONDS)) {
    yield event({ finish_reason: "null", audio: { data: samples.toString("base64"), expires_at, id: audioId } });
  }
  yield event({ finish_reason: "stop", audio: place });
}

function audioOf(
  { request }: Exchange,
  { text, voice, requestId }: SpeechOrder,
): { data: string; url: string; id: string; expires_at: number } {
  const name = Buffer.from(JSON.stringify({ text, voice })).toString("base64url");
  return {
    data: "",
    url: `http://${request.headers.host}/dashscope${FILES}/${name}.wav?Expires=${NEVER_EXPIRES}`,
    id: `audio_${requestId}`,
    expires_at: NEVER_EXPIRES,
  };
}

/** What an address stands for. @throws Failure (404) for addresses that no response has named. */
function speechAt(path: string): Speech {
  const name = path.slice(FILES.length + 1, -".wav".length);
  try {
    const value: unknown = JSON.parse(Buffer.from(name, "base64url").toString("utf8"));
    if (isRecord(value) && typeof value["text"] === "string" && typeof value["voice"] === "string") {
      return { text: value["text"], voice: value["voice"] };
    }
  } catch {
    // Not one of ours.
  }
  throw new Failure(404, "The specified key does not exist.", { code: "NoSuchKey" });
}
