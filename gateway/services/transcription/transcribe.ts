import { transcriptionFieldsSchema, translationFieldsSchema } from "../../contract/transcription.ts";
import type { TranscriptionFields } from "../../contract/transcription.ts";
import { GatewayError } from "../../core/errors.ts";
import { NO_FACTS } from "../../core/routes/request-facts.ts";
import type { RequestFacts } from "../../core/routes/request-facts.ts";
import { soundFile } from "../../core/transcription/sound-file.ts";
import type { SoundFile } from "../../core/transcription/sound-file.ts";
import { applyTranscriptionRules } from "../../core/transcription/transcription-rules.ts";
import type { TranscriptionTask } from "../../core/transcription/transcription-rules.ts";
import { validate } from "../../core/validation.ts";
import type { KnownSecrets } from "../../lib/known-secrets.ts";
import type { ObservedRequest } from "../calls/call-observer.ts";
import type { CallSteps, PipelineDeps } from "../calls/call-steps.ts";
import type { Recipient } from "../calls/client.ts";
import type { CallInput, PaidCall, Quote } from "../calls/paid-call.ts";
import { estimateCall, runCall } from "../calls/pipeline.ts";
import type { WholeResponse } from "../calls/whole-response.ts";
import { findOwnedSpec } from "../models/served-model.ts";
import type { ServedModel } from "../models/served-model.ts";
import { getOmission } from "../../core/recordings/omit-media.ts";
import type { TranscriptionInput } from "./transcription-input.ts";
import { TranscriptionPlan } from "./transcription-plan.ts";
import type { TranscriptResponse } from "./transcription-plan.ts";

export interface TranscribeDeps extends PipelineDeps {
  /** Hidden in streams. */
  readonly secrets: KnownSecrets;
}

/** `POST /v1/audio/transcriptions` and `/v1/audio/translations`. */
export class Transcribe {
  readonly #deps: TranscribeDeps;

  constructor(deps: TranscribeDeps) {
    this.#deps = deps;
  }

  /**
   * @returns the complete response, or the result of a stream written to `to`; null if the client has disconnected.
   * @throws GatewayError for any failure before the first byte was sent.
   */
  run(
    input: CallInput,
    task: TranscriptionTask,
    request: TranscriptionInput,
    to: Recipient,
  ): Promise<TranscriptResponse | null> {
    return runCall(this.#deps, new TranscriptionSteps(this.#deps.secrets, input, task, request), to);
  }

  /** Estimates the cost. @throws GatewayError */
  estimate(input: CallInput, task: TranscriptionTask, request: TranscriptionInput): Promise<Quote> {
    return estimateCall(this.#deps, new TranscriptionSteps(this.#deps.secrets, input, task, request));
  }
}

interface Checked {
  readonly fields: TranscriptionFields;
  readonly file: SoundFile;
}

/** Measures a sound in seconds; null if unknown. */
async function measureSeconds(bytes: Buffer): Promise<number | null> {
  // Loaded with the first sound, not at the start.
  const { measureSound } = await import("../../store/media/media-container.ts");
  return measureSound(bytes);
}

/** Runs one sound through each stage of the pipeline. */
class TranscriptionSteps implements CallSteps<TranscriptResponse, NonNullable<ReturnType<TranscriptionPlan["read"]>>> {
  readonly input: CallInput;
  readonly #secrets: KnownSecrets;
  readonly #task: TranscriptionTask;
  readonly #request: TranscriptionInput;
  #checked: Checked | null = null;
  #seconds: Promise<number | null> | undefined;

  constructor(secrets: KnownSecrets, input: CallInput, task: TranscriptionTask, request: TranscriptionInput) {
    this.#secrets = secrets;
    this.input = input;
    this.#task = task;
    this.#request = request;
  }

  get endpoint(): "transcriptions" | "translations" {
    return this.#task === "translate" ? "translations" : "transcriptions";
  }

  get capability(): "transcription" | "translation" {
    return this.#task === "translate" ? "translation" : "transcription";
  }

  get model(): unknown {
    return this.#request.fields["model"];
  }

  get stream(): boolean {
    return this.#task === "transcribe" && this.#request.fields["stream"] === true;
  }

  check(): string {
    const { fields, extra, file } = this.#request;
    const checked =
      this.#task === "translate"
        ? validate(translationFieldsSchema, fields)
        : validate(transcriptionFieldsSchema, fields);
    if (file === null) throw noFile();
    for (const name of ELSEWHERE) if (name in extra) throw elsewhere(name);
    const given = Object.fromEntries(Object.entries(checked).filter(([, value]) => value != null));
    this.#checked = { fields: given as TranscriptionFields, file: soundFile(file.bytes, file.fileName, file.field) };
    return checked.model;
  }

  /** A transcription has no side effects, so it may fail over to other models. */
  facts(): RequestFacts {
    return NO_FACTS;
  }

  async plan(call: PaidCall, servedModel: ServedModel): Promise<TranscriptionPlan> {
    if (this.#checked === null) throw new Error("the check comes first");
    const { fields } = this.#checked;
    this.#seconds ??= measureSeconds(this.#checked.file.bytes);
    const file = { ...this.#checked.file, seconds: await this.#seconds };
    const ruled = applyTranscriptionRules(
      fields,
      file,
      this.#task,
      servedModel.id,
      findOwnedSpec(servedModel)?.transcription ?? null,
    );
    const order = { ruled, file, fields, extra: this.#request.extra };
    return new TranscriptionPlan(call, order, servedModel, this.#secrets);
  }

  describeRequest(): ObservedRequest {
    const { fields, extra, file } = this.#request;
    const sound = file === null ? {} : { file: getOmission("application/octet-stream", file.bytes.length) };
    const body = Buffer.from(JSON.stringify({ ...fields, ...extra, ...sound }));
    return { endpoint: this.endpoint, body, form: true, family: "nested" };
  }

  written(result: TranscriptResponse): WholeResponse | null {
    return "body" in result ? result : null;
  }
}

/** Fields of some providers that name a sound outside the form: its length would be unknown. */
const ELSEWHERE = ["url", "file_url", "file_id"] as const;

function elsewhere(name: string): GatewayError {
  return new GatewayError(
    "unsupported_parameter",
    `Unknown parameter: '${name}'. Send the sound itself in 'file': its length decides what the call may cost.`,
    { param: name },
  );
}

function noFile(): GatewayError {
  return new GatewayError("missing_required_parameter", "Missing required parameter: 'file': expected an audio file.", {
    param: "file",
  });
}
