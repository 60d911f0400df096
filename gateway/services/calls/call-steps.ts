import type { GatewayError } from "../../core/errors.ts";
import type { Billed, Capability, Units } from "../../core/models/model.ts";
import type { ChosenChain } from "../../core/routes/choose-chain.ts";
import type { RequestFacts } from "../../core/routes/request-facts.ts";
import type { Routes } from "../routes/routes.ts";
import type { ChainDeps } from "../routes/fallback-chain.ts";
import type { KeyRing } from "../keys/key-ring.ts";
import type { Candidate, ServedModel } from "../models/served-model.ts";
import type { Opened } from "./attempts.ts";
import type { CallObservers, ObservedRequest } from "./call-observer.ts";
import type { Client, Recipient } from "./client.ts";
import type { DetachedCalls } from "./detached-calls.ts";
import type { CallInput, Endpoint, PaidCall, PaidCallDeps, Pricing, Sending } from "./paid-call.ts";
import type { StreamReader } from "./stream-reader.ts";
import type { StreamHead, StreamWatch } from "./stream-relay.ts";
import type { ReadResponse, WholeResponse } from "./whole-response.ts";

export interface PipelineDeps extends PaidCallDeps, ChainDeps {
  readonly routes: Routes;
  readonly keyRing: KeyRing;
  readonly watch: StreamWatch;
  readonly observers: CallObservers;
  readonly detachedCalls: DetachedCalls;
}

/** The steps of a request. @template R the call's result. @template T the data read from a whole response. */
export interface CallSteps<R, T> {
  readonly input: CallInput;
  readonly endpoint: Endpoint;
  readonly capability: Capability;
  /** The model as the client wrote it. */
  readonly model: unknown;
  /** Whether the client requested a stream; for the receipt. */
  readonly stream: boolean;
  /** Whether its results go to the library, so that it is finished when its client disconnects; absent: no. */
  readonly makesMedia?: boolean;
  /** The body within its bounds. @returns the model's name. @throws GatewayError */
  check(): string;
  /** Whether pictures and files that a model does not take are replaced by text; absent: no. */
  readonly mediaInWords?: boolean;
  /** Tells which models search the web if the request requires it; absent: search is not required. */
  readonly searches?: ((servedModel: ServedModel) => boolean) | undefined;
  /** The chain of its route, where that is chosen already; absent: it is chosen once the request is checked. */
  readonly chosen?: ChosenChain | undefined;
  /** Facts of the checked request for routes. Absent: none, and the request must not be executed twice. */
  facts?(): RequestFacts;
  /** Tokens of its texts, used by rules only; they need not fit into one context. Absent: the count of `facts`. */
  inputTokens?(): number;
  /**
   * Applies the model's rules, translates, finds capable candidates and the possible cost; first ensures what a result
   * needs, such as disk space. Long work yields to the event loop.
   * @throws GatewayError
   */
  plan(call: PaidCall, servedModel: ServedModel): Promise<ExchangePlan<R, T> | OwnPlan<R>>;
  /** Returns the error that the client is shown for an error of a stage. */
  shown?(thrown: unknown): unknown;
  /** Writes the receipt of a failed call, if not done by `PaidCall.fail`. */
  fail?(call: PaidCall, error: unknown): Promise<void>;
  /** Called only if calls are observed. */
  describeRequest(): ObservedRequest;
  /** The bytes of the call's result; null for a stream. Called only if calls are observed. */
  written(result: R): WholeResponse | null;
}

/** A response that was streamed. */
export interface StreamedResponse {
  /** The error that the client received in the stream; null if the stream was whole. */
  readonly error: GatewayError | null;
}

/** Billed units of a response. */
export interface Bill {
  readonly units: Billed;
  readonly estimated: boolean;
}

/** Units billed for a stream, whether it ended well or not. */
export interface StreamBill {
  readonly units: Units;
  readonly estimated: boolean;
  /** All that is billed; absent: the units. */
  readonly billed?: Billed;
}

/** Settings of an event stream besides its events. */
export interface EventsPlan<R> {
  /** Sent in silence. */
  readonly heartbeat: string;
  /** An error to a client whose status was sent already. */
  inBand(error: GatewayError, requestId: string): string;
  /** Returns the result of a stream. @param error the error that the client received in it; null if it was complete. */
  createStreamed(error: GatewayError | null): R;
}

/** A planned call that is one request to one provider, answered whole or with a stream of events. */
export interface ExchangePlan<R, T> extends Pricing, Sending, EventsPlan<R> {
  readonly candidates: readonly Candidate[];
  readonly stream: boolean;
  /** Description for errors: "a chat completion". */
  readonly expected: string;
  /** Bytes of the largest whole response that makes sense. */
  readonly limit: number;
  /** Max bytes of memory of a stream with large events. */
  readonly streamLimit: number;
  /** Reads the data of a whole response; null if it is not the expected kind. */
  read(document: unknown, opened: Opened): T | null;
  /** Translates and meters a whole response. */
  finish(read: ReadResponse<T>, client: Client): Promise<Bill & { readonly response: R }>;
  /** Creates the reader (and translator) for the stream of the provider that started to respond with one. */
  reader(opened: Opened): StreamReader;
  /** Characters until the next check of the stream's cost. */
  cover(opened: Opened, reader: StreamReader): (characters: number) => number | GatewayError;
  /** Creates the meter of a stream. */
  meter(opened: Opened, reader: StreamReader): StreamBill;
  /**
   * Formats a complete response as stream events, for a provider that does not support `stream`; absent: it is refused.
   */
  asEvents?(value: T): string;
  /** Called when the receipt is written, to save results to the library. */
  settleOpened?(opened: Opened): void;
}

/** A planned call that implements sending, metering, delivery and settlement itself. */
export interface OwnPlan<R> extends Pricing {
  /** Keep-alive and errors of an event stream before its first event; null if the response is not an event stream. */
  readonly events?: EventsPlan<R> | null;
  /** @param head of a stream of events, sent with its first heartbeat where that comes before an event */
  respond(to: Recipient, head: StreamHead | null): Promise<R>;
}
