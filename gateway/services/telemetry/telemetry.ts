import type { GatewayEvent } from "../../contract/events.ts";
import type { Receipt } from "../../contract/receipt.ts";
import type { TelemetryTest, TelemetryView } from "../../contract/telemetry.ts";
import { loggedError } from "../../core/logged-error.ts";
import { callFacts } from "../../core/telemetry/call-facts.ts";
import type { CallNames } from "../../core/telemetry/call-facts.ts";
import { getExposition } from "../../core/telemetry/exposition.ts";
import type { Reading } from "../../core/telemetry/instruments.ts";
import { Measurements } from "../../core/telemetry/measurements.ts";
import { createMetricsRequest } from "../../core/telemetry/otlp-metrics.ts";
import { exportVerdict } from "../../core/telemetry/otlp-response.ts";
import { getRequest, createTracesRequest } from "../../core/telemetry/otlp-spans.ts";
import type { Source } from "../../core/telemetry/otlp-values.ts";
import { readTraceParent } from "../../core/telemetry/trace-parent.ts";
import type { TraceParent } from "../../core/telemetry/trace-parent.ts";
import { BoundedMap } from "../../lib/bounded-map.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Later } from "../../lib/later.ts";
import type { Log } from "../../lib/log.ts";
import { UpstreamFailure } from "../../upstream/failure.ts";
import type { Events } from "../events.ts";
import type { MetricsKey } from "./metrics-key.ts";
import { OtlpExporter } from "./otlp-exporter.ts";
import type { OtlpReceiver } from "./otlp-receiver.ts";

export interface TelemetryDeps {
  readonly receiver: OtlpReceiver;
  readonly metricsKey: MetricsKey;
  readonly events: Events;
  readonly clock: Clock;
  readonly later: Later;
  /** In [0, 1). */
  readonly random: () => number;
  readonly log: Log;
  readonly source: Source;
  readonly getNames: (receipt: Receipt) => CallNames;
  /** Returns the current readings. */
  readonly readings: () => readonly Reading[];
}

/** Max requests with a client-supplied span; more than run concurrently. */
const MOST_PARENTS = 10_000;
/** An empty OTLP message. */
const EMPTY = "{}";

/**
 * Telemetry that the user turned on: spans and metrics sent to the configured receiver, and metrics for clients with
 * the key of `/metrics`. If both are off, nothing is observed, stored or sent.
 */
export class Telemetry {
  readonly #deps: TelemetryDeps;
  #unsubscribe: (() => void) | null = null;
  #measurements: Measurements | null = null;
  #exporter: OtlpExporter | null = null;
  /** Settings that the exporter was last started with. */
  #setup = "";
  /** Trace parents by request. */
  readonly #parents = new BoundedMap<string, TraceParent>(MOST_PARENTS);
  #scrapedAt: number | null = null;
  #ended = false;
  /** Whether client spans are needed; read on the request path. */
  tracing = false;

  constructor(deps: TelemetryDeps) {
    this.#deps = deps;
  }

  /** Applies the settings from now on. */
  start(): void {
    this.#apply();
    this.#deps.events.on("settings.changed", () => this.#apply());
  }

  /** The client's span that a request belongs to. @param header `traceparent`, as it came */
  noteParent(request: string, header: string): void {
    const parent = readTraceParent(header);
    if (parent !== null) this.#parents.set(request, parent);
  }

  /** Whether `/metrics` is there. */
  get scrapable(): boolean {
    return this.#deps.metricsKey.set;
  }

  /** Whether this is the key of `/metrics`. */
  opens(given: string): boolean {
    return this.#deps.metricsKey.opens(given);
  }

  /** The body of `GET /metrics`. */
  scrape(): string {
    this.#scrapedAt = this.#deps.clock.now();
    return getExposition(this.#measurements ?? new Measurements(this.#scrapedAt), this.#readings());
  }

  view(): TelemetryView {
    const { receiver, metricsKey } = this.#deps;
    const state = this.#exporter?.state;
    return {
      endpoint: receiver.endpoint,
      headers: [...receiver.headerNames],
      queued: state?.queued ?? 0,
      exported: state?.exported ?? 0,
      dropped: state?.dropped ?? 0,
      exported_at: state?.exportedAt ?? null,
      problem: receiver.problem ?? state?.problem ?? null,
      metrics_key: metricsKey.view(),
      scraped_at: this.#scrapedAt,
    };
  }

  /** @param headers as lines; null removes them. @throws GatewayError as `OtlpReceiver.setHeaders` */
  async setHeaders(headers: string | null): Promise<TelemetryView> {
    await this.#deps.receiver.setHeaders(headers);
    return this.view();
  }

  async makeMetricsKey(): Promise<{ readonly telemetry: TelemetryView; readonly secret: string }> {
    const secret = await this.#deps.metricsKey.make();
    return { telemetry: this.view(), secret };
  }

  async removeMetricsKey(): Promise<TelemetryView> {
    await this.#deps.metricsKey.remove();
    return this.view();
  }

  /** Sends a message without any telemetry in it, which a receiver accepts (OTLP: "should respond with success"). */
  async test(ended: AbortSignal): Promise<TelemetryTest> {
    const { receiver, clock } = this.#deps;
    const startedAt = clock.monotonic();
    const createResult = (ok: boolean, message: string): TelemetryTest => ({
      ok,
      ms: Math.round(clock.monotonic() - startedAt),
      message: receiver.clean(message),
    });
    if (receiver.endpoint === null) return createResult(false, "No receiver is set: name its address first.");
    for (const signal of ["/v1/traces", "/v1/metrics"] as const) {
      if (!receiver.wants(signal)) continue;
      try {
        const { status, retryAfter, body } = await receiver.post(signal, EMPTY, ended);
        const { kind, problem } = exportVerdict(signal, status, retryAfter, body);
        if (kind !== "taken") return createResult(false, problem ?? "");
      } catch (error) {
        if (!(error instanceof UpstreamFailure)) throw error;
        return createResult(false, `The receiver did not respond: ${error.message}.`);
      }
    }
    return createResult(true, "");
  }

  /** Sends what waits, and the last metrics. Resolves when that is done, or when `end` gives it up. */
  async flush(): Promise<void> {
    await this.#exporter?.flush();
  }

  /** Stops listening and sending. */
  end(): void {
    this.#ended = true;
    this.#unsubscribe?.();
    this.#unsubscribe = null;
    this.tracing = false;
    this.#exporter?.end("Postern was stopped");
  }

  #apply(): void {
    if (this.#ended) return;
    const { receiver, metricsKey, clock, events } = this.#deps;
    const sends = receiver.endpoint !== null;
    this.tracing = receiver.wants("/v1/traces");
    if (!this.tracing) this.#parents.clear();
    if (sends || metricsKey.set) {
      this.#measurements ??= new Measurements(clock.now());
      this.#unsubscribe ??= events.subscribe((event) => this.#hear(event));
    } else {
      this.#measurements = null;
      this.#unsubscribe?.();
      this.#unsubscribe = null;
    }
    if (!sends) {
      this.#exporter?.end("There is no receiver any more");
      this.#exporter = null;
      return;
    }
    const { setup } = receiver;
    if (this.#exporter === null) {
      this.#exporter = this.#makeExporter();
      this.#exporter.startMetrics();
    } else if (setup !== this.#setup) this.#exporter.retry();
    this.#setup = setup;
  }

  #makeExporter(): OtlpExporter {
    const { receiver, clock, later, random, log, source } = this.#deps;
    return new OtlpExporter({
      clock,
      later,
      random,
      log,
      wants: (signal) => receiver.wants(signal),
      post: (signal, body, ended) => receiver.post(signal, body, ended),
      encodeSpans: (spans) => createTracesRequest(spans, source),
      encodeMetrics: () =>
        this.#measurements === null || this.#measurements.empty
          ? null
          : createMetricsRequest(this.#measurements, this.#readings(), { ...source, now: clock.now() }),
      clean: (sentence) => receiver.clean(sentence),
    });
  }

  /** Errors here must not reach the settling of a call. */
  #hear(event: GatewayEvent): void {
    if (event.type !== "request.settled") return;
    try {
      const { receipt } = event;
      const facts = callFacts(receipt, this.#deps.getNames(receipt));
      this.#measurements?.record(facts);
      if (this.tracing) this.#exporter?.add({ facts, parent: this.#parents.get(getRequest(receipt.id)) ?? null });
    } catch (error) {
      this.#deps.log.error("bug", { ...loggedError(error) });
    }
  }

  #readings(): readonly Reading[] {
    const state = this.#exporter?.state;
    if (state === undefined) return this.#deps.readings();
    return [
      ...this.#deps.readings(),
      {
        kind: "counter",
        name: "postern.telemetry.exported",
        unit: "{span}",
        about: "Spans that the receiver of OTLP has.",
        value: state.exported,
      },
      {
        kind: "counter",
        name: "postern.telemetry.dropped",
        unit: "{span}",
        about: "Spans that no receiver got: it refused them, too many waited, or Postern stopped.",
        value: state.dropped,
      },
    ];
  }
}
