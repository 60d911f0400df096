import type { ContextParts } from "../../contract/context-parts.ts";
import type { Receipt } from "../../contract/receipt.ts";
import type { RequestKind, Routed } from "../../contract/routed.ts";
import type { RunningRequest } from "../../contract/requests.ts";
import type { Billed } from "../../core/models/model.ts";
import type { Hold } from "../../core/money/hold.ts";
import { priceUnits, listUsages } from "../../core/money/price.ts";
import { priceWithUnseen } from "./unseen-bill.ts";
import type { Unseen } from "./unseen-bill.ts";
import { sharedOut } from "../../core/sessions/context-parts.ts";
import { selectSentFields } from "../../core/sessions/identity.ts";
import type { Identity } from "../../core/sessions/identity.ts";
import type { Priced } from "../../core/money/price.ts";
import type { Clock } from "../../lib/clock.ts";
import type { OpenBill, OpenCall, Store } from "../../store/store.ts";
import type { Admitted, RunningCall, RunningCalls } from "./admission.ts";
import type { CallEnd, CallStart } from "./call-start.ts";
import type { ConversationMemory } from "./conversation-memory.ts";
import type { OutgoingPrompt } from "./prompt-history.ts";
import { isLocalOrigin } from "../../upstream/targets.ts";
import type { Events } from "../events.ts";
import type { Candidate } from "../models/served-model.ts";

export interface CallRecordDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly events: Events;
  readonly running: RunningCalls;
  readonly memory: ConversationMemory;
}

/** Units that a candidate will probably bill for a call, as far as known before its response. */
interface Likely {
  likely(candidate: Candidate): Billed;
}

const DONE = Promise.resolve();
const NO_KINDS: readonly RequestKind[] = [];
const NO_FIELDS = {};
const FINISHED = { finished_for_library: true } as const;

/** The money and the receipt of one call. It is settled exactly once; later calls are no-ops. */
export class CallRecord implements RunningCall {
  readonly #deps: CallRecordDeps;
  readonly #start: CallStart;
  #model: string;
  #admission: Admitted | null = null;
  /** Among the running calls; -1 before it is let in. */
  #place = -1;
  #estimator: Likely | null = null;
  #candidate: Candidate | null = null;
  /** First candidate of the call; the receipt names it if no provider was called. */
  #firstCandidate: Candidate | null = null;
  #firstByteAt: number | null = null;
  /** How often a provider was asked, when it was the last time, and how long that waited for its connection. */
  #attempts = 0;
  /** Attempts at earlier models of the chain. */
  #attemptsBefore = 0;
  #sentAt = 0;
  #connectMs: number | null = null;
  #characters: (() => number) | null = null;
  #arrived: number | null = null;
  #settled: Promise<void> | null = null;
  #isDetached = false;
  /** Requests that providers may have executed but whose responses were never seen. */
  readonly #unseen: Unseen[] = [];
  /** Their cost in nano USD; 0 without a known price. */
  #unseenNano = 0;
  /** Billed output tokens; 0 until settled, and if none are counted. */
  outputTokens = 0;
  /** Whether the provider may bill unreported or unpriced units, so that the receipt is an estimate. */
  mayCostMore = false;
  #kinds: readonly RequestKind[] = NO_KINDS;
  #routed: Routed | null = null;
  #context: ContextParts | null = null;
  #prompt: OutgoingPrompt | null = null;

  constructor(deps: CallRecordDeps, start: CallStart) {
    this.#deps = deps;
    this.#start = start;
    this.#model = start.model;
  }

  /** Public id of the model; the client's name for it until that is resolved. */
  get model(): string {
    return this.#model;
  }

  /** Endpoint, as receipts and the library name it. */
  get endpoint(): string {
    return this.#start.endpoint;
  }

  setModel(model: string): void {
    this.#model = model;
  }

  /** Puts the call to another model than before. */
  switchModel(model: string): void {
    this.#model = model;
    this.#attemptsBefore = this.#attempts;
  }

  setRequestKinds(kinds: readonly RequestKind[]): void {
    this.#kinds = kinds;
  }

  /** @param context the parts of its prompt, in characters */
  setContextParts(context: ContextParts | null): void {
    this.#context = context;
  }

  /** @param prompt the session's request as it goes to the provider; replaces that of an earlier attempt */
  setPrompt(prompt: OutgoingPrompt): void {
    this.#prompt = prompt;
  }

  /** @param routed route to its model; models skipped later are added to it */
  setRoute(routed: Routed): void {
    this.#routed = routed;
  }

  /** Nano USD that the call still holds; 0 if no limit applies. */
  get availableHold(): number {
    return Math.max(0, (this.#admission?.hold.amount ?? 0) - this.#unseenNano);
  }

  /** Nano USD that requests with unseen responses may have cost. */
  get unobservedNano(): number {
    return this.#unseenNano;
  }

  /** Whether the client requested a stream. */
  get stream(): boolean {
    return this.#start.stream;
  }

  /** Provider that was called last, as in `x-postern-provider`; empty if none was called. */
  get provider(): string {
    return this.#candidate === null || this.#attempts === this.#attemptsBefore ? "" : providerName(this.#candidate);
  }

  /** Whether a byte of a response has come. */
  get hasFirstByte(): boolean {
    return this.#firstByteAt !== null;
  }

  /** Milliseconds from the request to the responding provider to the first byte of its response; null before. */
  get firstMs(): number | null {
    return this.#firstByteAt === null ? null : this.#firstByteAt - this.#sentAt;
  }

  /** Lists the call among those that run. */
  enter(admission: Admitted): void {
    this.#admission = admission;
    this.#place = this.#deps.running.enter(this);
  }

  /** @param estimator called if Postern is killed before the call's response */
  setEstimator(estimator: Likely): void {
    this.#estimator = estimator;
  }

  /** Marks that a provider is about to be called: from here on a crash leaves a trace ("unknown outcome"). */
  markStarted(candidate: Candidate): void {
    const isAnother = this.#candidate !== candidate;
    this.#candidate = candidate;
    if (!isAnother || this.#start.recorded) return;
    const { connection } = candidate;
    const call: OpenCall = {
      id: this.#start.requestId,
      at: this.#deps.clock.now(),
      key: this.#start.keyId,
      endpoint: this.#start.endpoint,
      model: this.#model,
      provider: providerName(candidate),
      connection: connection.id,
      client: this.client,
      stream: this.#start.stream,
      sandbox: connection.from === "sandbox",
      hold_nano: this.#admission?.hold.amount ?? 0,
      ...this.#describe(),
    };
    const bill = (): OpenBill => {
      const { terms, nano, price } = this.#bill(this.#estimate(this.#estimator?.likely(candidate) ?? {}), candidate);
      return { terms, nano, price };
    };
    this.#deps.store.usage.begin(call, bill, isLocalOrigin(connection.origin));
  }

  /**
   * A request is handed to its connection.
   * @param attempt 1 for the first at its model. What is sent in parts has several of them: it counts as its first part
   */
  countAttempt(attempt: number): void {
    if (this.#attemptsBefore + attempt <= this.#attempts) return;
    this.#attempts = this.#attemptsBefore + attempt;
    this.#sentAt = this.#deps.clock.monotonic();
    this.#connectMs = null;
  }

  /** Notes that the response has started. @param ms time that it waited for a new connection */
  setConnectMs(ms: number): void {
    this.#connectMs ??= ms;
  }

  /** Sets the first candidate. */
  setFirstCandidate(candidate: Candidate | null): void {
    this.#firstCandidate ??= candidate;
  }

  /** The candidate of the receipt: whose answer it is billed for. */
  setBilledCandidate(candidate: Candidate): void {
    this.#candidate = candidate;
  }

  /** Applies the same estimate to every call whose response was never seen, however it ended. */
  #estimate(likely: Billed): Billed {
    return this.#deps.memory.shares.apply(this.#start.identity, this.#model, likely);
  }

  /**
   * Adds a request that a provider may have executed and bills, but whose response was never seen: the receipt includes
   * its probable cost, however the call ends.
   */
  addUnobserved(candidate: Candidate, likely: Billed): void {
    const units = this.#estimate(likely);
    this.#unseen.push({ candidate, units });
    const nano = priceUnits(units, candidate.price).nano ?? 0;
    // The possible cost is held in addition to that of the next attempt, as far as money is available.
    this.#admission?.hold.grow(nano);
    this.#unseenNano += nano;
  }

  get hasUnobserved(): boolean {
    return this.#unseen.length > 0;
  }

  #bill(units: Billed, candidate: Candidate | null): Priced {
    return priceWithUnseen(units, candidate?.price ?? null, this.#unseen, this.#admission?.hold.amount);
  }

  /** @param characters returns the number of received characters of a stream, on demand */
  markFirstByte(characters: (() => number) | null = null): void {
    this.#firstByteAt ??= this.#deps.clock.monotonic();
    this.#characters = characters;
  }

  running(): RunningRequest {
    const { clock } = this.#deps;
    const { requestId: id, arrivedAt, keyId: key, endpoint, stream } = this.#start;
    const candidate = this.#candidate;
    // The time is computed once, so that a row does not change between looks for no reason.
    this.#arrived ??= Math.round(clock.now() - (clock.monotonic() - arrivedAt));
    return {
      id,
      at: this.#arrived,
      key,
      endpoint,
      model: this.#model,
      provider: candidate === null ? "" : providerName(candidate),
      connection: candidate?.connection.id ?? "",
      client: this.client,
      stream,
      sandbox: candidate?.connection.from === "sandbox",
      state: this.#isDetached ? "finishing" : this.#firstByteAt === null ? "waiting" : "answering",
      characters: this.#characters?.() ?? null,
      ...selectSentFields(this.#start.identity),
    };
  }

  /**
   * Writes the call's cost, releases its hold and ends it. Resolves when the receipt is written, so that the last byte
   * of a response is never sent before its charge would survive a kill.
   */
  settle(end: CallEnd): Promise<void> {
    this.#settled ??= this.#book(end);
    return this.#settled;
  }

  /** Continues without the client, which has disconnected; the key's concurrency slot is freed. */
  detach(): void {
    this.#isDetached = true;
    this.#admission?.freePlace();
  }

  /** Hands the hold over to a task, which is settled when it ends; the call itself charges nothing. */
  handOver(): Hold | null {
    const hold = this.#admission?.hold ?? null;
    this.#settled ??= DONE;
    this.#leave();
    return hold;
  }

  #book(end: CallEnd): Promise<void> {
    this.outputTokens = listUsages(end.units).reduce((sum, { units }) => sum + (units.output ?? 0), 0);
    if (!end.estimated) this.#deps.memory.shares.keep(this.#start.identity, this.#model, end.units);
    const receipt = this.#receipt(end);
    let written = DONE;
    const book = (): void => {
      written = this.#deps.store.usage.settle(receipt);
    };
    if (this.#admission === null) book();
    else this.#admission.hold.settle(book);
    this.#leave();
    this.#start.settled(receipt);
    if (this.#deps.events.hears("request.settled")) this.#deps.events.emit({ type: "request.settled", receipt });
    return written;
  }

  #leave(): void {
    this.#admission?.leave();
    this.#deps.running.leave(this.#place, this);
  }

  #receipt(end: CallEnd): Receipt {
    const { clock } = this.#deps;
    const { terms, nano, estimated, price } = this.#bill(end.units, this.#candidate);
    const [candidate, wasSent] = [this.#candidate ?? this.#firstCandidate, this.#attempts > 0];
    const now = clock.monotonic();
    const isFinished = this.#isDetached && end.outcome === "completed";
    const code = isFinished ? "client_closed" : end.code;
    const context = this.#context === null ? null : sharedOut(terms, this.#context);
    // Estimates do not say what came from a cache.
    const prefix =
      this.#prompt === null || end.estimated
        ? undefined
        : this.#deps.memory.prompts.compare(this.#start.identity, this.#prompt, {
            id: this.#start.requestId,
            at: Math.round(clock.now() - (now - this.#sentAt)),
            terms,
            nano,
            kinds: [...this.#kinds],
          });
    return {
      id: this.#start.requestId,
      at: clock.now(),
      key: this.#start.keyId,
      endpoint: this.#start.endpoint,
      model: this.#model,
      provider: candidate === null ? "" : providerName(candidate),
      connection: candidate?.connection.id ?? "",
      client: this.client,
      status: isFinished ? 499 : end.status,
      code,
      ...(end.message === undefined ? NO_FIELDS : { message: end.message }),
      // Whatever was under way when the client left, it is the client that ended the call.
      outcome: code === "client_closed" ? "cancelled" : end.outcome,
      stream: this.#start.stream,
      ms: computeTenths(now - this.#start.arrivedAt),
      first_ms: this.#firstByteAt === null ? null : computeTenths(this.#firstByteAt - this.#start.arrivedAt),
      wait_ms: wasSent ? computeTenths(this.#sentAt - this.#start.arrivedAt) : null,
      connect_ms: wasSent && this.#connectMs !== null ? computeTenths(this.#connectMs) : null,
      attempts: wasSent ? this.#attempts : null,
      // If a provider may bill an unseen attempt as well, the call counts against the month.
      sandbox: fromSandbox(candidate) && this.#unseen.every((unseen) => fromSandbox(unseen.candidate)),
      estimated: end.estimated || estimated || (this.mayCostMore && terms.length > 0),
      terms,
      nano,
      price,
      ...this.#describe(),
      ...(this.#start.masks?.count ? { masked: this.#start.masks.count } : NO_FIELDS),
      ...(context === null ? NO_FIELDS : { context }),
      ...(prefix === undefined ? NO_FIELDS : { prefix }),
      ...(isFinished ? FINISHED : NO_FIELDS),
    };
  }

  /** Facts about the request that its receipt has, also after a kill. */
  #describe(): Pick<Receipt, "kinds" | "route" | "session" | "project" | "agent"> {
    return {
      ...(this.#kinds.length === 0 ? NO_FIELDS : { kinds: [...this.#kinds] }),
      ...(this.#routed === null ? NO_FIELDS : { route: this.#routed }),
      ...selectSentFields(this.#start.identity),
    };
  }

  /** Session, project and agent of the call. */
  get identity(): Identity {
    return this.#start.identity;
  }

  get project(): string | undefined {
    return this.identity.project ?? undefined;
  }

  /** Name that the client gives itself. */
  get client(): string {
    return this.#start.app;
  }
}

const fromSandbox = (candidate: Candidate | null): boolean => candidate?.connection.from === "sandbox";

/** Returns the provider's name as in `x-postern-provider`. */
export function providerName(candidate: Candidate): string {
  return candidate.connection.from === "sandbox" ? "sandbox" : candidate.connection.provider.id;
}

const computeTenths = (ms: number): number => Math.round(ms * 10) / 10;
