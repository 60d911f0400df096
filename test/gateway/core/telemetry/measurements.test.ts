import { describe, expect, it } from "vitest";
import type { Receipt } from "../../../../gateway/contract/receipt.ts";
import { getExposition, formatMetricName } from "../../../../gateway/core/telemetry/exposition.ts";
import type { InstrumentId } from "../../../../gateway/core/telemetry/instruments.ts";
import { MOST_SERIES, MOST_VALUES, Measurements } from "../../../../gateway/core/telemetry/measurements.ts";
import { createMetricsRequest } from "../../../../gateway/core/telemetry/otlp-metrics.ts";
import { factsWith } from "./facts.ts";

function measured(...receipts: readonly Partial<Receipt>[]): Measurements {
  const measurements = new Measurements(1_795_500_000_000);
  for (const more of receipts) measurements.record(factsWith(more));
  return measurements;
}

const sumOf = (measurements: Measurements, id: InstrumentId): number =>
  [...measurements.series(id)].reduce((sum, series) => sum + series.sum, 0);

describe("measurements", () => {
  it("put a value on a boundary into the bucket below it", () => {
    const bounds = [9.9, 10, 10.1, 81_920, 81_920.1];
    const [series] = measured(...bounds.map((ms) => ({ ms }))).series("duration");
    expect(series?.buckets).toEqual([2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1]);
    expect(series).toMatchObject({ count: 5, min: 99, max: 819_201 });
  });

  it("time to first token counts completed streams alone", () => {
    const counted = measured(
      { stream: true, first_ms: 120 },
      { stream: false, first_ms: 120 },
      { stream: true, first_ms: null },
      { stream: true, first_ms: 120, outcome: "interrupted", code: "upstream_error" },
    );
    expect([...counted.series("firstToken")].map(({ count }) => count)).toEqual([1]);
  });

  it("keep a model that does not exist out of the labels", () => {
    const junk = Array.from({ length: 500 }, (_, index) => ({
      model: `junk-${index}`,
      outcome: "failed" as const,
      status: 404,
      code: "model_not_found",
      terms: [],
      nano: 0,
    }));
    const all = measured(...junk, {});
    expect([...all.series("requests")]).toHaveLength(2);
    expect(getExposition(all, [])).not.toContain("junk");
  });

  it("tell so many values of a label apart, and count the rest as other", () => {
    const calls = Array.from({ length: 250 }, (_, index) => ({ client: `client-${index}`, terms: [], nano: null }));
    const all = measured(...calls);
    const series = [...all.series("requests")];
    expect(series).toHaveLength(MOST_VALUES + 1);
    expect(series.find(({ values }) => values.includes("other"))?.count).toBe(250 - MOST_VALUES);
    expect(sumOf(all, "requests")).toBe(250);
  });

  it("have no more series than there may be, and lose no call", () => {
    const all = new Measurements(0);
    let calls = 0;
    for (let client = 0; client < 60; client += 1) {
      for (let model = 0; model < 60; model += 1) {
        all.record(factsWith({ client: `c${client}`, model: `m${model}` }));
        calls += 1;
      }
    }
    expect([...all.series("requests")].length).toBeLessThanOrEqual(MOST_SERIES + 1);
    expect(sumOf(all, "requests")).toBe(calls);
    expect(sumOf(all, "cost")).toBe(calls * 355_000);
  });
});

describe("as OTLP", () => {
  it("are cumulative since a moment, with the conventions' boundaries", () => {
    const readings = [
      { kind: "gauge", name: "postern.held_usd", unit: "{USD}", about: "held", value: 0.5 },
      { kind: "gauge", name: null, unit: "s", about: "for Prometheus", value: 1 },
    ] as const;
    const source = { version: "1.2.3", instance: "one", host: "laptop", now: 1_795_500_060_000 };
    const sent = createMetricsRequest(measured({ stream: true, first_ms: 60.5 }), readings, source);
    const metrics = sent.resourceMetrics[0]?.scopeMetrics[0]?.metrics ?? [];
    expect(metrics.map(({ name, unit }) => `${name} ${unit}`)).toEqual([
      "gen_ai.client.operation.duration s",
      "gen_ai.client.token.usage {token}",
      "gen_ai.server.time_to_first_token s",
      "postern.requests {request}",
      "postern.units {unit}",
      "postern.cost_usd {USD}",
      "postern.held_usd {USD}",
    ]);
    expect(metrics[2]).toMatchObject({
      histogram: {
        aggregationTemporality: 2,
        dataPoints: [
          {
            startTimeUnixNano: "1795500000000000000",
            timeUnixNano: "1795500060000000000",
            count: "1",
            sum: 0.0605,
            explicitBounds: [0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10],
          },
        ],
      },
    });
  });
});

describe("as Prometheus' text", () => {
  it.each([
    ["gen_ai.client.operation.duration", "s", "histogram", "gen_ai_client_operation_duration_seconds"],
    ["gen_ai.client.token.usage", "{token}", "histogram", "gen_ai_client_token_usage"],
    ["postern.requests", "{request}", "counter", "postern_requests_total"],
    ["process.memory.usage", "By", "gauge", "process_memory_usage_bytes"],
  ] as const)("%s in %s is the %s %s", (name, unit, kind, expected) => {
    expect(formatMetricName(name, unit, kind)).toBe(expected);
  });

  it("has buckets that add up, and labels that are escaped", () => {
    const text = getExposition(
      measured({ client: "a", model: 'quo"te\\back\nline', ms: 15 }, { model: 'quo"te\\back\nline', ms: 200_000 }),
      [],
    );
    const lines = text.split("\n").filter((line) => line.startsWith("gen_ai_client_operation_duration_seconds"));
    expect(lines[0]).toBe(
      'gen_ai_client_operation_duration_seconds_bucket{gen_ai_operation_name="chat",gen_ai_provider_name="openai",' +
        'gen_ai_request_model="quo\\"te\\\\back\\nline",server_address="api.openai.com",server_port="443",le="0.01"} 0',
    );
    expect(lines.map((line) => line.split(" ").at(-1))).toEqual([
      "0",
      ...Array.from({ length: 13 }, () => "1"),
      "2",
      "200.015",
      "2",
    ]);
    expect(text.endsWith("\n")).toBe(true);
  });

  it("says one thing of each family, whatever is read next to it", () => {
    const text = getExposition(measured({}), [
      {
        kind: "counter",
        name: "process.cpu.time",
        prometheus: "process_cpu_seconds_total",
        unit: "s",
        about: "a",
        value: 1.5,
      },
    ]);
    const types = text.split("\n").filter((line) => line.startsWith("# TYPE"));
    expect(new Set(types).size).toBe(types.length);
    expect(text).toContain("# TYPE process_cpu_seconds_total counter\nprocess_cpu_seconds_total 1.5\n");
  });
});
