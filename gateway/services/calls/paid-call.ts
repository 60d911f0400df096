import type { ProviderError } from "../../core/attempts/provider-error.ts";
import type { Receipt } from "../../contract/receipt.ts";
import { GatewayError, shortenSentence } from "../../core/errors.ts";
import { NO_FACTS } from "../../core/routes/request-facts.ts";
import type { RequestFacts } from "../../core/routes/request-facts.ts";
import type { Billed, Capability, Price } from "../../core/models/model.ts";
import { NOBODY } from "../../core/sessions/identity.ts";
import type { Identity } from "../../core/sessions/identity.ts";
import type { UpstreamRequest } from "../../upstream/provider-client.ts";
import type { WireRequest } from "../../providers/wire-request.ts";
import { reachRules } from "../../providers/reach-rules.ts";
import type { ReachKind } from "../../providers/reach-rules.ts";
import type { Credential } from "../connections/connection.ts";
import type { Masks } from "../../lib/masks.ts";
import { createMasker, openMasks } from "../keys/key-masks.ts";
import type { RingKey } from "../keys/key-ring.ts";
import type { Candidate, ServedModel } from "../models/served-model.ts";
import type { ResolveModel } from "../models/resolve-model.ts";
import type { Admission } from "./admission.ts";
import { Attempts, ClientCancelled, NO_FOLLOWER } from "./attempts.ts";
import type { AttemptDeps, AttemptsFollower, Persistence, Target } from "./attempts.ts";
import { CallRecord, providerName } from "./call-record.ts";
import type { CallRecordDeps } from "./call-record.ts";
import type { CallEnd } from "./call-start.ts";
import type { Client } from "./client.ts";
import { upstreamRequest } from "./upstream-request.ts";
import type { TimeLimits } from "./time-limits.ts";

/** Kinds of paid calls, as receipts name them. */
export type Endpoint =
  | "chat"
  | "messages"
  | "responses"
  | "gemini"
  | "completions"
  | "embeddings"
  | "speech"
  | "transcriptions"
  | "translations"
  | "images"
  | "edits"
  | "videos"
  | "moderations";

/** Context of a request that every paid endpoint gets in addition to its body. */
export interface CallInput {
  readonly requestId: string;
  /** Monotonic milliseconds. */
  readonly arrivedAt: number;
  readonly key: RingKey;
  /** Name of the app, as receipts have it (`claude-cli`). */
  readonly app: string;
  /** Session, project and agent of the call; absent if the client sends none. */
  readonly identity?: Identity | undefined;
  /** The original JSON body; absent for callers inside Postern, null for forms. */
  readonly raw?: Buffer | null;
  /** Reports facts of the call to the access log. */
  readonly note: (model: string, code: string | null) => void;
  /** Called with the provider before a request is sent, so that an error response names it too. */
  readonly noteProvider: (provider: string) => void;
  /** Follower for callers inside Postern (the MCP server), which need more than the response. */
  readonly follower?: CallFollower;
}

/** Receives the outcome of a call in addition to its response. */
export interface CallFollower {
  /** Called once when the call is over. Not called for video tasks, which are settled when they end. */
  onSettled(receipt: Receipt): void;
  /** Called for each result that goes to the library: its id there if it was saved, otherwise null. */
  onSaved(saved: Promise<string | null>): void;
}

export interface PaidCallDeps extends AttemptDeps, CallRecordDeps {
  readonly resolveModel: ResolveModel;
  readonly admission: Admission;
  readonly timeLimits: Pick<TimeLimits, "of">;
  /** Marks our own requests to servers on this machine. */
  readonly instanceId: string;
}

/** Nano USD to hold for a call. */
export interface CallCost {
  /** Max cost of the call as sent. */
  readonly nano: number;
  /** Min amount that must be left: if less than `nano` is left, all of it is held and bounds the response. */
  readonly least: number;
  /** Whether nothing that the client wrote bounds the response. */
  readonly open: boolean;
}

/** Returns a call's max cost, if a money limit applies. @param remaining nano USD; Infinity without a limit */
export type FindCost = (remaining: number) => CallCost;

/** Maximum and likely cost of a planned call. */
export interface Pricing {
  /** Called only if a money limit applies. @param remaining nano USD left; Infinity without a limit. */
  cost(remaining: number): CallCost;
  /** Returns the units to bill at a candidate if Postern is killed before the response is seen. */
  likely(candidate: Candidate): Billed;
}

/** A call's request, in the format of each candidate's provider. */
export interface Sending {
  /** Whether the response is a stream; absent: it is not. */
  readonly stream?: boolean;
  wire(candidate: Candidate, credential: Credential): WireRequest;
  /**
   * Returns the units to bill for a request that a candidate may have executed without a seen response; absent if a
   * separate record holds the outcome.
   */
  unseen?(candidate: Candidate): Billed;
  /** Whether `wire` makes another request after this refusal. Absent: never. */
  mend?(candidate: Candidate, error: ProviderError): boolean;
}

/** Estimated cost of a call, and whether its key can pay for it. */
export interface Quote {
  /** The public id of the model. */
  readonly model: string;
  /** Max cost in nano USD if sent now; null if the model has no known price. */
  readonly nano: number | null;
  /**
   * Min nano USD that must be left to admit the call, with a shorter response; an assumed amount without a known price.
   */
  readonly least: number;
  /**
   * Whether the request does not bound its response: `nano` is then the cost of the longest response, or what the key
   * has left.
   */
  readonly open: boolean;
  /** 10⁻⁹ USD that the key, or a budget, has left for it; null without a limit. */
  readonly remaining: number | null;
  readonly sandbox: boolean;
}

/**
 * Returns the cost at the most expensive candidate, because failover may end there. @param costAt nano USD at a price.
 */
export function findMaxCost(candidates: readonly Candidate[], costAt: (price: Price | null) => number): CallCost {
  const nano = Math.max(0, ...candidates.map(({ price }) => costAt(price)));
  return { nano, least: nano, open: false };
}

/** Units of calls that leave no open entry in the journal. */
export const NOTHING_USED = (): Billed => ({});

/**
 * The common start and end of all paid calls: model, access, limits, hold; failover; exactly one receipt. Create one
 * per request, run the call inside `try`, and pass what it throws to `fail`.
 */
export class PaidCall {
  readonly input: CallInput;
  readonly record: CallRecord;
  /** Masks of the secrets in its requests; null if its key does not mask them. */
  readonly masks: Masks | null;
  readonly #deps: PaidCallDeps;
  /** Set once it is checked: whether it executes or stores something. */
  facts: Pick<RequestFacts, "unsafe"> = NO_FACTS;
  #longest: number | null = null;
  /** Retry policy for failures; undefined: the default. */
  #persistence: Persistence | undefined;
  /** Responses that were received or had started, in case the call fails before they settle it. */
  #responses: readonly SeenResponse[] = NO_RESPONSES;

  /**
   * @param endpoint name in receipts: `chat`, `messages`, `embeddings`, …
   * @param model as sent by the client.
   * @param recorded whether a separate record holds its outcome (video tasks).
   */
  constructor(
    deps: PaidCallDeps,
    input: CallInput,
    endpoint: Endpoint,
    model: unknown,
    stream: boolean,
    recorded = false,
  ) {
    const name = typeof model === "string" ? model.slice(0, 200) : "";
    this.#deps = deps;
    this.input = input;
    this.masks = openMasks(input.key);
    this.record = new CallRecord(deps, {
      requestId: input.requestId,
      arrivedAt: input.arrivedAt,
      keyId: input.key.record.id,
      endpoint,
      model: name,
      app: input.app,
      identity: input.identity ?? NOBODY,
      stream,
      recorded,
      masks: this.masks,
      settled: (receipt) => input.follower?.onSettled(receipt),
    });
    input.note(name, null);
  }

  /**
   * Resolves the model to candidates with this capability.
   * @throws GatewayError model_not_found, endpoint_model_mismatch, model_not_allowed.
   */
  async findModel(model: string, capability: Capability): Promise<ServedModel> {
    const servedModel = await this.#deps.resolveModel.find(model, capability, this.input.key.record.models);
    this.record.setModel(servedModel.id);
    this.#deps.admission.checkModel(this.input.key, servedModel);
    return servedModel;
  }

  /**
   * Switches the call to a model chosen by its route.
   * @param plan the call's plan for the model
   * @param persistence its retry policy
   * @param longest max output tokens; null: as in the request
   */
  switchModel(servedModel: ServedModel, plan: Pricing, persistence: Persistence, longest: number | null): void {
    this.record.switchModel(servedModel.id);
    this.record.setEstimator(plan);
    this.#persistence = persistence;
    this.#longest = longest;
  }

  /** Max output tokens of one response; null: as in the request. */
  get longest(): number | null {
    return this.#longest;
  }

  /** Aborted when Postern stops. */
  get stopping(): boolean {
    return this.#deps.stopping.aborted;
  }

  /** Estimates the cost of the call by the same figures as `admit`, without a hold. */
  quote(servedModel: ServedModel, findCost: FindCost, sandbox = isSandbox(servedModel)): Quote {
    const remaining = this.#deps.admission.remaining(this.input.key, sandbox, this.record);
    const { nano, least, open } = findCost(remaining ?? Infinity);
    return { model: servedModel.id, nano: isPriced(servedModel) ? nano : null, least, open, remaining, sandbox };
  }

  /**
   * Lets a call for one model in and holds its money.
   * @throws GatewayError rate_limit_exceeded, concurrency_limit_exceeded, insufficient_quota, storage_unavailable.
   */
  admit(servedModel: ServedModel, plan: Pricing): void {
    this.hold(servedModel, (remaining) => plan.cost(remaining), isSandbox(servedModel));
    this.record.setEstimator(plan);
  }

  /**
   * Admits a call and holds its money for any of several models.
   * @param sandbox whether only the sandbox can serve it, whose money counts for its key only
   * @throws as `admit`
   */
  hold(servedModel: ServedModel, findCost: FindCost, sandbox: boolean): void {
    this.record.enter(this.#deps.admission.admit(...this.#describe(servedModel, findCost, sandbox)));
  }

  /** Throws if `admit` would refuse the call. Nothing is held. @throws as `admit` */
  rehearse(servedModel: ServedModel, plan: Pricing): void {
    const findCost: FindCost = (remaining) => plan.cost(remaining);
    this.#deps.admission.rehearse(...this.#describe(servedModel, findCost, isSandbox(servedModel)));
  }

  #describe(servedModel: ServedModel, findCost: FindCost, sandbox: boolean): Parameters<Admission["admit"]> {
    const { admission } = this.#deps;
    const { key } = this.input;
    const { nano, least } = admission.isMetered(key, sandbox, this.record)
      ? findCost(admission.remaining(key, sandbox, this.record) ?? Infinity)
      : NOTHING;
    return [key, nano, least, sandbox, servedModel, this.record];
  }

  /**
   * Checks an outgoing request. Costs in addition to tokens make the receipt an estimate.
   * @throws GatewayError field_not_allowed, model_not_allowed.
   */
  checkFieldPermissions({ connection }: Candidate, kind: ReachKind, body: Readonly<Record<string, unknown>>): void {
    const rules = reachRules(connection.provider, connection.origin, kind);
    if (this.#deps.admission.checkReach(this.input.key, rules, body)) this.record.mayCostMore = true;
  }

  /** The fail-over of this call's request. */
  createAttempts(
    candidates: readonly Candidate[],
    client: Client,
    sending: Sending,
    persistence: Persistence | undefined = this.#persistence,
  ): Attempts {
    this.record.setFirstCandidate(candidates[0] ?? null);
    const timeouts = this.#deps.timeLimits.of(sending.stream === true);
    let attempts = 0;
    const makeRequest = ({ candidate, credential }: Target): UpstreamRequest => {
      this.record.markStarted(candidate);
      this.input.noteProvider(providerName(candidate));
      const wire = sending.wire(candidate, credential);
      const request = upstreamRequest(wire, candidate.connection, this.#deps.instanceId, timeouts);
      attempts += 1;
      this.record.countAttempt(attempts);
      return request;
    };
    const follower = sending.unseen === undefined ? NO_FOLLOWER : new Follower(this, sending);
    return new Attempts(this.#deps, candidates, client, makeRequest, follower, persistence, createMasker(this.masks));
  }

  /** Notes that a response has arrived or started. */
  noteResponse(one: SeenResponse): void {
    // Nearly always one: a list that is pushed to makes room for sixteen more.
    this.#responses = [...this.#responses, one];
  }

  /** Bills failed responses like attempts whose response was never seen. */
  billUnobserved(): void {
    const answered = this.#responses;
    this.#responses = NO_RESPONSES;
    for (const { candidate, sending } of answered)
      this.record.addUnobserved(candidate, sending.unseen?.(candidate) ?? {});
  }

  /**
   * Ends the call early: releases its hold and writes its receipt. Requests that a provider may have executed are
   * billed by what they requested, even if the client has disconnected; those that were certainly not executed are
   * `failed` and free.
   */
  async fail(error: unknown): Promise<void> {
    this.billUnobserved();
    const left = error instanceof ClientCancelled ? "interrupted" : "unknown";
    await this.record.settle({
      outcome: this.record.hasUnobserved ? left : "failed",
      ...describeEnd(error),
      units: {},
      estimated: false,
    });
  }
}

/** Returns the error code shown to the client, which may be the provider's own: users search for what their app shows. */
function shownCode({ code, details: { provider } }: GatewayError): string {
  return provider?.code != null && /^[\w.-]{1,80}$/.test(provider.code) ? provider.code : code;
}

/**
 * Returns the receipt's fields of the error that ended a call; null: none. Status 499 was never sent, because the
 * client had disconnected.
 */
export function describeEnd(error: unknown): Pick<CallEnd, "status" | "code" | "message"> {
  if (error === null) return { status: 200, code: null };
  if (error instanceof ClientCancelled) return { status: 499, code: "client_closed" };
  if (error instanceof GatewayError)
    return { status: error.status, code: shownCode(error), message: shortenSentence(error.message) };
  return { status: 500, code: "internal_error" };
}

const NO_RESPONSES: readonly SeenResponse[] = [];

interface SeenResponse {
  readonly candidate: Candidate;
  readonly sending: Sending;
}

/** Records requests that may be billed although their response is never seen. */
class Follower implements AttemptsFollower {
  readonly #call: PaidCall;
  readonly #sending: Sending;

  constructor(call: PaidCall, sending: Sending) {
    this.#call = call;
    this.#sending = sending;
  }

  get isUnsafe(): boolean {
    return this.#call.facts.unsafe;
  }

  noteStart(connectMs: number): void {
    this.#call.record.setConnectMs(connectMs);
  }

  addUnobserved(candidate: Candidate): void {
    this.#call.record.addUnobserved(candidate, this.#sending.unseen?.(candidate) ?? {});
  }

  mend(candidate: Candidate, error: ProviderError): boolean {
    return this.#sending.mend?.(candidate, error) === true;
  }

  noteResponse(candidate: Candidate): void {
    this.#call.noteResponse({ candidate, sending: this.#sending });
  }
}

/** Tells whether the model is the sandbox's, whose money only counts for its key. */
export function isSandbox({ candidates: [first] }: ServedModel): boolean {
  return first?.connection.from === "sandbox";
}

/** Returns whether the cost is known for every candidate. */
export function isPriced({ candidates }: ServedModel): boolean {
  return candidates.every(({ price }) => price !== null);
}

const NOTHING: CallCost = { nano: 0, least: 0, open: false };
