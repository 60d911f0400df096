import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import * as z from "zod";
import { LoopbackServer, bodyOf } from "./loopback-server.ts";

/** Messages of OTLP 1.11.0 as JSON, strictly: whatever else Postern writes is a mistake. */
const whole = z.string().regex(/^\d{1,19}$/);
const moment = z.string().regex(/^[1-9]\d{18}$/);
const attribute = z.strictObject({
  key: z.string().regex(/^[a-z][a-z\d_]*(\.[a-z\d_]+)*$/),
  value: z.union([
    z.strictObject({ stringValue: z.string().min(1) }),
    z.strictObject({ boolValue: z.boolean() }),
    z.strictObject({ intValue: z.string().regex(/^-?\d{1,19}$/) }),
    z.strictObject({ doubleValue: z.number() }),
  ]),
});
const attributes = z.array(attribute).refine((list) => new Set(list.map(({ key }) => key)).size === list.length);
const resource = z.strictObject({ attributes });
const scope = z.strictObject({ name: z.literal("postern"), version: z.string().min(1) });
const schemaUrl = z.literal("https://opentelemetry.io/schemas/1.41.0");
const span = z.strictObject({
  traceId: z.string().regex(/^(?!0+$)[\da-f]{32}$/),
  spanId: z.string().regex(/^(?!0+$)[\da-f]{16}$/),
  parentSpanId: z
    .string()
    .regex(/^(?!0+$)[\da-f]{16}$/)
    .optional(),
  flags: z.number().int().nonnegative(),
  name: z.string().min(1),
  kind: z.literal(3),
  startTimeUnixNano: moment,
  endTimeUnixNano: moment,
  attributes,
  status: z.strictObject({ code: z.literal(2).optional() }),
});
const traces = z.strictObject({
  resourceSpans: z
    .array(
      z.strictObject({
        resource,
        scopeSpans: z.array(z.strictObject({ scope, spans: z.array(span).min(1), schemaUrl })).length(1),
        schemaUrl,
      }),
    )
    .length(1),
});
const times = { startTimeUnixNano: moment, timeUnixNano: moment, attributes };
const number = z.strictObject({ ...times, asDouble: z.number() });
const histogramPoint = z
  .strictObject({
    ...times,
    count: whole,
    sum: z.number(),
    min: z.number(),
    max: z.number(),
    bucketCounts: z.array(whole),
    explicitBounds: z.array(z.number()),
  })
  .refine(({ bucketCounts, explicitBounds }) => bucketCounts.length === explicitBounds.length + 1)
  .refine(({ bucketCounts, count }) => bucketCounts.reduce((sum, one) => sum + Number(one), 0) === Number(count));
const named = { name: z.string().min(1), unit: z.string().min(1), description: z.string().min(1) };
const temporality = z.literal(2);
const metric = z.union([
  z.strictObject({
    ...named,
    sum: z.strictObject({
      dataPoints: z.array(number).min(1),
      aggregationTemporality: temporality,
      isMonotonic: z.literal(true),
    }),
  }),
  z.strictObject({ ...named, gauge: z.strictObject({ dataPoints: z.array(number).min(1) }) }),
  z.strictObject({
    ...named,
    histogram: z.strictObject({ dataPoints: z.array(histogramPoint).min(1), aggregationTemporality: temporality }),
  }),
]);
const metrics = z.strictObject({
  resourceMetrics: z
    .array(
      z.strictObject({
        resource,
        scopeMetrics: z.array(z.strictObject({ scope, metrics: z.array(metric).min(1), schemaUrl })).length(1),
        schemaUrl,
      }),
    )
    .length(1),
});

export type ReceivedSpan = z.infer<typeof span>;
export type ReceivedMetric = z.infer<typeof metric>;
/** One point of a metric. */
export interface ReceivedPoint {
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  /** The sum of a histogram, the value of the rest. */
  readonly value: number;
  /** How many values a histogram has; 0 for the rest. */
  readonly count: number;
}

export interface ReceivedMessage {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly spans: readonly ReceivedSpan[];
  readonly metrics: readonly ReceivedMetric[];
  /** As it came. */
  readonly text: string;
}

/** What a message is answered with; null: nothing ever. */
export type OtlpResponse = {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
} | null;

/** As plain values by their keys. */
export function valuesOf(list: z.infer<typeof attributes>): Readonly<Record<string, string | number | boolean>> {
  return Object.fromEntries(
    list.map(({ key, value }) => {
      if ("intValue" in value) return [key, Number(value.intValue)];
      return [key, Object.values(value)[0] as string | number | boolean];
    }),
  );
}

/** A receiver of OTLP over HTTP on loopback that counts, and takes nothing that is not to the letter. */
export class OtlpReceiverServer extends LoopbackServer {
  /** All that came, in its order, taken or not. */
  readonly messages: ReceivedMessage[] = [];
  /** Messages that were none. */
  readonly complaints: string[] = [];
  /** @param nth message at its path, from 1 */
  response: (path: string, nth: number, message: ReceivedMessage) => OtlpResponse = () => ({ status: 200 });
  #received: ReceivedMessage[] = [];
  #port = 0;

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Spans of messages that were taken. */
  get spans(): readonly ReceivedSpan[] {
    return this.#received.flatMap(({ spans }) => spans);
  }

  /** Points of the newest message with metrics that was taken. */
  points(name: string): readonly ReceivedPoint[] {
    const newest = this.#received.findLast(({ metrics: list }) => list.length > 0)?.metrics ?? [];
    return newest.filter((one) => one.name === name).flatMap(pointsOf);
  }

  override async listen(port = 0): Promise<this> {
    await super.listen(port);
    this.#port = this.port;
    return this;
  }

  reset(): void {
    this.messages.length = 0;
    this.complaints.length = 0;
    this.#received = [];
    this.response = () => ({ status: 200 });
  }

  protected async serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = await bodyOf(incoming).catch(() => null);
    if (body !== null) this.#take(incoming.url ?? "", incoming.headers, body, outgoing);
  }

  #take(path: string, headers: IncomingHttpHeaders, body: Buffer, outgoing: ServerResponse): void {
    const message = this.#read(path, headers, body);
    if (message === null) {
      outgoing.writeHead(400).end();
      return;
    }
    this.messages.push(message);
    const nth = this.messages.filter((one) => one.path === path).length;
    const response = this.response(path, nth, message);
    if (response === null) return;
    if (response.status === 200) this.#received.push(message);
    outgoing
      .writeHead(response.status, { "content-type": "application/json", ...response.headers })
      .end(JSON.stringify(response.body ?? {}));
  }

  #read(path: string, headers: IncomingHttpHeaders, body: Buffer): ReceivedMessage | null {
    try {
      if (headers["content-type"] !== "application/json") throw new Error(`${headers["content-type"]} is no JSON`);
      const text = body.toString("utf8");
      const sent: unknown = JSON.parse(text);
      // A test of the connection holds nothing.
      if (JSON.stringify(sent) === "{}") return { path, headers, spans: [], metrics: [], text };
      if (path.endsWith("/v1/traces")) {
        const { resourceSpans } = traces.parse(sent);
        const spans = resourceSpans.flatMap((one) => one.scopeSpans.flatMap((inner) => inner.spans));
        return { path, headers, spans, metrics: [], text };
      }
      if (!path.endsWith("/v1/metrics")) throw new Error(`nothing is at ${path}`);
      const { resourceMetrics } = metrics.parse(sent);
      const list = resourceMetrics.flatMap((one) => one.scopeMetrics.flatMap((inner) => inner.metrics));
      return { path, headers, spans: [], metrics: list, text };
    } catch (error) {
      this.complaints.push(String(error));
      return null;
    }
  }
}

function pointsOf(one: ReceivedMetric): readonly ReceivedPoint[] {
  if ("histogram" in one) {
    return one.histogram.dataPoints.map((point) => ({
      attributes: valuesOf(point.attributes),
      value: point.sum,
      count: Number(point.count),
    }));
  }
  const { dataPoints } = "sum" in one ? one.sum : one.gauge;
  return dataPoints.map((point) => ({ attributes: valuesOf(point.attributes), value: point.asDouble, count: 0 }));
}
