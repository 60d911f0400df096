import { GatewayError } from "../../core/errors.ts";
import { toGatewayError } from "../../core/attempts/provider-error.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Units } from "../../core/models/model.ts";
import { largestSound, soundSeconds } from "../../core/speech/sound-length.ts";
import { billsCharacters } from "../../core/speech/speech-units.ts";
import { SPEECH_PCM, wavHeader } from "../../core/speech/speech-wav.ts";
import { UpstreamFailure } from "../../upstream/failure.ts";
import { SMALL_BYTES } from "../../upstream/transfer.ts";
import type { Client } from "../calls/client.ts";
import { failureError } from "../calls/failure-error.ts";
import { ClientCancelled } from "../calls/attempts.ts";
import type { Opened } from "../calls/attempts.ts";
import { describeEnd } from "../calls/paid-call.ts";
import { shownHeaders } from "../calls/shown-headers.ts";
import type { StreamWatch } from "../calls/stream-relay.ts";
import type { KeyRing } from "../keys/key-ring.ts";
import { callOrigin } from "../media/call-origin.ts";
import type { KeepMedia } from "../media/keep-media.ts";
import { createOwnCount } from "./speech-call.ts";
import type { SpeechRun } from "./speech-call.ts";
import { EVENTS_TYPE, doneEvent, getErrorEvent } from "./client-events.ts";
import { SpeechDelivery } from "./speech-delivery.ts";
import { ProviderRefusal } from "./speech-source.ts";
import type { SpeechBytes, SpeechSource } from "./speech-source.ts";

export interface DeliverDeps {
  readonly clock: Clock;
  readonly keyRing: KeyRing;
  readonly watch: StreamWatch;
  readonly keepMedia: KeepMedia;
}

/** A response whose first piece of sound is there. */
export interface StartedSpeech {
  readonly opened: Opened;
  readonly source: SpeechSource;
  readonly first: SpeechBytes;
}

/** Result of a call for speech. */
export interface SpokenResponse {
  /** The sound itself, without the events that it may have travelled in. */
  readonly sound: Buffer;
  readonly contentType: string;
  /** Why it is not whole; null: it is. */
  readonly error: GatewayError | null;
}

/** Milliseconds that a provider may keep its connection open after the end of its audio. */
const LINGER_MS = 1_000;

/**
 * Sends audio as it arrives. The receipt is written before the end of the response, so a client with the whole file has
 * been charged. Later failures break the client's connection; an event stream reports its error in-band.
 * @returns null if the client disconnected.
 */
export async function deliverSpeech(
  deps: DeliverDeps,
  run: SpeechRun,
  speech: StartedSpeech,
): Promise<SpokenResponse | null> {
  const { call, reply, head } = run;
  const { opened, source, first } = speech;
  call.record.markFirstByte();
  if (head === null) reply.open({ "content-type": source.contentType, ...shownHeaders(opened) });
  else head.send(shownHeaders(opened));
  const delivery = new SpeechDelivery(
    reply,
    deps.clock,
    () => deps.keyRing.objection(call.input.key),
    () => source.abort(),
  );
  const place = deps.watch.add(delivery);
  const sounds: Buffer[] = [];
  const largest = largestSound(run.ruled.text.length);
  let size = 0;
  let placed = false;
  let broken: GatewayError | null = null;
  try {
    for (let piece = first; ;) {
      sounds.push(piece.sound);
      size += piece.sound.length;
      if (size > largest) throw new UpstreamFailure("too_large", true, "the sound does not end");
      if (size > SMALL_BYTES && !placed) {
        placed = true;
        // The sound is in memory twice: in chunks, and as a whole.
        await reserveMemory(opened, reply, 2 * largest);
      }
      await delivery.write(piece.send);
      if (reply.cancelled) break;
      const next = await source.pieces.next();
      if (next.done === true) break;
      piece = next.value;
    }
  } catch (error) {
    broken = createEndingError(error, opened);
  } finally {
    deps.watch.delete(place, delivery);
  }
  const error = delivery.stopped ?? (reply.cancelled ? null : broken);
  const complete = error === null && !reply.cancelled;
  const sound = Buffer.concat(sounds);
  const count = countSpeech(run, opened, source, sound);
  await call.record.settle({
    ...describeEnd(complete ? null : (error ?? new ClientCancelled())),
    outcome: complete ? "completed" : "interrupted",
    status: 200,
    ...count,
  });
  const inBand = source.contentType === EVENTS_TYPE;
  if (!complete) {
    source.abort();
    if (error !== null) call.input.note(call.record.model, error.code);
    if (error === null || !inBand || reply.cancelled) reply.destroy();
    else {
      reply.write(getErrorEvent(error, call.input.requestId));
      await reply.end();
    }
    return error === null ? null : { sound, contentType: source.contentType, error };
  }
  if (inBand && !source.events) reply.write(doneEvent(count.units));
  await reply.end();
  setTimeout(() => source.abort(), LINGER_MS).unref();
  keepSpeech(deps.keepMedia, run, opened, sound, count.units);
  return { sound, contentType: source.contentType, error: null };
}

/** Resolves when memory is reserved, or the client has disconnected; it is released with the client's connection. */
async function reserveMemory({ exchange }: Opened, client: Client, bytes: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const leave = exchange.reserve(bytes, resolve);
  client.keep(() => {
    leave();
    resolve();
  });
  await promise;
}

/** Translates the error that ended a running sound into the client's terms. Bugs are rethrown. */
function createEndingError(error: unknown, { candidate, credential }: Opened): GatewayError {
  if (error instanceof GatewayError) return error;
  const { connection } = candidate;
  const secrets = credential.secret === null ? [] : [credential.secret];
  if (error instanceof ProviderRefusal) return toGatewayError(error.error, connection.name, secrets);
  if (error instanceof UpstreamFailure) return failureError(error, connection, credential);
  throw error;
}

/** Units used for the received sound. */
interface SpeechCount {
  readonly units: Units;
  readonly estimated: boolean;
}

/** Returns the provider's usage if the price uses it; else our count. */
function countSpeech(run: SpeechRun, opened: Opened, source: SpeechSource, sound: Buffer): SpeechCount {
  const { price } = opened.candidate;
  const reported = source.units();
  const byCharacter = billsCharacters(price);
  if (reported !== null && (price === null || (reported.character !== undefined) === byCharacter)) {
    return { units: reported, estimated: false };
  }
  // A provider that bills by characters and returns only a file needs no estimate.
  const exact = byCharacter && source.bare;
  return { units: createOwnCount(run, price, soundSeconds(sound, run.ruled.format)), estimated: !exact };
}

/** Hands a whole sound to the library. */
function keepSpeech(keepMedia: KeepMedia, run: SpeechRun, opened: Opened, sound: Buffer, units: Units): void {
  const { ruled, call } = run;
  const { model: _model, input: _input, ...parameters } = ruled.body;
  // Raw samples alone could not be played later.
  const bytes = ruled.format === "pcm" ? Buffer.concat([wavHeader(sound.length, SPEECH_PCM), sound]) : sound;
  const saved = keepMedia(
    { kind: "bytes", bytes },
    {
      ...callOrigin(call, opened, units),
      prompt: ruled.text,
      parameters: { ...parameters, voice: ruled.voice, response_format: ruled.format },
      seed: null,
    },
  );
  call.input.follower?.onSaved(saved);
}
