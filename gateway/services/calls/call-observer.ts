import type { ErrorFamily } from "../../contract/errors.ts";
import type { UpstreamRequest } from "../../upstream/provider-client.ts";
import type { ResponseHeaders } from "../../upstream/response-headers.ts";
import type { Recipient } from "./client.ts";
import type { CallInput, Endpoint } from "./paid-call.ts";
import type { WholeResponse } from "./whole-response.ts";

/** Error formats of the endpoints under /v1. */
export type EnvelopeFamily = Exclude<ErrorFamily, "jsonrpc">;

/** The request of a call, for its observers. */
export interface ObservedRequest {
  /** Path, if the endpoint has several. */
  readonly path?: string;
  readonly endpoint: Endpoint;
  /** Body as the client sent it; a form is converted to JSON. */
  readonly body: Buffer;
  readonly form?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  /** How its errors are written. */
  readonly family: EnvelopeFamily;
}

/** Observes one request to a provider. Its methods neither throw nor wait. */
export interface AttemptObserver {
  /** The response starts. */
  openResponse(status: number, headers: ResponseHeaders): void;
  /** A piece of it has arrived. */
  wrote(piece: Buffer): void;
  /** There is no response, or no end of it. */
  fail(reason: string): void;
}

/** Observes one call while it runs. Its methods neither throw nor wait. */
export interface CallObserver {
  /** A request is about to be sent to a provider. Absent: those are not observed. */
  beginAttempt?(request: UpstreamRequest): AttemptObserver;
  /** The response starts. */
  openResponse(status: number, headers: Readonly<Record<string, string>>): void;
  /** A piece of it is sent to the client. */
  wrote(piece: Buffer | string): void;
  /** The call has ended. @param error the error that it ended with; null for a response. */
  endCall(error: unknown): void;
}

/** Observers of calls. */
export interface CallObservers {
  /** Checked first, so that unobserved calls cost nothing. */
  readonly on: boolean;
  begin(input: CallInput, request: ObservedRequest): CallObserver;
}

/**
 * Reports a complete response after its receipt; errors in it do not fail the call. @param written null: nothing to
 * report
 */
export function tellWhole(observer: CallObserver, written: () => WholeResponse | null): void {
  try {
    const response = written();
    if (response === null) return;
    observer.openResponse(response.status, response.headers);
    observer.wrote(response.body);
  } catch {
    // Larger than a text can be: the recording is without its body.
  }
}

/** A recipient that reports each chunk to an observer as it passes. */
export class ObservedRecipient implements Recipient {
  readonly #recipient: Recipient;
  readonly #observer: CallObserver;

  constructor(recipient: Recipient, observer: CallObserver) {
    this.#recipient = recipient;
    this.#observer = observer;
  }

  get cancelled(): boolean {
    return this.#recipient.cancelled;
  }

  onCancelled(listener: (() => void) | null): void {
    this.#recipient.onCancelled(listener);
  }

  keep(release: () => void): void {
    this.#recipient.keep(release);
  }

  open(headers: Readonly<Record<string, string>>): void {
    this.#observer.openResponse(200, headers);
    this.#recipient.open(headers);
  }

  write(bytes: Buffer | string): boolean {
    if (!this.#recipient.cancelled) this.#observer.wrote(bytes);
    return this.#recipient.write(bytes);
  }

  onDrain(listener: () => void): void {
    this.#recipient.onDrain(listener);
  }

  end(): Promise<void> {
    return this.#recipient.end();
  }

  destroy(): void {
    this.#recipient.destroy();
  }
}
