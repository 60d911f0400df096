import { GatewayError } from "../../core/errors.ts";
import type { Units } from "../../core/model.ts";
import { priceUnits } from "../../core/price.ts";
import { soundSeconds } from "../../core/sound-length.ts";
import { billsCharacters } from "../../core/speech-units.ts";
import { SPEECH_PCM, wavHeader } from "../../core/speech-wav.ts";
import { toGatewayError } from "../../core/vendor-error.ts";
import type { Clock } from "../../lib/clock.ts";
import { UpstreamFailure } from "../../upstream/failure.ts";
import { failureError } from "../calls/failure-error.ts";
import type { Opened } from "../calls/attempts.ts";
import { vendorName } from "../calls/call-record.ts";
import { shownHeaders } from "../chat/shown-headers.ts";
import type { StreamWatch } from "../chat/stream-watch.ts";
import type { KeyRing } from "../keys/key-ring.ts";
import type { KeepMedia } from "../media/keep-media.ts";
import { ownCount } from "./speech-call.ts";
import type { SpeechRun } from "./speech-call.ts";
import { SpeechDelivery } from "./speech-delivery.ts";
import { VendorRefusal } from "./speech-source.ts";
import type { SpeechBytes, SpeechSource } from "./speech-source.ts";

export interface DeliverDeps {
  readonly clock: Clock;
  readonly keyRing: KeyRing;
  readonly watch: StreamWatch;
  readonly keepMedia: KeepMedia;
}

/** An answer whose first piece of sound is there. */
export interface BegunSpeech {
  readonly opened: Opened;
  readonly source: SpeechSource;
  readonly first: SpeechBytes;
}

/** Hours of speech: who sends more does not mean to end. */
const MAX_SOUND_BYTES = 128 * 1024 * 1024;
/** How long a vendor may keep its connection open behind the end of its sound. */
const LINGER_MS = 1_000;

/**
 * Sends the sound as it comes. The receipt is written before the answer's end: a client that has the whole file has been
 * charged. What breaks off later than here breaks the client's connection.
 */
export async function deliverSpeech(deps: DeliverDeps, run: SpeechRun, begun: BegunSpeech): Promise<void> {
  const { call, reply } = run;
  const { opened, source, first } = begun;
  call.record.firstByte();
  run.takeOver();
  reply.open({ "content-type": source.contentType, ...shownHeaders(opened) });
  const delivery = new SpeechDelivery(
    reply,
    deps.clock,
    () => deps.keyRing.objection(call.input.key),
    () => source.abort(),
  );
  deps.watch.add(delivery);
  const sounds: Buffer[] = [];
  let size = 0;
  let broken: GatewayError | null = null;
  try {
    for (let piece = first; ;) {
      sounds.push(piece.sound);
      size += piece.sound.length;
      if (size > MAX_SOUND_BYTES) throw new UpstreamFailure("too_large", true, "the sound does not end");
      await delivery.write(piece.send);
      if (reply.gone) break;
      const next = await source.pieces.next();
      if (next.done === true) break;
      piece = next.value;
    }
  } catch (error) {
    broken = endingError(error, opened);
  } finally {
    deps.watch.delete(delivery);
  }
  const error = delivery.stopped ?? (reply.gone ? null : broken);
  const complete = error === null && !reply.gone;
  const sound = Buffer.concat(sounds);
  const { units, estimated } = countOf(run, begun, sound);
  await call.record.settle({
    outcome: complete ? "completed" : "interrupted",
    status: 200,
    code: complete ? null : (error?.code ?? "client_closed"),
    units,
    estimated,
  });
  if (!complete) {
    source.abort();
    if (error !== null) call.input.note(call.record.model, error.code);
    reply.destroy();
    return;
  }
  await reply.end();
  setTimeout(() => source.abort(), LINGER_MS).unref();
  keep(deps.keepMedia, run, begun, sound, units);
}

/** What ended a sound that had begun, in the client's terms. Bugs are thrown on. */
function endingError(error: unknown, { candidate, credential }: Opened): GatewayError {
  if (error instanceof GatewayError) return error;
  const { connection } = candidate;
  const secrets = credential.secret === null ? [] : [credential.secret];
  if (error instanceof VendorRefusal) return toGatewayError(error.error, connection.name, secrets);
  if (error instanceof UpstreamFailure) return failureError(error, connection, credential);
  throw error;
}

/** The vendor's figures where it gave some that its price is for; else our count. */
function countOf(
  run: SpeechRun,
  { opened, source }: BegunSpeech,
  sound: Buffer,
): { readonly units: Units; readonly estimated: boolean } {
  const { price } = opened.candidate;
  const reported = source.units();
  const byCharacter = billsCharacters(price);
  if (reported !== null && (price === null || (reported.character !== undefined) === byCharacter)) {
    return { units: reported, estimated: false };
  }
  // Who bills the characters of the text and answers with a file alone leaves nothing to be guessed.
  const exact = byCharacter && source.bare;
  return { units: ownCount(run, price, soundSeconds(sound, run.ruled.format)), estimated: !exact };
}

function keep(keepMedia: KeepMedia, run: SpeechRun, { opened }: BegunSpeech, sound: Buffer, units: Units): void {
  const { ruled, call } = run;
  const { price, connection } = opened.candidate;
  const { model: _model, input: _input, ...parameters } = ruled.body;
  // Samples alone would be nothing that could be played later.
  const bytes = ruled.format === "pcm" ? Buffer.concat([wavHeader(sound.length, SPEECH_PCM), sound]) : sound;
  keepMedia(
    { kind: "bytes", bytes },
    {
      requestId: call.input.requestId,
      keyId: call.input.key.record.id,
      endpoint: "speech",
      model: call.record.model,
      vendor: vendorName(opened.candidate),
      prompt: ruled.text,
      parameters: { ...parameters, voice: ruled.voice, response_format: ruled.format },
      seed: null,
      nano: price === null ? null : priceUnits(units, price).nano,
      sandbox: connection.from === "sandbox",
    },
  );
}
