import { GatewayError } from "../../core/errors.ts";
import { findMediaType } from "../../core/media/media-type.ts";
import { PcmReader, SPEECH_PCM, WavError, wavHeader } from "../../core/speech/speech-wav.ts";
import type { PcmFormat } from "../../core/speech/speech-wav.ts";
import { bodyChunks } from "../../upstream/body-chunks.ts";
import type { Downloader, DownloadLimits } from "../../upstream/download.ts";
import { UpstreamFailure } from "../../upstream/failure.ts";
import { formatTarget } from "../../upstream/targets.ts";
import type { Connection } from "../connections/connection.ts";
import { encodeMp3 } from "./mp3-stream.ts";

/** 600 characters are some 9 MB of WAV. */
const LIMITS: DownloadLimits = {
  types: ["audio/"],
  maxBytes: 64 * 1024 * 1024,
  totalMs: 600_000,
  idleMs: 60_000,
};

/** Location of a sound at the provider. */
export interface SpeechFile {
  readonly url: string;
  readonly connection: Connection;
}

/**
 * Streams audio from the URL that its provider returned, in the requested format.
 * @param onBegin receives the function that cancels it.
 * @throws GatewayError if it cannot be fetched or is invalid; the provider has already made it, so there is no
 * failover.
 */
export async function* getSpeechFile(
  downloader: Downloader,
  { url, connection }: SpeechFile,
  format: string,
  onBegin: (abort: () => void) => void,
): AsyncGenerator<Buffer, void, undefined> {
  const attempt = downloader.open(url, formatTarget(new URL(connection.baseUrl)), LIMITS);
  onBegin(() => attempt.abort());
  try {
    const chunks = bodyChunks(await attempt.response);
    const head = await getHead(chunks);
    const kind = findMediaType(head)?.extension ?? null;
    if (kind === format) yield* joinParts(head, chunks);
    else if (kind === "wav" && format === "mp3") yield* asMp3(joinParts(head, chunks), null);
    else throw notSound(connection.name);
  } catch (error) {
    attempt.abort();
    throw shownFailure(error, connection.name);
  }
}

/** Samples, or a WAV file, as MP3. @param bare what samples without a header are. @throws UpstreamFailure */
export async function* asMp3(
  sound: AsyncIterable<Buffer>,
  bare: PcmFormat | null = SPEECH_PCM,
): AsyncGenerator<Buffer, void, undefined> {
  const reader = new PcmReader(bare);
  yield* encodeMp3(getSamples(sound, reader), () => reader.format ?? SPEECH_PCM);
}

/** Samples, with or without a header in front, as a WAV file: it begins with its length, so they are waited for. */
export async function* asWav(sound: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  const reader = new PcmReader(SPEECH_PCM);
  const samples: Buffer[] = [];
  for await (const piece of getSamples(sound, reader)) samples.push(piece);
  const bytes = samples.reduce((sum, { length }) => sum + length, 0);
  if (bytes > 0) yield Buffer.concat([wavHeader(bytes, reader.format ?? SPEECH_PCM), ...samples]);
}

async function* getSamples(sound: AsyncIterable<Buffer>, reader: PcmReader): AsyncGenerator<Buffer, void, undefined> {
  for await (const chunk of sound) {
    const samples = pushChunk(reader, chunk);
    if (samples.length > 0) yield samples;
  }
}

function pushChunk(reader: PcmReader, chunk: Buffer): Buffer {
  try {
    return reader.push(chunk);
  } catch (error) {
    if (!(error instanceof WavError)) throw error;
    throw new UpstreamFailure("malformed", true, `its WAV header cannot be read: ${error.message}`);
  }
}

/** Bytes that suffice to detect a file's type. */
const HEAD_BYTES = 16;

async function getHead(chunks: AsyncGenerator<Buffer, void, undefined>): Promise<Buffer> {
  let head: Buffer = Buffer.alloc(0);
  while (head.length < HEAD_BYTES) {
    const next = await chunks.next();
    if (next.done === true) break;
    head = head.length === 0 ? next.value : Buffer.concat([head, next.value]);
  }
  return head;
}

async function* joinParts(
  head: Buffer,
  rest: AsyncGenerator<Buffer, void, undefined>,
): AsyncGenerator<Buffer, void, undefined> {
  yield head;
  yield* rest;
}

function notSound(name: string): GatewayError {
  return new GatewayError("upstream_error", `${name} made a file that is not the sound that was asked for. Try again.`);
}

function shownFailure(error: unknown, name: string): unknown {
  if (!(error instanceof UpstreamFailure)) return error;
  // Network errors need a sentence around them; our messages are sentences.
  const why = error.cause === undefined ? error.message : `it could not be fetched (${error.message})`;
  return new GatewayError(
    error.kind === "gap_timeout" || error.kind === "head_timeout" ? "upstream_timeout" : "upstream_error",
    `${name} made the sound, but ${why}.`,
    { cause: error },
  );
}
