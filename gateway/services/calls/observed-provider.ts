import type { BodySink } from "../../upstream/decode.ts";
import type { Attempt, ProviderClient, UpstreamRequest } from "../../upstream/provider-client.ts";
import type { ResponseHeaders } from "../../upstream/response-headers.ts";
import type { Leave } from "../../upstream/response-room.ts";
import type { Exchange } from "../../upstream/transfer.ts";
import { getMessage } from "../../lib/message-of.ts";
import type { AttemptDeps } from "./attempts.ts";
import type { AttemptObserver, CallObserver } from "./call-observer.ts";

/** Returns what a call needs, with its requests to providers reported to an observer. */
export function observeProvider<D extends Pick<AttemptDeps, "providerClient">>(deps: D, observer: CallObserver): D {
  if (observer.beginAttempt === undefined) return deps;
  return { ...deps, providerClient: new ObservedProvider(deps.providerClient, observer) };
}

class ObservedProvider implements Pick<ProviderClient, "open"> {
  readonly #client: Pick<ProviderClient, "open">;
  readonly #observer: CallObserver;

  constructor(client: Pick<ProviderClient, "open">, observer: CallObserver) {
    this.#client = client;
    this.#observer = observer;
  }

  open(request: UpstreamRequest): Attempt {
    const observer = this.#observer.beginAttempt?.(request);
    const attempt = this.#client.open(request);
    if (observer === undefined) return attempt;
    const observe = (exchange: Exchange): Exchange => {
      observer.openResponse(exchange.status, exchange.headers);
      return new ObservedExchange(exchange, observer);
    };
    const response = attempt.response.then(observe, (error: unknown) => {
      observer.fail(getMessage(error));
      throw error;
    });
    return { response, isSent: () => attempt.isSent(), abort: () => attempt.abort() };
  }
}

/** A response that is reported as it is read. */
class ObservedExchange implements Exchange {
  readonly #exchange: Exchange;
  readonly #observer: AttemptObserver;

  constructor(exchange: Exchange, observer: AttemptObserver) {
    this.#exchange = exchange;
    this.#observer = observer;
  }

  get status(): number {
    return this.#exchange.status;
  }

  get headers(): ResponseHeaders {
    return this.#exchange.headers;
  }

  get connectMs(): number {
    return this.#exchange.connectMs;
  }

  async collect(limit: number, keep?: (leave: Leave) => void): Promise<Buffer> {
    try {
      const body = await this.#exchange.collect(limit, keep);
      this.#observer.wrote(body);
      return body;
    } catch (error) {
      this.#observer.fail(getMessage(error));
      throw error;
    }
  }

  consume(sink: BodySink): void {
    const observer = this.#observer;
    this.#exchange.consume({
      onData(chunk) {
        observer.wrote(chunk);
        sink.onData(chunk);
      },
      onEnd: () => sink.onEnd(),
      onError(failure) {
        observer.fail(failure.message);
        sink.onError(failure);
      },
    });
  }

  reserve(bytes: number, begin: () => void): Leave {
    return this.#exchange.reserve(bytes, begin);
  }

  pause(): void {
    this.#exchange.pause();
  }

  resume(): void {
    this.#exchange.resume();
  }

  abort(): void {
    this.#exchange.abort();
  }
}
