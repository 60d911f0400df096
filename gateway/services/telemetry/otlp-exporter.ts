import { exportVerdict } from "../../core/telemetry/otlp-response.ts";
import type { ExportVerdict, SignalPath } from "../../core/telemetry/otlp-response.ts";
import type { PendingSpan } from "../../core/telemetry/otlp-spans.ts";
import { loggedError } from "../../core/logged-error.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Later } from "../../lib/later.ts";
import type { Log } from "../../lib/log.ts";
import { UpstreamFailure } from "../../upstream/failure.ts";
import type { ServiceReply } from "../../upstream/service-client.ts";

export interface OtlpExporterDeps {
  readonly clock: Clock;
  readonly later: Later;
  /** In [0, 1). */
  readonly random: () => number;
  readonly log: Log;
  /** Which are wanted now, by settings. */
  readonly wants: (signal: SignalPath) => boolean;
  /** @throws UpstreamFailure if there is no response */
  readonly post: (signal: SignalPath, body: string, signalled: AbortSignal) => Promise<ServiceReply>;
  readonly encodeSpans: (spans: readonly PendingSpan[]) => unknown;
  /** Null while nothing was measured. */
  readonly encodeMetrics: () => unknown;
  /** Takes secrets out of a sentence. */
  readonly clean: (sentence: string) => string;
}

/** Spans that wait; the oldest are dropped for newer ones. */
export const MOST_QUEUED = 10_000;
/** Max spans per message, some hundreds of kilobytes. */
export const BATCH = 512;
/** Max milliseconds from a call to the export of its span. */
export const SPANS_AFTER_MS = 5_000;
/** Milliseconds between metric exports, as in OpenTelemetry's own exporters. */
export const METRICS_EVERY_MS = 60_000;
const FIRST_BACKOFF_MS = 1_000;
const LONGEST_BACKOFF_MS = 60_000;
/** Max milliseconds that a receiver can ask to wait. */
const LONGEST_WAIT_MS = 10 * 60_000;

/** Export counts since the receiver was set. */
export interface ExportState {
  readonly queued: number;
  readonly exported: number;
  readonly dropped: number;
  /** Unix milliseconds. */
  readonly exportedAt: number | null;
  /** The last failure, until a request succeeds. */
  readonly problem: string | null;
}

/**
 * Sends spans in batches and metrics at intervals. A span is retried until the receiver accepts or permanently refuses
 * it, or the queue overflows. The queue is in memory: a shutdown sends what it can; the rest is dropped and counted.
 * Metrics are cumulative, so one lost message loses nothing.
 */
export class OtlpExporter {
  readonly #deps: OtlpExporterDeps;
  #queue: PendingSpan[] = [];
  /** Taken from the queue to be sent; kept until the outcome is known. */
  #batch: readonly PendingSpan[] = [];
  /** Smaller after the receiver found a message too large. */
  #batchSize = BATCH;
  #exported = 0;
  #dropped = 0;
  #exportedAt: number | null = null;
  readonly #problems = new Map<SignalPath, string>();
  /** The receiver did not respond at all; any accepted signal clears this. */
  #unheard: string | null = null;
  #overflows = false;
  /** Consecutive failures to reach the receiver. */
  #failures = 0;
  #spanTimer: (() => void) | null = null;
  #metricTimer: (() => void) | null = null;
  #sending: Promise<void> | null = null;
  #metricsSending: Promise<void> | null = null;
  readonly #ended = new AbortController();

  constructor(deps: OtlpExporterDeps) {
    this.#deps = deps;
  }

  get state(): ExportState {
    return {
      queued: this.#queue.length + this.#batch.length,
      exported: this.#exported,
      dropped: this.#dropped,
      exportedAt: this.#exportedAt,
      problem: this.#unheard ?? this.#problems.get("/v1/traces") ?? this.#problems.get("/v1/metrics") ?? null,
    };
  }

  /** Neither throws nor waits. */
  add(span: PendingSpan): void {
    if (this.#queue.length >= MOST_QUEUED) this.#overflow();
    this.#queue.push(span);
    this.#arm();
  }

  /** Metrics are sent from now on. */
  startMetrics(inMs = METRICS_EVERY_MS): void {
    if (this.#metricTimer !== null || this.#ended.signal.aborted) return;
    this.#metricTimer = this.#deps.later(inMs, () => {
      this.#metricTimer = null;
      this.#metricsSending = this.#sendAndGoOn();
    });
  }

  async #sendAndGoOn(): Promise<void> {
    let waitMs: number | null = null;
    try {
      waitMs = await this.#sendMetrics();
    } catch (error) {
      this.#mistake(error);
    }
    this.#metricsSending = null;
    this.startMetrics(Math.max(METRICS_EVERY_MS, waitMs ?? 0));
  }

  /** Called after a change of target or settings: pending data is sent immediately. */
  retry(): void {
    this.#failures = 0;
    this.#batchSize = BATCH;
    this.#problems.clear();
    this.#unheard = null;
    if (this.state.queued > 0) this.#wake();
  }

  /** Sends what waits and the last metrics, each once. What cannot be sent is dropped. */
  async flush(): Promise<void> {
    this.#stopTimers();
    await Promise.all([this.#flushSpans(), this.#flushMetrics()]);
  }

  /** Stops sending. @param why reason as a sentence. @returns the number of dropped spans */
  end(why: string): number {
    this.#stopTimers();
    this.#ended.abort();
    const left = this.state.queued;
    if (left > 0) this.#drop(left, why);
    this.#queue = [];
    this.#batch = [];
    return left;
  }

  async #flushSpans(): Promise<void> {
    await this.#sending;
    this.#stopTimers();
    while (this.state.queued > 0 && !this.#ended.signal.aborted) {
      if ((await this.#sendBatch()) !== null) return;
    }
  }

  async #flushMetrics(): Promise<void> {
    await this.#metricsSending;
    await this.#sendMetrics();
  }

  #stopTimers(): void {
    this.#spanTimer?.();
    this.#metricTimer?.();
    this.#spanTimer = null;
    this.#metricTimer = null;
  }

  /** Schedules the queued items, unless an export is running or the receiver is in backoff. */
  #arm(): void {
    if (this.#sending !== null || this.#failures > 0 || this.#ended.signal.aborted) return;
    if (this.#queue.length >= this.#batchSize) this.#wake();
    else if (this.#queue.length > 0) this.#spanTimer ??= this.#deps.later(SPANS_AFTER_MS, () => this.#wake());
  }

  #wake(): void {
    this.#spanTimer?.();
    this.#spanTimer = null;
    if (this.#ended.signal.aborted) return;
    this.#sending ??= this.#sendAll()
      .catch((error: unknown) => {
        this.#mistake(error);
        this.#drop(this.#batch.length, "Postern made a mistake");
        this.#batch = [];
      })
      .finally(() => {
        this.#sending = null;
        this.#arm();
      });
  }

  /** Logs an error of Postern's own, which must not stop it from serving calls. */
  #mistake(error: unknown): void {
    this.#deps.log.error("bug", { ...loggedError(error) });
  }

  /** Sends until the queue is empty or the receiver asks to back off. */
  async #sendAll(): Promise<void> {
    while (this.state.queued > 0 && !this.#ended.signal.aborted) {
      const waitMs = await this.#sendBatch();
      if (waitMs === null) continue;
      if (this.#ended.signal.aborted) return;
      this.#spanTimer = this.#deps.later(waitMs, () => this.#wake());
      return;
    }
  }

  /** @returns the delay before a retry; null if none is needed */
  async #sendBatch(): Promise<number | null> {
    if (!this.#deps.wants("/v1/traces")) {
      this.#queue = [];
      this.#batch = [];
      return null;
    }
    if (this.#batch.length === 0) this.#batch = this.#queue.splice(0, this.#batchSize);
    const batch = this.#batch;
    const verdict = await this.#post("/v1/traces", this.#deps.encodeSpans(batch));
    if (this.#ended.signal.aborted) return null;
    if (verdict.kind === "later") return this.#backoff(verdict.afterMs);
    this.#failures = 0;
    this.#batch = [];
    if (verdict.kind === "taken") {
      const rejected = Math.min(verdict.rejected, batch.length);
      this.#overflows = false;
      this.#exported += batch.length - rejected;
      if (rejected > 0) this.#drop(rejected, verdict.problem ?? "");
    } else if (verdict.kind === "too_large" && batch.length > 1) {
      this.#batchSize = Math.ceil(batch.length / 2);
      this.#queue.unshift(...batch);
    } else {
      // It must not be sent again.
      this.#drop(batch.length, verdict.problem);
    }
    return null;
  }

  /** Metrics are not retried, because the next ones include them. @returns the delay that the receiver asked for */
  async #sendMetrics(): Promise<number | null> {
    if (!this.#deps.wants("/v1/metrics")) return null;
    const message = this.#deps.encodeMetrics();
    if (message === null) return null;
    const verdict = await this.#post("/v1/metrics", message);
    return verdict.kind === "later" && verdict.afterMs !== null ? Math.min(verdict.afterMs, LONGEST_WAIT_MS) : null;
  }

  async #post(signal: SignalPath, message: unknown): Promise<ExportVerdict> {
    const verdict = await this.#ask(signal, JSON.stringify(message));
    if (verdict.kind === "taken") this.#exportedAt = this.#deps.clock.now();
    return verdict;
  }

  async #ask(signal: SignalPath, body: string): Promise<ExportVerdict> {
    try {
      const reply = await this.#deps.post(signal, body, this.#ended.signal);
      const verdict = exportVerdict(signal, reply.status, reply.retryAfter, reply.body);
      this.#unheard = null;
      if (verdict.problem === null) this.#problems.delete(signal);
      else this.#problems.set(signal, this.#deps.clean(verdict.problem));
      return verdict;
    } catch (error) {
      if (!(error instanceof UpstreamFailure)) throw error;
      const problem = `The receiver did not respond: ${error.message}.`;
      this.#unheard = this.#deps.clean(problem);
      // A response above the size limit is still a response, so its request must not be retried.
      return error.kind === "too_large" ? { kind: "refused", problem } : { kind: "later", afterMs: null, problem };
    }
  }

  /** Doubles with each failure, ± 20 %; the receiver's own delay takes precedence unless it is zero. */
  #backoff(afterMs: number | null): number {
    this.#failures += 1;
    const plain = Math.min(FIRST_BACKOFF_MS * 2 ** (this.#failures - 1), LONGEST_BACKOFF_MS);
    return afterMs === null
      ? Math.round(plain * (0.8 + 0.4 * this.#deps.random()))
      : Math.min(Math.max(afterMs, FIRST_BACKOFF_MS), LONGEST_WAIT_MS);
  }

  /** Reported once, until the receiver accepts data again. */
  #overflow(): void {
    this.#queue.shift();
    if (this.#overflows) this.#dropped += 1;
    else this.#drop(1, "More spans wait than are kept");
    this.#overflows = true;
  }

  #drop(count: number, why: string): void {
    this.#dropped += count;
    this.#deps.log.warn("telemetry.dropped", { spans: count, why: this.#deps.clean(why) });
  }
}
