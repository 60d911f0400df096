import { speechRequestSchema } from "../../contract/speech.ts";
import type { SpeechRequest } from "../../contract/speech.ts";
import { GatewayError } from "../../core/errors.ts";
import type { Units } from "../../core/models/model.ts";
import { applySpeechRules } from "../../core/speech/speech-rules.ts";
import { validate } from "../../core/validation.ts";
import { textInputTokens } from "../../core/routes/text-input.ts";
import { isRecord } from "../../lib/records.ts";
import type { Downloader } from "../../upstream/download.ts";
import { UpstreamFailure } from "../../upstream/failure.ts";
import type { WireRequest } from "../../providers/wire-request.ts";
import type { Attempts, Opened } from "../calls/attempts.ts";
import type { ObservedRequest } from "../calls/call-observer.ts";
import type { CallSteps, EventsPlan, OwnPlan, PipelineDeps } from "../calls/call-steps.ts";
import type { Recipient } from "../calls/client.ts";
import type { CallCost, CallInput, PaidCall, Quote, Sending } from "../calls/paid-call.ts";
import { estimateCall, runCall } from "../calls/pipeline.ts";
import type { StreamHead } from "../calls/stream-relay.ts";
import { alwaysDetachable, refuseResponse } from "../calls/whole-response.ts";
import { chatDialect } from "../chat/dialects/chat.ts";
import type { Credential } from "../connections/connection.ts";
import { findOwnedSpec } from "../models/served-model.ts";
import type { Candidate, ServedModel } from "../models/served-model.ts";
import { EVENTS_TYPE, getErrorEvent, inEvents } from "./client-events.ts";
import { deliverSpeech } from "./deliver-speech.ts";
import type { StartedSpeech, DeliverDeps, SpokenResponse } from "./deliver-speech.ts";
import { openSource } from "./open-source.ts";
import { ableCandidates, createOwnCount, getSpeechAdapter, getSpeechCost } from "./speech-call.ts";
import type { SpeechWork } from "./speech-call.ts";
import { NotSpeech, ProviderRefusal } from "./speech-source.ts";

export interface SynthesizeSpeechDeps extends PipelineDeps, DeliverDeps {
  readonly downloader: Downloader;
  /** Throws storage_unavailable before a provider is called, if the result could not be saved. */
  readonly requireRoom: () => Promise<void>;
}

/** A speech request as received. */
export interface SpeechRequestInput extends CallInput {
  readonly body: unknown;
}

/** `POST /v1/audio/speech`. */
export class SynthesizeSpeech {
  readonly #deps: SynthesizeSpeechDeps;

  constructor(deps: SynthesizeSpeechDeps) {
    this.#deps = deps;
  }

  /**
   * Streams speech to `to`. A failure before the first audio has a status; a later one breaks the connection, so that a
   * partial file is not mistaken for a whole one.
   * @returns the complete audio; null if the client has disconnected.
   * @throws GatewayError for any failure before the first byte was sent.
   */
  run(input: SpeechRequestInput, to: Recipient): Promise<SpokenResponse | null> {
    return runCall(this.#deps, new SpeechSteps(this.#deps, input), to);
  }

  /** Estimates the cost. @throws GatewayError */
  estimate(input: SpeechRequestInput): Promise<Quote> {
    return estimateCall(this.#deps, new SpeechSteps(this.#deps, input));
  }
}

/** Steps of one speech request for the pipeline. */
class SpeechSteps implements CallSteps<SpokenResponse | null, never> {
  readonly input: SpeechRequestInput;
  readonly endpoint = "speech";
  readonly capability = "speech";
  readonly makesMedia = true;
  readonly model: unknown;
  readonly stream: boolean;
  readonly #deps: SynthesizeSpeechDeps;
  #checked: SpeechRequest | null = null;

  constructor(deps: SynthesizeSpeechDeps, input: SpeechRequestInput) {
    const given = isRecord(input.body) ? input.body : {};
    this.input = input;
    this.model = given["model"];
    this.stream = given["stream_format"] === "sse";
    this.#deps = deps;
  }

  check(): string {
    this.#checked = validate(speechRequestSchema, this.input.body);
    return this.#checked.model;
  }

  inputTokens(): number {
    return textInputTokens(this.input.body, 0);
  }

  async plan(call: PaidCall, servedModel: ServedModel): Promise<SpeechPlan> {
    await this.#deps.requireRoom();
    if (this.#checked === null) throw new Error("the check comes first");
    const ruled = applySpeechRules(this.#checked, servedModel.id, findOwnedSpec(servedModel)?.speech ?? null);
    return new SpeechPlan(this.#deps, { call, ruled, spec: servedModel.spec }, ableCandidates(servedModel, ruled));
  }

  describeRequest(): ObservedRequest {
    const { raw, body } = this.input;
    return { endpoint: "speech", body: raw ?? Buffer.from(JSON.stringify(body) ?? ""), family: "nested" };
  }

  written(): null {
    return null;
  }
}

const speechEventsPlan: EventsPlan<SpokenResponse> = {
  heartbeat: chatDialect.heartbeat,
  inBand: getErrorEvent,
  createStreamed: (error) => ({ sound: Buffer.alloc(0), contentType: EVENTS_TYPE, error }),
};

/** Tries candidates until one starts to send audio, and delivers it. */
class SpeechPlan implements OwnPlan<SpokenResponse | null>, Sending {
  readonly #deps: SynthesizeSpeechDeps;
  readonly #work: SpeechWork;
  readonly #candidates: readonly Candidate[];

  constructor(deps: SynthesizeSpeechDeps, work: SpeechWork, candidates: readonly Candidate[]) {
    this.#deps = deps;
    this.#work = work;
    this.#candidates = candidates;
  }

  cost(): CallCost {
    return getSpeechCost(this.#work, this.#candidates);
  }

  likely({ price }: Candidate): Units {
    return createOwnCount(this.#work, price, null);
  }

  unseen(candidate: Candidate): Units {
    return this.likely(candidate);
  }

  wire({ connection, upstreamModel }: Candidate, { secret }: Credential): WireRequest {
    const { ruled, spec } = this.#work;
    return getSpeechAdapter(connection.provider).toRequest({ ...ruled, upstreamModel, model: spec }, secret);
  }

  get events(): EventsPlan<SpokenResponse> | null {
    return this.#work.ruled.events === null ? null : speechEventsPlan;
  }

  async respond(to: Recipient, head: StreamHead | null): Promise<SpokenResponse | null> {
    const { watch } = this.#deps;
    const waiting = head === null ? -1 : watch.add(head);
    const attempts = this.#work.call.createAttempts(this.#candidates, to, this);
    const started = await this.#begin(attempts, to).finally(() => head !== null && watch.delete(waiting, head));
    return deliverSpeech(this.#deps, { ...this.#work, reply: to, head }, started);
  }

  async #begin(attempts: Attempts, to: Recipient): Promise<StartedSpeech> {
    const { format, events } = this.#work.ruled;
    for (;;) {
      const opened = await attempts.next();
      const adapter = getSpeechAdapter(opened.candidate.connection.provider);
      const bare = openSource(this.#deps.downloader, { opened, adapter, format });
      const source = events === null || bare.events ? bare : inEvents(bare);
      to.onCancelled(() => source.abort(), alwaysDetachable);
      try {
        const first = await source.pieces.next();
        if (!to.cancelled) {
          if (first.done === true) throw createSilence(opened);
          attempts.acceptResponse(opened);
          return { opened, source, first: first.value };
        }
      } catch (error) {
        source.abort();
        if (!to.cancelled) await this.#refuseResponse(opened, attempts, error);
      }
      if (!to.cancelled) continue;
      attempts.abandon(opened);
    }
  }

  /** Fails over, or throws the client's error. */
  async #refuseResponse(opened: Opened, attempts: Attempts, error: unknown): Promise<void> {
    if (error instanceof NotSpeech) return refuseResponse(opened, attempts, error.response, "speech");
    if (error instanceof ProviderRefusal) return attempts.reject(opened, error.error);
    if (error instanceof UpstreamFailure) attempts.rejectBroken(opened, error);
    // The provider has responded; a file that cannot be fetched says nothing about its health.
    if (error instanceof GatewayError) attempts.rejectNonsense(opened, error);
    throw error;
  }
}

function createSilence({ candidate }: Opened): GatewayError {
  return new GatewayError("upstream_error", `${candidate.connection.name} responded without any audio. Try again.`);
}
