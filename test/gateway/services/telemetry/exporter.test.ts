import { beforeEach, describe, expect, it } from "vitest";
import type { PendingSpan } from "../../../../gateway/core/telemetry/otlp-spans.ts";
import type { SignalPath } from "../../../../gateway/core/telemetry/otlp-response.ts";
import type { Later } from "../../../../gateway/lib/later.ts";
import { silentLog } from "../../../../gateway/lib/log.ts";
import {
  BATCH,
  METRICS_EVERY_MS,
  MOST_QUEUED,
  OtlpExporter,
  SPANS_AFTER_MS,
} from "../../../../gateway/services/telemetry/otlp-exporter.ts";
import { UpstreamFailure } from "../../../../gateway/upstream/failure.ts";
import type { ServiceReply } from "../../../../gateway/upstream/service-client.ts";
import { TestClock } from "../../../support/test-clock.ts";
import { factsWith } from "../../core/telemetry/facts.ts";

interface Post {
  readonly signal: SignalPath;
  readonly ids: readonly string[];
  settle(reply: Partial<ServiceReply>): Promise<void>;
  fail(failure: UpstreamFailure): Promise<void>;
  readonly ended: AbortSignal;
}

/** An exporter whose receiver and timers are the test's. */
class Bench {
  readonly posts: Post[] = [];
  readonly timers = new Map<number, () => void>();
  readonly expected = new Set<SignalPath>(["/v1/traces", "/v1/metrics"]);
  metrics: unknown = null;
  breaks = false;
  readonly exporter: OtlpExporter;
  #added = 0;

  constructor() {
    const later: Later = (ms, work) => {
      this.timers.set(ms, work);
      return () => void this.timers.delete(ms);
    };
    this.exporter = new OtlpExporter({
      clock: new TestClock(),
      later,
      random: () => 0.5,
      log: silentLog,
      wants: (signal) => this.expected.has(signal),
      post: (signal, body, ended) => {
        const reply = Promise.withResolvers<ServiceReply>();
        ended.addEventListener("abort", () => reply.reject(new UpstreamFailure("aborted", true, "ended")));
        this.posts.push({
          signal,
          ids: signal === "/v1/traces" ? (JSON.parse(body) as string[]) : [],
          ended,
          settle: async (message) => {
            reply.resolve({ status: 200, retryAfter: null, body: Buffer.from("{}"), ...message });
            await settled();
          },
          fail: async (failure) => {
            reply.reject(failure);
            await settled();
          },
        });
        return reply.promise;
      },
      encodeSpans: (spans) => {
        if (this.breaks) throw new Error("a mistake of ours");
        return spans.map(({ facts }) => facts.receipt.id);
      },
      encodeMetrics: () => this.metrics,
      clean: (sentence) => sentence.replace("secret", "[redacted]"),
    });
  }

  add(count: number): void {
    for (let span = 0; span < count; span += 1) this.exporter.add(spanNamed(`s${this.#added++}`));
  }

  /** The timer of so many milliseconds ends. */
  async pass(ms: number): Promise<void> {
    const work = this.timers.get(ms);
    if (work === undefined) throw new Error(`no timer of ${ms} ms, but ${[...this.timers.keys()].join()}`);
    this.timers.delete(ms);
    work();
    await settled();
  }

  post(nth: number): Post {
    const post = this.posts[nth];
    if (post === undefined) throw new Error(`only ${this.posts.length} messages`);
    return post;
  }
}

function spanNamed(id: string): PendingSpan {
  return { facts: factsWith({ id }), parent: null };
}

/** Whatever promises wait for each other has been done. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

let bench: Bench;
beforeEach(() => {
  bench = new Bench();
});

describe("spans", () => {
  it("wait for others, and go in one message", async () => {
    bench.add(3);
    expect(bench.posts).toEqual([]);
    await bench.pass(SPANS_AFTER_MS);
    expect(bench.post(0).ids).toEqual(["s0", "s1", "s2"]);
    await bench.post(0).settle({});
    expect(bench.exporter.state).toMatchObject({ exported: 3, queued: 0, dropped: 0, problem: null });
  });

  it("go at once when there are many, one message after the other", async () => {
    bench.add(BATCH * 2 + 1);
    expect(bench.posts).toHaveLength(1);
    expect(bench.post(0).ids).toHaveLength(BATCH);
    await bench.post(0).settle({});
    await bench.post(1).settle({});
    expect(bench.post(2).ids).toEqual([`s${BATCH * 2}`]);
    await bench.post(2).settle({});
    expect(bench.exporter.state).toMatchObject({ exported: BATCH * 2 + 1, queued: 0 });
  });

  it("that come while one is sent go after it", async () => {
    bench.add(1);
    await bench.pass(SPANS_AFTER_MS);
    bench.add(1);
    await bench.post(0).settle({});
    expect(bench.post(1).ids).toEqual(["s1"]);
    await bench.post(1).settle({});
    expect(bench.timers.size).toBe(0);
    bench.add(1);
    await bench.pass(SPANS_AFTER_MS);
    expect(bench.post(2).ids).toEqual(["s2"]);
  });

  it("are sent again after doubling waits, up to a minute", async () => {
    bench.add(1);
    await bench.pass(SPANS_AFTER_MS);
    for (const [nth, wait] of [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000].entries()) {
      await bench.post(nth).fail(new UpstreamFailure("refused", false, "connect ECONNREFUSED"));
      expect([...bench.timers.keys()]).toEqual([wait]);
      bench.add(1);
      expect(bench.exporter.state.problem).toContain("ECONNREFUSED");
      await bench.pass(wait);
    }
    await bench.post(8).settle({});
    expect(bench.post(9).ids).toHaveLength(8);
    await bench.post(9).settle({});
    expect(bench.exporter.state).toMatchObject({ exported: 9, dropped: 0, problem: null });
  });

  it.each([
    [7_000, 7_000],
    [0, 1_000],
    [86_400_000, 600_000],
  ])("wait as long as the receiver says, %i ms, but no longer than ten minutes", async (retryAfter, wait) => {
    bench.add(1);
    await bench.pass(SPANS_AFTER_MS);
    await bench.post(0).settle({ status: 503, retryAfter });
    expect([...bench.timers.keys()]).toEqual([wait]);
  });

  it("beyond what may wait push out the oldest, which are counted", async () => {
    bench.add(BATCH);
    await bench.post(0).fail(new UpstreamFailure("head_timeout", true, "no response in 15 s"));
    bench.add(MOST_QUEUED + 10);
    expect(bench.exporter.state).toMatchObject({ queued: MOST_QUEUED + BATCH, dropped: 10 });
    await bench.pass(1_000);
    expect(bench.post(1).ids[0]).toBe("s0");
    await bench.post(1).settle({});
    expect(bench.post(2).ids[0]).toBe(`s${BATCH + 10}`);
  });

  it("of a response that is too large are not sent again", async () => {
    bench.add(1);
    await bench.pass(SPANS_AFTER_MS);
    await bench.post(0).fail(new UpstreamFailure("too_large", true, "more than 4 MiB"));
    expect(bench.exporter.state).toMatchObject({ queued: 0, dropped: 1 });
  });

  it("are halved until the receiver takes them", async () => {
    bench.add(5);
    await bench.pass(SPANS_AFTER_MS);
    const sizes: number[] = [];
    for (let nth = 0; bench.posts.length > nth; nth += 1) {
      const { ids } = bench.post(nth);
      sizes.push(ids.length);
      await bench.post(nth).settle({ status: ids.length > 2 ? 413 : 200 });
    }
    expect(sizes).toEqual([5, 3, 2, 2, 1]);
    expect(bench.exporter.state).toMatchObject({ exported: 5, dropped: 0, queued: 0 });
  });

  it("that were rejected in part are counted, whatever number is reported", async () => {
    bench.add(2);
    await bench.pass(SPANS_AFTER_MS);
    const body = Buffer.from(JSON.stringify({ partialSuccess: { rejectedSpans: 99, errorMessage: "secret" } }));
    await bench.post(0).settle({ body });
    expect(bench.exporter.state).toMatchObject({ exported: 0, dropped: 2, queued: 0 });
    expect(bench.exporter.state.problem).toContain("[redacted]");
  });

  it("are sent at once when the owner has changed where to", async () => {
    bench.add(1);
    await bench.pass(SPANS_AFTER_MS);
    await bench.post(0).settle({ status: 429 });
    bench.exporter.retry();
    expect(bench.post(1).ids).toEqual(["s0"]);
  });

  it("are forgotten when the owner wants none sent", async () => {
    bench.add(2);
    bench.expected.delete("/v1/traces");
    bench.exporter.retry();
    expect(bench.posts).toEqual([]);
    expect(bench.exporter.state).toMatchObject({ queued: 0, dropped: 0 });
  });
});

describe("metrics", () => {
  it("go each minute, and are not sent again: the next ones hold them", async () => {
    bench.exporter.startMetrics();
    await bench.pass(METRICS_EVERY_MS);
    expect(bench.posts).toEqual([]);
    bench.metrics = { some: "metrics" };
    await bench.pass(METRICS_EVERY_MS);
    await bench.post(0).settle({ status: 503 });
    expect([...bench.timers.keys()]).toEqual([METRICS_EVERY_MS]);
    expect(bench.exporter.state.problem).toContain("/v1/metrics with status 503");
    await bench.pass(METRICS_EVERY_MS);
    await bench.post(1).settle({});
    expect(bench.exporter.state.problem).toBeNull();
  });

  it("that fail leave spans alone, and what is wrong stays reported", async () => {
    bench.exporter.startMetrics();
    bench.metrics = { some: "metrics" };
    await bench.pass(METRICS_EVERY_MS);
    await bench.post(0).settle({ status: 404 });
    bench.add(1);
    await bench.pass(SPANS_AFTER_MS);
    await bench.post(1).settle({});
    expect(bench.exporter.state).toMatchObject({ exported: 1, dropped: 0 });
    expect(bench.exporter.state.problem).toContain("/v1/metrics with status 404");
  });
});

it("leaves a receiver alone for as long as it says for one signal, whatever it says to the other", async () => {
  bench.exporter.startMetrics();
  bench.metrics = { some: "metrics" };
  bench.add(1);
  await bench.pass(SPANS_AFTER_MS);
  await bench.post(0).settle({ status: 429, retryAfter: 300_000 });
  await bench.pass(METRICS_EVERY_MS);
  await bench.post(1).settle({});
  bench.add(BATCH * 2);
  expect(bench.posts).toHaveLength(2);
  await bench.pass(METRICS_EVERY_MS);
  await bench.post(2).settle({ status: 503, retryAfter: 120_000 });
  expect([...bench.timers.keys()].toSorted((one, other) => one - other)).toEqual([120_000, 300_000]);
});

it("drops what cannot be written, says so, and goes on", async () => {
  bench.breaks = true;
  bench.add(2);
  await bench.pass(SPANS_AFTER_MS);
  expect(bench.exporter.state).toMatchObject({ queued: 0, dropped: 2 });
  bench.breaks = false;
  bench.add(1);
  await bench.pass(SPANS_AFTER_MS);
  expect(bench.post(0).ids).toEqual(["s2"]);
});

describe("an end", () => {
  it("drops what waits, counts it, and breaks off what is sent", async () => {
    bench.add(3);
    await bench.pass(SPANS_AFTER_MS);
    bench.add(1);
    expect(bench.exporter.end("stopped")).toBe(4);
    expect(bench.post(0).ended.aborted).toBe(true);
    await settled();
    expect(bench.exporter.state).toMatchObject({ queued: 0, dropped: 4 });
    bench.add(1);
    expect(bench.timers.size).toBe(0);
  });

  it("comes after a flush that tries each message once", async () => {
    bench.metrics = { some: "metrics" };
    bench.add(2);
    const flushed = bench.exporter.flush();
    await settled();
    expect(bench.posts.map(({ signal }) => signal).toSorted()).toEqual(["/v1/metrics", "/v1/traces"]);
    for (const post of bench.posts) await post.settle({ status: 503 });
    await flushed;
    expect(bench.posts).toHaveLength(2);
    expect(bench.exporter.end("stopped")).toBe(2);
  });
});
