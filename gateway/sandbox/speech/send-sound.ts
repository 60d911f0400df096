import { once } from "node:events";
import { SPEECH_PCM, wavHeader } from "../../core/speech/speech-wav.ts";
import { cutConnection, type Exchange, wait } from "../exchange.ts";
import type { Manner } from "../prepare.ts";
import { opusOf } from "./opus.ts";
import type { Melody } from "./tones.ts";
import { encodeMp3 } from "../../services/speech/mp3-stream.ts";

/** Sound is made and sent in pieces of this length. */
export const PIECE_SECONDS = 0.5;

/** What the sandbox can honestly make. */
export const SOUND_TYPES = {
  mp3: "audio/mpeg",
  opus: "audio/opus",
  wav: "audio/wav",
  pcm: "audio/pcm",
} as const;
export type SoundFormat = keyof typeof SOUND_TYPES;

/** How many pieces a melody is sent in, for spreading a time over them. */
export function pieceCount({ seconds }: Melody): number {
  return Math.max(1, Math.ceil(seconds / PIECE_SECONDS));
}

/** A melody as a file of this format, piece by piece. */
export async function* soundOf(melody: Melody, format: SoundFormat): AsyncGenerator<Buffer, void, undefined> {
  if (format === "opus") return yield* opusOf(melody);
  if (format === "wav") yield wavHeader(melody.bytes, SPEECH_PCM);
  const samples = spoken(melody);
  if (format === "mp3") yield* encodeMp3(samples, () => SPEECH_PCM);
  else yield* samples;
}

async function* spoken(melody: Melody): AsyncGenerator<Buffer, void, undefined> {
  yield* melody.samples(PIECE_SECONDS);
}

/** Pieces that leave before `sandbox:cut` breaks the connection. */
export const PIECES_BEFORE_CUT = 2;

/** Sends pieces one by one, as they are made, in the manner that the prompt asked for. */
export async function sendPieces(
  exchange: Exchange,
  contentType: string,
  pieces: AsyncIterable<Buffer | string>,
  { gapMs, cutAfter }: Manner,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  const { response, signal } = exchange;
  response.writeHead(200, { "content-type": contentType, ...headers });
  let sent = 0;
  for await (const piece of pieces) {
    if (sent === cutAfter) break;
    if (sent > 0) await wait(exchange, gapMs);
    if (!response.write(piece)) await once(response, "drain", { signal });
    sent += 1;
  }
  if (cutAfter === null) response.end();
  else cutConnection(exchange);
}
