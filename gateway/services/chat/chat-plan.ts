import { setImmediate as nextTurn } from "node:timers/promises";
import { sayFinish } from "../../codecs/finish.ts";
import { steadyCalls } from "../../codecs/steady-calls.ts";
import type { Document, Translation } from "../../codecs/translation.ts";
import type { ProviderError } from "../../core/attempts/provider-error.ts";
import { GatewayError } from "../../core/errors.ts";
import type { Billed, Units } from "../../core/models/model.ts";
import { servedFacts, listUsages } from "../../core/money/price.ts";
import { tellsAllFees } from "../../core/money/reported-bill.ts";
import type { ReportedBill } from "../../core/money/reported-bill.ts";
import type { KnownSecrets } from "../../lib/known-secrets.ts";
import { isRecord, mapItems } from "../../lib/records.ts";
import type { MapPiece } from "../../lib/records.ts";
import { MAX_FRAME_BYTES } from "../../upstream/frames.ts";
import { lower } from "../../providers/output-bound.ts";
import type { WireRequest } from "../../providers/wire-request.ts";
import { shownHeaders } from "../calls/shown-headers.ts";
import type { Opened } from "../calls/attempts.ts";
import type { Bill, ExchangePlan, StreamBill, StreamedResponse } from "../calls/call-steps.ts";
import type { Client } from "../calls/client.ts";
import { countTokens } from "../../core/money/text-tokens.ts";
import type { CallCost, PaidCall } from "../calls/paid-call.ts";
import { OutgoingPrompt } from "../calls/prompt-history.ts";
import { StreamReader } from "../calls/stream-reader.ts";
import type { StreamTransform } from "../calls/stream-reader.ts";
import { LONG_RESPONSE_BYTES, readResponse } from "../calls/whole-response.ts";
import type { ReadResponse, WholeResponse } from "../calls/whole-response.ts";
import type { Credential } from "../connections/connection.ts";
import type { Candidate, ServedModel } from "../models/served-model.ts";
import { composeBill, findAnswering } from "./chat-bill.ts";
import { meterMedia, spendGuard } from "./chat-money.ts";
import type { ChatMoney, MeteredUnits } from "./chat-money.ts";
import type { Dialect } from "./dialect.ts";
import type { PriceDrift } from "../models/price-drift.ts";
import type { LearnLessons } from "./learn-lessons.ts";
import { restoreSecrets, restoreStream } from "./restore-secrets.ts";
import { moreResponses } from "./more-choices.ts";
import type { CountedResponse } from "./more-choices.ts";
import { sortNativeFirst } from "./request-translator.ts";
import type { Rendering, RequestTranslator } from "./request-translator.ts";
import { offersCountedTools } from "./shown-searches.ts";

/** A whole completion: the bytes for a client, and the same as an object. */
export interface WholeChat extends WholeResponse {
  readonly document: Document;
}

/** Result of a conversation. */
export type ChatResponse = WholeChat | StreamedResponse;

/** A whole response in the provider's dialect. */
export interface ReadChat {
  readonly rendering: Rendering;
  readonly response: Document;
  /** Whether masked secrets were restored in it, so that it differs from the provider's bytes. */
  readonly isRestored: boolean;
}

/** A conversation whose model is known. */
export interface PlannedChat {
  readonly call: PaidCall;
  readonly servedModel: ServedModel;
  /** The client's. */
  readonly dialect: Dialect;
  /** The client's, after the rules. */
  readonly body: Document;
  readonly events: ((event: Document) => void) | null;
  readonly translator: RequestTranslator;
  readonly money: ChatMoney;
  readonly secrets: KnownSecrets;
  readonly lessons: Pick<LearnLessons, "keep">;
  readonly priceDrift: Pick<PriceDrift, "note">;
  /** Finds a model by any of its names; undefined if no connection serves it. */
  readonly findModel: (name: string) => ServedModel | undefined;
}

/** Max bytes of a request that is compared with the one before: a turn of the event loop of 40 ms. */
const MAX_COMPARED_BYTES = 16 * 1024 * 1024;
/** Max changed retries of one call. */
const MOST_MENDED = 2;
/** Bytes of a response from which parsing, translating and writing it yield to the event loop in between. */
const LARGE_BYTES = 256 * 1024;

/** Sends, translates and meters one conversation. */
export class ChatPlan implements ExchangePlan<ChatResponse, ReadChat> {
  readonly candidates: readonly Candidate[];
  readonly stream: boolean;
  readonly expected: string;
  readonly heartbeat: string;
  readonly limit = LONG_RESPONSE_BYTES;
  readonly streamLimit = 2 * MAX_FRAME_BYTES;
  readonly #chat: PlannedChat;
  #mended = 0;

  constructor(chat: PlannedChat) {
    const { servedModel, dialect, body } = chat;
    this.candidates = sortNativeFirst(servedModel.candidates, dialect.name, body);
    this.stream = body["stream"] === true;
    this.expected = dialect.responseName;
    this.heartbeat = dialect.heartbeat;
    this.#chat = chat;
  }

  /** Translates for the first candidate, so that the work is done when the call is admitted. */
  translateFirst(): void {
    const [first] = this.candidates;
    try {
      if (first !== undefined) this.#chat.translator.render(first);
    } catch (error) {
      // The error is reported when the candidate is called.
      if (!(error instanceof GatewayError)) throw error;
    }
  }

  /** Counts the prompt's max tokens, which limits will need. @param remaining nano USD */
  countPrompt(remaining: number): void {
    try {
      this.#chat.money.weigh(remaining);
    } catch (error) {
      // The error is reported when the candidate is called.
      if (!(error instanceof GatewayError)) throw error;
    }
  }

  inBand(error: GatewayError, requestId: string): string {
    return this.#chat.dialect.inBand(error, requestId);
  }

  cost(remaining: number): CallCost {
    return this.#chat.money.computeCost(remaining);
  }

  likely(candidate: Candidate): Billed {
    return this.#chat.money.estimatePrompt(candidate);
  }

  unseen(): Billed {
    return this.#chat.money.likely;
  }

  wire(candidate: Candidate, credential: Credential): WireRequest {
    const { translator, money, call } = this.#chat;
    const bound = lower(money.findBound(candidate, call.record.availableHold), call.longest);
    const request = translator.createRequest(candidate, credential.secret, bound, (kind, sent) =>
      call.checkFieldPermissions(candidate, kind, sent),
    );
    const { outgoing } = translator;
    const isComparable = call.record.identity.session !== null && (call.input.raw?.length ?? 0) <= MAX_COMPARED_BYTES;
    if (outgoing !== null && isComparable) {
      const { adapter } = translator.render(candidate);
      call.record.setPrompt(new OutgoingPrompt(outgoing, { candidate, credential, adapter }));
    }
    return request;
  }

  /** Retries the request, at most twice, if a refusal shows which of Postern's own fields it rejects. */
  mend(candidate: Candidate, error: ProviderError): boolean {
    const { translator, lessons } = this.#chat;
    if (this.#mended >= MOST_MENDED) return false;
    const lesson = translator.readLesson(candidate, error);
    if (lesson !== null) lessons.keep(candidate, lesson);
    else if (!translator.dropReasoning(candidate, error)) return false;
    this.#mended += 1;
    return true;
  }

  read(document: unknown, { candidate }: Opened): ReadChat | null {
    const rendering = this.#chat.translator.render(candidate);
    if (!rendering.dialect.isResponse(document)) return null;
    const { masks } = this.#chat.call;
    const response = masks === null ? document : restoreSecrets(document, masks);
    return { rendering, response, isRestored: response !== document };
  }

  /** Forwards the response byte for byte if client and provider share a dialect, else translates it. */
  async finish(read: ReadResponse<ReadChat>, client: Client): Promise<Finished> {
    const { opened, body, value } = read;
    const { rendering, response, isRestored } = value;
    const counted = this.#countUnits(read);
    if (rendering.translation !== null) return this.#translateResponse(read, counted, client);
    const steady = rendering.dialect.name === "chat" ? mapItems(response, "choices", sayFinish) : response;
    const written = steady === response && !isRestored ? body : Buffer.from(JSON.stringify(steady), "utf8");
    return { units: counted.billed, estimated: counted.estimated, response: getWholeChat(opened, written, steady) };
  }

  async #translateResponse(read: ReadResponse<ReadChat>, counted: MeteredUnits, client: Client): Promise<Finished> {
    const { call, translator } = this.#chat;
    const isLarge = read.body.length > LARGE_BYTES;
    if (isLarge) await nextTurn();
    const missing = translator.countExtraChoices(read.value.rendering);
    const first = inClientsDialect(read.value, counted);
    const { shown, units, estimated } = await moreResponses(call, first, missing, client, (one) => this.#oneMore(one));
    if (isLarge) await nextTurn();
    return { units, estimated, response: getWholeChat(read.opened, Buffer.from(JSON.stringify(shown), "utf8"), shown) };
  }

  async #oneMore(client: Client): Promise<CountedResponse> {
    const { call, translator } = this.#chat;
    const others = this.candidates.filter((candidate) => translator.needsTranslation(candidate));
    const attempts = call.createAttempts(others, client, this);
    const read = await readResponse(attempts, client, this.expected, this);
    return inClientsDialect(read.value, this.#countUnits(read));
  }

  #countUnits({ opened, value: { rendering, response } }: ReadResponse<ReadChat>): MeteredUnits {
    const { dialect, adapter } = rendering;
    const reported = adapter.toUnits(dialect.getUsage(response));
    const units = reported ?? { ...this.#prompt, output: countTokens(dialect.getText(response)) };
    return this.#meter(opened.candidate, rendering, units, reported === null, dialect.readBill(response));
  }

  #meter(
    candidate: Candidate,
    rendering: Rendering,
    units: Units,
    estimated: boolean,
    reported: ReportedBill,
  ): MeteredUnits {
    const { servedModel, findModel, translator, call, priceDrift } = this.#chat;
    const { toUnits } = rendering.adapter;
    const context = { candidate, servedModel, findModel, toUnits };
    const answering = findAnswering(reported, context);
    if (answering !== null) call.record.setModel(answering.id);
    const served = servedFacts(reported);
    const counted = meterMedia(candidate.price, translator.getSentBody(rendering), { units, estimated, served });
    const billed = composeBill(counted.units, counted.served, reported, context);
    // A charge reported by the provider is not estimated by Postern.
    const charged = listUsages(billed)[0]?.charged;
    const isCharged = charged !== undefined;
    if (isCharged && !call.record.mayCostMore) priceDrift.note(servedModel.id, candidate, counted.units, charged);
    if (isCharged || (!estimated && this.#tellsFees(rendering, reported))) call.record.mayCostMore = false;
    return { ...counted, billed, estimated: counted.estimated && !isCharged };
  }

  #tellsFees({ translation, dialect }: Rendering, reported: ReportedBill): boolean {
    if (translation !== null || !offersCountedTools(dialect.name, this.#chat.body)) return false;
    return dialect.name === "messages" || tellsAllFees(reported.output);
  }

  /** Units of the prompt as counted here, for responses that report no usage. */
  get #prompt(): Units {
    return this.#chat.money.likely;
  }

  reader({ candidate }: Opened): StreamReader {
    const rendering = this.#chat.translator.render(candidate);
    const { dialect, adapter } = rendering;
    const { masks } = this.#chat.call;
    const shown = this.#passage(rendering);
    const restored = masks === null ? shown : restoreStream(shown, dialect, masks);
    const passage = this.#redactStream(restored, dialect);
    return new StreamReader(dialect.observer(adapter.toUnits), passage);
  }

  /** Redacts secrets that span several events; the HTTP client has already redacted secrets within one event. */
  #redactStream(transform: StreamTransform, dialect: Dialect): StreamTransform {
    const veil = this.#chat.secrets.veil();
    if (veil === null) return transform;
    const hide: MapPiece = (run, field, piece) => veil.piece(run, piece, field);
    return mendEvents(transform, dialect, dialect.mapText(hide));
  }

  #passage({ translation, dialect: spoken }: Rendering): StreamTransform {
    const { dialect, body, events } = this.#chat;
    const options = body["stream_options"];
    const isAsked = isRecord(options) && options["include_usage"] === true;
    const showUsage = isAsked || (dialect.name !== "chat" && dialect.name !== "completions");
    const transform =
      translation === null
        ? this.#written(showUsage)
        : translateStream(translation, dialect, showUsage, events ?? undefined);
    if (spoken.name !== "chat") return transform;
    const steady = steadyCalls();
    return mendEvents(transform, spoken, (chunk) => mapItems(steady(chunk), "choices", sayFinish));
  }

  #written(showUsage: boolean): StreamTransform {
    const { dialect, events } = this.#chat;
    const written = showUsage ? passUntouched(dialect) : withoutUsage(dialect);
    return events === null ? written : handedOver(written, events);
  }

  cover({ candidate }: Opened, reader: StreamReader): (characters: number) => number | GatewayError {
    const { money, call } = this.#chat;
    return spendGuard(money.computeCovered(candidate, call.record.availableHold), () => reader.delivered.tokens);
  }

  meter({ candidate }: Opened, { usage, delivered, estimated, reported }: StreamReader): StreamBill {
    const { translator } = this.#chat;
    const units = usage ?? { ...this.#prompt, output: delivered.tokens };
    return this.#meter(candidate, translator.render(candidate), units, estimated, reported);
  }

  createStreamed(error: GatewayError | null): StreamedResponse {
    return { error };
  }
}

type Finished = Bill & { readonly response: WholeChat };

function inClientsDialect({ rendering, response }: ReadChat, counted: MeteredUnits): CountedResponse {
  return { shown: rendering.translation?.response(response, counted.units) ?? response, ...counted };
}

function getWholeChat(opened: Opened, body: Buffer, document: Document): WholeChat {
  return {
    status: 200,
    headers: shownHeaders(opened, { "content-type": "application/json" }),
    body,
    document,
  };
}

/** Forwards every event unchanged: client and provider share a dialect. */
export function passUntouched(dialect: Dialect): StreamTransform {
  return { pass: () => undefined, ending: (last) => [() => (last?.raw ?? dialect.closing) + dialect.endMark] };
}

/**
 * Removes usage that the gateway requested and the client did not from a chat stream: its chunk is dropped, or the
 * field cleared if the chunk has other content (docs/specification.md#chat).
 */
export function withoutUsage(dialect: Dialect): StreamTransform {
  return {
    ...passUntouched(dialect),
    pass(chunk) {
      if (chunk["usage"] === undefined || chunk["usage"] === null) return undefined;
      const { choices } = chunk;
      if (Array.isArray(choices) && choices.length === 0) return "";
      return dialect.frame({ ...chunk, usage: null });
    },
  };
}

/** Fixes events before they are forwarded. */
function mendEvents(
  transform: StreamTransform,
  dialect: Dialect,
  mend: (event: Document) => Document,
): StreamTransform {
  return {
    ...transform,
    pass(event) {
      const right = mend(event);
      return transform.pass(right) ?? (right === event ? undefined : dialect.frame(right));
    },
  };
}

/**
 * The provider's dialect made into the client's. Comments of the provider stay what they are.
 * @param take every event in the client's dialect, as an object
 */
function translateStream(
  translation: Translation,
  client: Dialect,
  showUsage: boolean,
  take?: (event: Document) => void,
): StreamTransform {
  const stream = translation.stream();
  const write = (event: Document): string => {
    take?.(event);
    return showUsage || !isBareUsage(event) ? client.frame(event) : "";
  };
  return {
    pass(data) {
      let text = "";
      for (const event of stream.event(data)) text += write(event);
      return text;
    },
    ending(last, units) {
      const events = [...(last === null ? [] : stream.event(last.data)), ...stream.end(units)];
      return [...events.map((event) => () => write(event)), () => client.endMark];
    },
  };
}

/** Passes each event to a caller inside Postern as an object; the written text is for observers. */
export function handedOver(transform: StreamTransform, take: (event: Document) => void): StreamTransform {
  return {
    pass(data) {
      take(data);
      return transform.pass(data);
    },
    ending(last, units) {
      if (last !== null) take(last.data);
      return transform.ending(last, units);
    },
  };
}

/** Tells whether this is the last chunk of a chat stream, which only clients that asked for usage get. */
function isBareUsage(event: Document): boolean {
  const { choices } = event;
  return event["object"] === "chat.completion.chunk" && Array.isArray(choices) && choices.length === 0;
}
