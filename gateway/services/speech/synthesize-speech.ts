import { speechRequestSchema } from "../../contract/speech.ts";
import { GatewayError } from "../../core/errors.ts";
import type { Units } from "../../core/models/model.ts";
import { applySpeechRules } from "../../core/speech/speech-rules.ts";
import { validate } from "../../core/validation.ts";
import { isRecord } from "../../lib/records.ts";
import type { Downloader } from "../../upstream/download.ts";
import { UpstreamFailure } from "../../upstream/failure.ts";
import { ClientGone } from "../calls/attempts.ts";
import type { Attempts, Opened } from "../calls/attempts.ts";
import type { Client, StreamWriter } from "../calls/client.ts";
import { ANSWER_PATIENCE, PaidCall } from "../calls/paid-call.ts";
import type { CallInput, PaidCallDeps } from "../calls/paid-call.ts";
import { refuseAnswer } from "../calls/whole-answer.ts";
import type { Candidate } from "../models/routes.ts";
import { deliverSpeech } from "./deliver-speech.ts";
import type { BegunSpeech, DeliverDeps } from "./deliver-speech.ts";
import { inEvents } from "./client-events.ts";
import { openSource } from "./open-source.ts";
import { ableCandidates, ownCount, rulesOf, speechAdapter, speechCost } from "./speech-call.ts";
import type { SpeechRun } from "./speech-call.ts";
import { NotSpeech, ProviderRefusal } from "./speech-source.ts";

export interface SynthesizeSpeechDeps extends PaidCallDeps, DeliverDeps {
  readonly downloader: Downloader;
  /** Refuses with storage_unavailable what could not be saved, before a provider is asked. */
  readonly requireRoom: () => Promise<void>;
}

/** A speech request as it came in. */
export interface SpeechRequestInput extends CallInput {
  readonly body: unknown;
}

/** The story of `POST /v1/audio/speech`: resolve, rules, hold, provider, sound as it comes, settle, library. */
export class SynthesizeSpeech {
  readonly #deps: SynthesizeSpeechDeps;

  constructor(deps: SynthesizeSpeechDeps) {
    this.#deps = deps;
  }

  /**
   * Speaks into `reply`. Whatever ends it before the first piece of sound has a status; what ends it later breaks the
   * connection, so that half a file is not taken for a whole one.
   * @param takeOver called right before the answer's head is sent, or when nobody is there to take one.
   * @throws GatewayError for everything that ends before a byte was sent.
   */
  async run(input: SpeechRequestInput, reply: Client & StreamWriter, takeOver: () => void): Promise<void> {
    const given = isRecord(input.body) ? input.body : {};
    const call = new PaidCall(this.#deps, input, "speech", given["model"], given["stream_format"] === "sse");
    try {
      const body = validate(speechRequestSchema, input.body);
      const route = await call.route(body.model, "speech");
      await this.#deps.requireRoom();
      const ruled = applySpeechRules(body, route.id, rulesOf(route));
      const candidates = ableCandidates(route, ruled);
      const { spec } = route;
      const run: SpeechRun = { call, reply, takeOver, ruled, spec };
      const asked = ({ price }: Candidate): Units => ownCount(run, price, null);
      call.admit(route, () => speechCost(run, candidates), asked);
      const attempts = call.attempts(
        candidates,
        reply,
        ANSWER_PATIENCE,
        ({ connection, upstreamModel }, { secret }) =>
          speechAdapter(connection.provider).toRequest({ ...ruled, upstreamModel, model: spec }, secret),
        asked,
      );
      await deliverSpeech(this.#deps, run, await this.#begin(run, attempts));
    } catch (error) {
      await call.fail(error);
      if (!(error instanceof ClientGone)) throw error;
      takeOver();
    }
  }

  /** Asks until somebody's sound begins. */
  async #begin(run: SpeechRun, attempts: Attempts): Promise<BegunSpeech> {
    for (;;) {
      const opened = await attempts.next();
      const adapter = speechAdapter(opened.candidate.connection.provider);
      const bare = openSource(this.#deps.downloader, { opened, adapter, format: run.ruled.format });
      const source = run.ruled.events === null || bare.events ? bare : inEvents(bare);
      run.reply.onGone(() => source.abort());
      try {
        const first = await source.pieces.next();
        if (!run.reply.gone) {
          if (first.done === true) throw silence(opened);
          attempts.accept(opened);
          return { opened, source, first: first.value };
        }
      } catch (error) {
        source.abort();
        if (!run.reply.gone) await this.#refused(opened, attempts, error);
      }
      if (!run.reply.gone) continue;
      attempts.abandon(opened);
    }
  }

  /** Fails over, or throws what the client is told. */
  async #refused(opened: Opened, attempts: Attempts, error: unknown): Promise<void> {
    if (error instanceof NotSpeech) return refuseAnswer(opened, attempts, error.answer, "speech");
    if (error instanceof ProviderRefusal) return attempts.reject(opened, error.error);
    if (error instanceof UpstreamFailure) attempts.rejectBroken(opened, error);
    // The provider answered; that its file cannot be had says nothing about it.
    if (error instanceof GatewayError) attempts.rejectNonsense(opened, error);
    throw error;
  }
}

function silence({ candidate }: Opened): GatewayError {
  return new GatewayError("upstream_error", `${candidate.connection.name} answered without any sound. Try again.`);
}
