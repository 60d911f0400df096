import type { TranscriptFormat, TranscriptionFields } from "../../contract/transcription.ts";
import type { GatewayError } from "../../core/errors.ts";
import type { Billed } from "../../core/models/model.ts";
import { estimateTextTokens } from "../../core/money/text-tokens.ts";
import { readText, transcriptEvents, writtenTranscript } from "../../core/transcription/transcript.ts";
import { chooseProviderFormat, unsupportedTranscript } from "../../core/transcription/transcription-rules.ts";
import type { RuledTranscription } from "../../core/transcription/transcription-rules.ts";
import type { MeasuredSound } from "../../core/transcription/sound-file.ts";
import { countedSound, soundBill, soundHold } from "../../core/transcription/transcription-units.ts";
import type { KnownSecrets } from "../../lib/known-secrets.ts";
import type { SecretVeil } from "../../lib/secret-veil.ts";
import type { Provider } from "../../providers/provider.ts";
import type {
  EncodedTranscription,
  ProviderTranscript,
  TranscriptionCall,
  TranscriptionsAdapter,
} from "../../providers/transcriptions.ts";
import type { WireRequest } from "../../providers/wire-request.ts";
import { shownHeaders } from "../calls/shown-headers.ts";
import type { Opened } from "../calls/attempts.ts";
import type { Bill, ExchangePlan, StreamBill, StreamedResponse } from "../calls/call-steps.ts";
import { findMaxCost } from "../calls/paid-call.ts";
import type { CallCost, PaidCall } from "../calls/paid-call.ts";
import { StreamReader } from "../calls/stream-reader.ts";
import { LONG_RESPONSE_BYTES } from "../calls/whole-response.ts";
import type { ReadResponse, WholeResponse } from "../calls/whole-response.ts";
import { chatDialect } from "../chat/dialects/chat.ts";
import type { Credential } from "../connections/connection.ts";
import type { Candidate, ServedModel } from "../models/served-model.ts";
import { TranscriptObserver } from "./transcript-observer.ts";

type Fields = Readonly<Record<string, unknown>>;

/** The bytes for a client, and the text in them. */
export interface WholeTranscript extends WholeResponse {
  /** Transcript in the shape of `json`, `verbose_json` or `diarized_json`. */
  readonly document: Fields;
}

/** Response to a call for a transcript. */
export type TranscriptResponse = WholeTranscript | StreamedResponse;

/** A response that was read, and whether its usage fields are in the common format. */
interface ReadTranscript extends ProviderTranscript {
  readonly asItCame: boolean;
}

/** A checked request. */
export interface TranscriptionOrder {
  readonly ruled: RuledTranscription;
  readonly file: MeasuredSound;
  readonly fields: TranscriptionFields;
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** Sends and meters one sound, and writes its transcript as it was asked for. */
export class TranscriptionPlan implements ExchangePlan<TranscriptResponse, ReadTranscript> {
  readonly candidates: readonly Candidate[];
  readonly stream: boolean;
  readonly expected = "a transcript";
  readonly limit = LONG_RESPONSE_BYTES;
  readonly streamLimit = LONG_RESPONSE_BYTES;
  /** Heartbeats and errors after the head are the same as in streams of chat completions. */
  readonly heartbeat = chatDialect.heartbeat;
  readonly #call: PaidCall;
  readonly #order: TranscriptionOrder;
  readonly #servedModel: ServedModel;
  readonly #secrets: KnownSecrets;
  readonly #encoded = new Map<string, EncodedTranscription>();

  /** @throws GatewayError unsupported_value when no provider responds in this format */
  constructor(call: PaidCall, order: TranscriptionOrder, servedModel: ServedModel, secrets: KnownSecrets) {
    this.#call = call;
    this.#order = order;
    this.#servedModel = servedModel;
    this.#secrets = secrets;
    this.stream = order.ruled.stream;
    this.candidates = ableCandidates(servedModel, order.ruled.format);
  }

  inBand(error: GatewayError, requestId: string): string {
    return chatDialect.inBand(error, requestId);
  }

  cost(): CallCost {
    return findMaxCost(this.candidates, (price) => soundHold(this.#order, price));
  }

  likely({ price }: Candidate): Billed {
    return countedSound(this.#order, price, null);
  }

  unseen(candidate: Candidate): Billed {
    return this.likely(candidate);
  }

  /** The request for a candidate. Its body is the file, so it is made once for each protocol and model id. */
  wire(candidate: Candidate, { secret }: Credential): WireRequest {
    const { connection, upstreamModel } = candidate;
    const adapter = getAdapter(connection.provider);
    const { fields, extra } = this.#order;
    this.#call.checkFieldPermissions(candidate, "transcriptions", { ...extra, ...fields, model: upstreamModel });
    const name = `${connection.provider.id} ${upstreamModel}`;
    let encoded = this.#encoded.get(name);
    if (encoded === undefined) {
      encoded = adapter.encode(this.#callTo(candidate));
      this.#encoded.set(name, encoded);
    }
    return adapter.toRequest(encoded, secret);
  }

  read(document: unknown, { candidate }: Opened): ReadTranscript | null {
    const read = getAdapter(candidate.connection.provider).fromResponse(document, this.#callTo(candidate));
    return read === null ? null : { ...read, asItCame: read.document === document };
  }

  async finish({
    opened,
    body,
    value,
  }: ReadResponse<ReadTranscript>): Promise<Bill & { readonly response: WholeTranscript }> {
    const { document, reported, asItCame } = value;
    const tokens = estimateTextTokens(readText(document));
    const bill = soundBill(reported, this.#order, opened.candidate.price, tokens);
    const text = writtenTranscript(document, this.#order.ruled.format);
    const type = text === null ? "application/json" : "text/plain; charset=utf-8";
    const written = text === null && asItCame ? body : Buffer.from(text ?? JSON.stringify(document));
    const headers = { "content-type": type, ...shownHeaders(opened) };
    return { ...bill, response: { status: 200, headers, body: written, document } };
  }

  reader({ candidate }: Opened): StreamReader {
    const { toEvent } = getAdapter(candidate.connection.provider);
    const veil = this.#secrets.veil();
    return new StreamReader(new TranscriptObserver(toEvent), {
      pass: (data) => {
        const event = toEvent(data);
        if (event === null) return "";
        const shown = veil === null ? event : redactEvent(event, veil);
        return shown === data ? undefined : getFrame(shown);
      },
      ending: (last) => {
        if (last === null) return [];
        const event = toEvent(last.data);
        return [() => (event === last.data || event === null ? last.raw : getFrame(event))];
      },
    });
  }

  /** The cost of audio is known before the call, and held in full. */
  cover(): () => number {
    return () => Number.POSITIVE_INFINITY;
  }

  /** A client that disconnected has received all of it. */
  meter({ candidate }: Opened, { usage, delivered }: StreamReader): StreamBill {
    return soundBill(usage, this.#order, candidate.price, delivered.tokens);
  }

  asEvents({ document }: ReadTranscript): string {
    return transcriptEvents(document, this.#order.ruled.format).map(getFrame).join("");
  }

  createStreamed(error: GatewayError | null): TranscriptResponse {
    return { error };
  }

  #callTo({ upstreamModel }: Candidate): TranscriptionCall {
    const { ruled, ...order } = this.#order;
    return { ...ruled, ...order, upstreamModel, model: this.#servedModel.spec };
  }
}

function ableCandidates({ id, candidates }: ServedModel, format: TranscriptFormat): readonly Candidate[] {
  const able = candidates.filter(({ connection }) => {
    const { formats } = getAdapter(connection.provider);
    return formats === null || formats.includes(chooseProviderFormat(format));
  });
  if (able.length > 0) return able;
  const all = candidates.flatMap(({ connection }) => getAdapter(connection.provider).formats ?? []);
  throw unsupportedTranscript(format, id, all);
}

/** Redacts secrets that are split over several consecutive events. */
function redactEvent(event: Fields, veil: SecretVeil): Fields {
  const { type, delta, text } = event;
  const shown: Record<string, string> = {};
  if (typeof delta === "string") shown["delta"] = veil.piece("delta", delta);
  if (type === "transcript.text.segment" && typeof text === "string") shown["text"] = veil.piece("segment", text);
  return Object.entries(shown).every(([name, piece]) => event[name] === piece) ? event : { ...event, ...shown };
}

const getFrame = (event: Fields): string => `data: ${JSON.stringify(event)}\n\n`;

function getAdapter({ id, transcriptions }: Provider): TranscriptionsAdapter {
  if (transcriptions === null) throw new Error(`${id} writes nothing down`);
  return transcriptions;
}
