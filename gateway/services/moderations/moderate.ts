import { USUAL_MODERATION, moderationRequestSchema } from "../../contract/moderations.ts";
import type { Billed, Units } from "../../core/models/model.ts";
import { NO_FACTS } from "../../core/routes/request-facts.ts";
import type { RequestFacts } from "../../core/routes/request-facts.ts";
import { validate } from "../../core/validation.ts";
import { textInputTokens } from "../../core/routes/text-input.ts";
import { withMembers } from "../../lib/json-splice.ts";
import { isRecord } from "../../lib/records.ts";
import type { ModerationsAdapter } from "../../providers/moderations.ts";
import type { Provider } from "../../providers/provider.ts";
import type { WireRequest } from "../../providers/wire-request.ts";
import { shownHeaders } from "../calls/shown-headers.ts";
import type { Opened } from "../calls/attempts.ts";
import type { ObservedRequest } from "../calls/call-observer.ts";
import type { CallSteps, OwnPlan, PipelineDeps } from "../calls/call-steps.ts";
import type { Recipient } from "../calls/client.ts";
import type { CallCost, CallInput, PaidCall, Sending } from "../calls/paid-call.ts";
import { runCall } from "../calls/pipeline.ts";
import { SHORT_RESPONSE_BYTES, readResponse } from "../calls/whole-response.ts";
import type { WholeResponse } from "../calls/whole-response.ts";
import type { Credential } from "../connections/connection.ts";
import type { Candidate, ServedModel } from "../models/served-model.ts";

type Fields = Readonly<Record<string, unknown>>;

/** A moderation request as received. */
export interface ModerationInput extends CallInput {
  readonly raw: Buffer;
  readonly body: unknown;
}

/** `POST /v1/moderations`: the client's bytes go out and the provider's come back. */
export class Moderate {
  readonly #deps: PipelineDeps;

  constructor(deps: PipelineDeps) {
    this.#deps = deps;
  }

  /** @returns null if the client has disconnected. @throws GatewayError */
  run(input: ModerationInput, to: Recipient): Promise<WholeResponse | null> {
    return runCall(this.#deps, new ModerationSteps(input), to);
  }
}

/** Steps of one moderation request for the pipeline. */
class ModerationSteps implements CallSteps<WholeResponse, never> {
  readonly input: ModerationInput;
  readonly endpoint = "moderations";
  readonly capability = "moderation";
  readonly stream = false;

  constructor(input: ModerationInput) {
    this.input = input;
  }

  get model(): unknown {
    return isRecord(this.input.body) ? (this.input.body["model"] ?? USUAL_MODERATION) : undefined;
  }

  check(): string {
    return validate(moderationRequestSchema, this.input.body).model ?? USUAL_MODERATION;
  }

  facts(): RequestFacts {
    return NO_FACTS;
  }

  inputTokens(): number {
    return textInputTokens(this.input.body, this.input.raw.length);
  }

  async plan(call: PaidCall, { candidates }: ServedModel): Promise<ModerationPlan> {
    return new ModerationPlan(call, this.input, candidates);
  }

  describeRequest(): ObservedRequest {
    return { endpoint: "moderations", body: this.input.raw, family: "nested" };
  }

  written(result: WholeResponse): WholeResponse {
    return result;
  }
}

/** Providers report no usage for moderations, so any price is per request. */
const ONE: Units = { request: 1 };
const NOTHING: CallCost = { nano: 0, least: 0, open: false };

class ModerationPlan implements OwnPlan<WholeResponse>, Sending {
  readonly #call: PaidCall;
  readonly #raw: Buffer;
  readonly #body: Fields;
  readonly #candidates: readonly Candidate[];

  constructor(call: PaidCall, { raw, body }: ModerationInput, candidates: readonly Candidate[]) {
    this.#call = call;
    this.#raw = raw;
    this.#body = isRecord(body) ? body : {};
    this.#candidates = candidates;
  }

  cost(): CallCost {
    return NOTHING;
  }

  likely(): Billed {
    return ONE;
  }

  unseen(): Billed {
    return ONE;
  }

  wire({ connection, upstreamModel }: Candidate, { secret }: Credential): WireRequest {
    const isSame = this.#body["model"] === upstreamModel;
    const body = isSame ? this.#raw : withMembers(this.#raw, this.#body, { model: upstreamModel });
    return getAdapter(connection.provider).toRequest(body, secret);
  }

  async respond(to: Recipient): Promise<WholeResponse> {
    const { record } = this.#call;
    const attempts = this.#call.createAttempts(this.#candidates, to, this);
    const read = (document: unknown, { candidate }: Opened): true | null =>
      getAdapter(candidate.connection.provider).isResponse(document) ? true : null;
    const { opened, body } = await readResponse(attempts, to, "a list of results", { read }, SHORT_RESPONSE_BYTES);
    record.markFirstByte();
    await record.settle({ outcome: "completed", status: 200, code: null, units: ONE, estimated: false });
    return { status: 200, headers: { "content-type": "application/json", ...shownHeaders(opened) }, body };
  }
}

function getAdapter({ id, moderations }: Provider): ModerationsAdapter {
  if (moderations === null) throw new Error(`${id} moderates nothing`);
  return moderations;
}
