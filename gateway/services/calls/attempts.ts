import type { CallResult, May, Scope } from "../../core/attempts/breaker.ts";
import { unavailable } from "../../core/attempts/outage.ts";
import type { GatewayError } from "../../core/errors.ts";
import { afterFailure, afterProviderError, isRepeatable } from "../../core/attempts/retry.ts";
import type { NextStep } from "../../core/attempts/retry.ts";
import { toGatewayError } from "../../core/attempts/provider-error.ts";
import type { ProviderError } from "../../core/attempts/provider-error.ts";
import type { Clock } from "../../lib/clock.ts";
import { parseJson } from "../../lib/json.ts";
import { redact } from "../../lib/redact.ts";
import type { ProviderClient, UpstreamRequest } from "../../upstream/provider-client.ts";
import { UpstreamFailure, createStopped } from "../../upstream/failure.ts";
import type { Exchange } from "../../upstream/transfer.ts";
import type { Client } from "./client.ts";
import { LONGEST_TURN_MS, createPacedError, failureError } from "./failure-error.ts";
import type { Credential } from "../connections/connection.ts";
import type { Candidate } from "../models/served-model.ts";

export interface AttemptDeps {
  readonly providerClient: Pick<ProviderClient, "open">;
  readonly clock: Clock;
  /** A number in [0, 1). */
  readonly random: () => number;
  /** Waits; returns early if the client disconnects. */
  readonly wait: (ms: number, client: Client) => Promise<void>;
  /** Aborted when Postern stops: there are no more retries. */
  readonly stopping: AbortSignal;
  /** Called when a credential's health becomes another. */
  readonly healthChanged: () => void;
}

/** A response with status 2xx, and who gave it. */
export interface Opened {
  readonly exchange: Exchange;
  readonly candidate: Candidate;
  readonly credential: Credential;
}

/** A provider key at a connection that serves the model. */
export interface Target {
  readonly candidate: Candidate;
  readonly credential: Credential;
}

/**
 * `safe`: failures are retried where that is harmless. `briefly`: the same, but a long wait that a provider asks for is
 * left to the caller, which tries another model. `others`: only other keys and connections are tried, because another
 * model follows. `never`: only a key that was refused before anything was executed is followed by the next one
 * (docs/specification.md#keys-bodies-timeouts: "a video submission never").
 */
export type Repeats = "safe" | "briefly" | "others" | "never";

/** How the failures of one request are followed. */
export interface Persistence {
  readonly repeats: Repeats;
  /** Whether keys that await a probe are tried too if no other is left, because no other model follows. */
  readonly asksRefused: boolean;
}

const USUAL: Persistence = { repeats: "safe", asksRefused: false };
/** Longer than what we wait before a retry on our own account. */
const BRIEF_MS = 1_000;

const ANSWERED: CallResult = { kind: "answered" };

const MAX_ERROR_BYTES = 1024 * 1024;
/** Max wait for an error body in milliseconds; after that the error is reported without it. */
const ERROR_BODY_MS = 10_000;
/** A list of refused keys is walked this far. */
const MAX_ATTEMPTS = 20;

/** The client disconnected during a provider request; nothing is sent. */
export class ClientCancelled extends Error {
  override readonly name = "ClientCancelled";

  constructor() {
    super("the client left");
  }
}

/** Notified of the outcome of requests that a provider may bill. */
export interface AttemptsFollower {
  /** Whether the request executes or stores something; missing: it does not. */
  readonly isUnsafe?: boolean;
  /** A response has started, with any status. @param connectMs time that its request waited for a new connection */
  noteStart(connectMs: number): void;
  /** The provider may have executed it, without a seen response. */
  addUnobserved(candidate: Candidate): void;
  /** A response to it has arrived or started. */
  noteResponse(candidate: Candidate): void;
  /** Changes the request after this refusal; returns whether it is sent again. Absent: never. */
  mend?(candidate: Candidate, error: ProviderError): boolean;
}

/** Follower of requests that cost nothing. */
export const NO_FOLLOWER: AttemptsFollower = {
  noteStart: () => undefined,
  addUnobserved: () => undefined,
  noteResponse: () => undefined,
};

/** The last step of making a request, in turns of the event loop. */
export type PrepareRequest = (request: UpstreamRequest) => Promise<UpstreamRequest>;

/**
 * Failover of one call until the first byte of a response. Call `next()` until it returns one; use `reject()` if its
 * body turns out to be invalid before anything was delivered.
 */
export class Attempts {
  readonly #deps: AttemptDeps;
  readonly #candidates: readonly Candidate[];
  readonly #makeRequest: (way: Target) => UpstreamRequest;
  readonly #client: Client;
  readonly #follower: AttemptsFollower;
  readonly #persistence: Persistence;
  readonly #prepare: PrepareRequest | null;
  /** Failed credentials; null without any so far. */
  #tried: Set<Credential> | null = null;
  #retries = 0;
  #attempts = 0;
  /** When the wait for turns ends, monotonic ms; null before the first. */
  #turnUntil: number | null = null;

  constructor(
    deps: AttemptDeps,
    candidates: readonly Candidate[],
    client: Client,
    makeRequest: (way: Target) => UpstreamRequest,
    follower: AttemptsFollower,
    persistence: Persistence = USUAL,
    prepare: PrepareRequest | null = null,
  ) {
    this.#deps = deps;
    this.#candidates = candidates;
    this.#client = client;
    this.#makeRequest = makeRequest;
    this.#follower = follower;
    this.#persistence = persistence;
    this.#prepare = prepare;
  }

  /**
   * The first good response.
   * @throws GatewayError when no one gave one, ClientCancelled when the client left first.
   */
  async next(): Promise<Opened> {
    for (;;) {
      const now = this.#deps.clock.monotonic();
      const way = this.#choose(now);
      if (way === null) throw this.#createUnavailable();
      const { connection } = way.candidate;
      // It may have left while the request was made ready.
      if (this.#client.cancelled) throw new ClientCancelled();
      const { pacer } = connection;
      const delay = pacer?.getDelay(now) ?? 0;
      if (delay > 0) {
        // Another target may be free, or this one unwell, after the wait.
        await this.#waitForTurn(way, delay, now);
        continue;
      }
      this.#attempts += 1;
      // No provider is called if the request cannot or must not be made.
      let made = this.#makeRequest(way);
      if (this.#prepare !== null) {
        made = await this.#prepare(made);
        if (this.#client.cancelled) throw new ClientCancelled();
      }
      const request = pacer === null ? made : { ...made, onEnd: pacer.enter(now) };
      way.credential.health.begin(way.candidate.upstreamModel, now);
      const attempt = this.#deps.providerClient.open(request);
      this.#client.onCancelled(() => attempt.abort(), attempt.isSent);
      try {
        const exchange = await attempt.response;
        this.#follower.noteStart(exchange.connectMs);
        if (exchange.status >= 200 && exchange.status < 300) {
          return { exchange, candidate: way.candidate, credential: way.credential };
        }
        const body = await getErrorJson(exchange);
        await this.#handleError(way, connection.provider.errors.fromResponse(exchange.status, exchange.headers, body));
      } catch (error) {
        if (!(error instanceof UpstreamFailure)) throw error;
        await this.#handleFailure(way, error);
      } finally {
        this.#client.onCancelled(null);
      }
    }
  }

  /**
   * Waits for the turn of a connection with a pace, for LONGEST_TURN_MS in all; after that it counts as tried.
   * @throws GatewayError connection_paced if no other connection is left, ClientCancelled
   */
  async #waitForTurn({ candidate: { connection }, credential }: Target, delay: number, now: number): Promise<void> {
    this.#turnUntil ??= now + LONGEST_TURN_MS;
    if (now + delay > this.#turnUntil) {
      this.#tried = new Set([...(this.#tried ?? []), ...connection.credentials]);
      if (this.#choose() === null) throw createPacedError(connection, delay);
      return;
    }
    await this.#deps.wait(delay, this.#client);
    if (this.#client.cancelled) throw new ClientCancelled();
    if (this.#deps.stopping.aborted) throw failureError(createStopped(), connection, credential);
  }

  /**
   * The response is valid, so its provider is healthy. (A status alone proves little: some send 200 and then break
   * off.)
   */
  acceptResponse(opened: Opened): void {
    this.#follower.noteResponse(opened.candidate);
    this.#report(opened, ANSWERED);
  }

  /**
   * Rejects a 2xx response that is neither a valid response nor a readable error. Always throws `shown`. The provider's
   * health is left unchanged: a server that cannot stream may still serve requests that are not streamed.
   */
  rejectNonsense(opened: Opened, shown: GatewayError): never {
    this.#follower.addUnobserved(opened.candidate);
    this.#report(opened, { kind: "neutral" });
    throw shown;
  }

  /**
   * Handles a client that disconnected while a response was read. Always throws. It says nothing about the provider, so
   * a probe ends here.
   */
  abandon(opened: Opened): never {
    this.#follower.addUnobserved(opened.candidate);
    this.#report(opened, { kind: "neutral" });
    throw new ClientCancelled();
  }

  /**
   * Handles a 2xx response that was an error (in its first event, or in a malformed body). A provider that names what
   * it refuses has not executed the request; one that failed may have executed it.
   */
  async reject(opened: Opened, error: ProviderError): Promise<void> {
    if (error.kind === "overload") this.#follower.addUnobserved(opened.candidate);
    await this.#handleError(opened, error);
  }

  /** The response broke off before anything of it was delivered. Always throws: the request was executed. */
  rejectBroken(opened: Opened, failure: UpstreamFailure): never {
    this.#follower.addUnobserved(opened.candidate);
    this.#report(opened, { kind: "failed", scope: "model", reason: failure.message });
    throw failureError(failure, opened.candidate.connection, opened.credential);
  }

  /** Handles a request without a response. */
  async #handleFailure(way: Target, failure: UpstreamFailure): Promise<void> {
    const { connection } = way.candidate;
    if (failure.sent) this.#follower.addUnobserved(way.candidate);
    if (this.#client.cancelled) {
      this.#report(way, { kind: "neutral" });
      throw new ClientCancelled();
    }
    if (failure.kind === "aborted") {
      this.#report(way, { kind: "neutral" });
      throw failureError(failure, connection, way.credential);
    }
    // An unreachable server is unreachable for all of its models.
    const scope = failure.kind === "refused" ? "key" : "model";
    this.#report(way, { kind: "failed", scope, reason: failure.message, unreachable: scope === "key" });
    const step = afterFailure(failure.sent, this.#retries, this.#deps.random());
    await this.#follow(step, way, failureError(failure, connection, way.credential));
  }

  async #handleError(way: Target, error: ProviderError): Promise<void> {
    if (error.kind === "bad_request" && this.#follower.mend?.(way.candidate, error) === true) {
      this.#report(way, { kind: "neutral" });
      return;
    }
    const secrets = way.credential.secret === null ? [] : [way.credential.secret];
    const shown = toGatewayError(error, way.candidate.connection.name, secrets);
    this.#report(way, getHealth(error, redact(error.message, secrets), way.candidate.connection.provider.rateScope));
    await this.#follow(afterProviderError(error, this.#retries, this.#deps.random()), way, shown);
  }

  /** Prepares the next attempt, or throws `shown` if no candidate is left. */
  async #follow(step: NextStep, way: Target, shown: GatewayError): Promise<void> {
    const { repeats } = this.#persistence;
    const isOver = step.do === "give_up" || this.#client.isDetached === true;
    if (isOver || (step.do === "again" && repeats === "never")) throw shown;
    if (step.do === "again" && !isRepeatable(shown, this.#follower.isUnsafe === true)) throw shown;
    this.#tried = (this.#tried ?? new Set()).add(way.credential);
    const other = this.#choose() !== null;
    if (step.do === "elsewhere") {
      if (!other || this.#attempts >= MAX_ATTEMPTS) throw shown;
      return;
    }
    this.#retries += 1;
    if (other) return;
    const isLeft = repeats === "others" || (repeats === "briefly" && step.waitMs > BRIEF_MS);
    if (isLeft) throw shown;
    // No other candidate serves it: the same one is retried after the wait.
    this.#tried = null;
    if (this.#choose() === null) throw shown;
    await this.#deps.wait(step.waitMs, this.#client);
    if (this.#client.cancelled) throw new ClientCancelled();
    if (this.#deps.stopping.aborted) throw failureError(createStopped(), way.candidate.connection, way.credential);
  }

  /**
   * Returns the first candidate in order among the healthiest. The breaker orders candidates and skips only keys that
   * their provider refuses, unless `asksRefused` is set; if all candidates are failing, a failing one is tried.
   */
  #choose(now = this.#deps.clock.monotonic()): Target | null {
    let last: Target | null = null;
    let open: Target | null = null;
    let refused: Target | null = null;
    let paced: Target | null = null;
    for (const candidate of this.#candidates) {
      for (const credential of candidate.connection.credentials) {
        if (credential.locked || this.#tried?.has(credential) === true) continue;
        const may: May = credential.health.mayCall(candidate.upstreamModel, now);
        if (may === "no" && !this.#persistence.asksRefused) continue;
        const way = { candidate, credential };
        if (may === "last") last ??= way;
        else if (may === "open") open ??= way;
        else if (may === "no") refused ??= way;
        else if (candidate.connection.pacer !== null && candidate.connection.pacer.getDelay(now) > 0) paced ??= way;
        else return way;
      }
    }
    return paced ?? last ?? open ?? refused;
  }

  #createUnavailable(): GatewayError {
    const now = this.#deps.clock.monotonic();
    const names = [...new Set(this.#candidates.map(({ connection }) => connection.name))].join(", ");
    const refused = this.#candidates.flatMap(({ connection, upstreamModel }) =>
      connection.credentials
        .filter(({ locked }) => !locked)
        .map(({ health }) => ({ name: connection.name, health: health.for(upstreamModel, now) })),
    );
    return unavailable(names, refused, now);
  }

  #report({ candidate, credential }: Target, result: CallResult): void {
    // The sandbox fails on request of a prompt, which says nothing about the next prompt.
    if (candidate.connection.from === "sandbox") return;
    const now = this.#deps.clock.monotonic();
    if (credential.health.report(candidate.upstreamModel, result, now)) this.#deps.healthChanged();
  }
}

/** Tells whether any candidate can be called normally or as a probe. @param now monotonic ms */
export function hasAvailableCandidate(candidates: readonly Candidate[], now: number): boolean {
  // A hot path of every routed call: `for…of` allocates an iterator result per step until V8 has optimized it.
  for (let index = 0; index < candidates.length; index += 1) {
    const candidate = candidates[index];
    if (candidate !== undefined && isWell(candidate, now)) return true;
  }
  return false;
}

function isWell({ connection: { credentials }, upstreamModel }: Candidate, now: number): boolean {
  for (let index = 0; index < credentials.length; index += 1) {
    const credential = credentials[index];
    if (credential === undefined || credential.locked) continue;
    const may = credential.health.mayCall(upstreamModel, now);
    if (may === "yes" || may === "probe") return true;
  }
  return false;
}

function getHealth(error: ProviderError, reason: string, rateScope: Scope): CallResult {
  switch (error.kind) {
    case "rate":
      return {
        kind: "rate",
        scope: rateScope,
        retryAfterMs: error.retryAfter === null ? null : error.retryAfter * 1_000,
        reason,
      };
    case "auth":
      return { kind: "refused", reason };
    case "no_money":
      return { kind: "out_of_credit", reason };
    case "overload":
      return { kind: "failed", scope: "model", reason };
    default:
      return { kind: "neutral" };
  }
}

/** Reads the JSON of an error response; null if it is not JSON or comes too late, because the status suffices. */
async function getErrorJson(exchange: Exchange): Promise<unknown> {
  const timer = setTimeout(() => exchange.abort(), ERROR_BODY_MS);
  try {
    return parseJson(await exchange.collect(MAX_ERROR_BYTES)) ?? null;
  } catch (error) {
    if (error instanceof UpstreamFailure) return null;
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
