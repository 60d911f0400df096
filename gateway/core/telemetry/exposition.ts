import { instruments, labelNames } from "./instruments.ts";
import type { Instrument, InstrumentId, Label, Reading } from "./instruments.ts";
import type { LabelValues, Measurements, Series } from "./measurements.ts";

/**
 * Prometheus' text format 0.0.4 (https://prometheus.io/docs/instrumenting/exposition_formats/, read on 2026-11-24), with
 * the names that OpenTelemetry's rules make of ours
 * (https://opentelemetry.io/docs/specs/otel/compatibility/prometheus_and_openmetrics/).
 */
export const EXPOSITION_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** All series and readings as one text. */
export function getExposition(measurements: Measurements, readings: readonly Reading[]): string {
  const lines: string[] = [];
  for (const id of Object.keys(instruments) as InstrumentId[]) {
    const instrument = instruments[id];
    const series = [...measurements.series(id)];
    if (series.length === 0) continue;
    const name = formatMetricName(instrument.name, instrument.unit, instrument.kind);
    lines.push(...head(name, instrument.about, instrument.kind));
    for (const one of series) lines.push(...getSamples(name, instrument, one));
  }
  for (const reading of readings) {
    const name = reading.prometheus ?? formatMetricName(reading.name ?? "", reading.unit, reading.kind);
    lines.push(...head(name, reading.about, reading.kind), `${name} ${reading.value}`);
  }
  return `${lines.join("\n")}\n`;
}

const UNITS: Readonly<Record<string, string>> = { s: "_seconds", By: "_bytes" };

/** `gen_ai.client.operation.duration` in seconds: `gen_ai_client_operation_duration_seconds`. */
export function formatMetricName(name: string, unit: string, kind: "counter" | "gauge" | "histogram"): string {
  return `${name.replace(/\W/g, "_")}${UNITS[unit] ?? ""}${kind === "counter" ? "_total" : ""}`;
}

function head(name: string, about: string, kind: string): readonly string[] {
  return [`# HELP ${name} ${about.replaceAll("\\", "\\\\").replaceAll("\n", "\\n")}`, `# TYPE ${name} ${kind}`];
}

function getSamples(name: string, instrument: Instrument, series: Series): readonly string[] {
  const { per, labels } = instrument;
  const { values, count, sum } = series;
  if (instrument.kind === "counter") return [`${name}${writeLabels(labels, values)} ${sum / per}`];
  let below = 0;
  const buckets = instrument.bounds.map((bound, index) => {
    below += series.buckets[index] ?? 0;
    return `${name}_bucket${writeLabels(labels, values, `le="${bound}"`)} ${below}`;
  });
  return [
    ...buckets,
    `${name}_bucket${writeLabels(labels, values, 'le="+Inf"')} ${count}`,
    `${name}_sum${writeLabels(labels, values)} ${sum / per}`,
    `${name}_count${writeLabels(labels, values)} ${count}`,
  ];
}

/** Formats `{gen_ai_request_model="gpt-5"}`; empty without labels. */
function writeLabels(labels: readonly Label[], values: LabelValues, last = ""): string {
  const pairs = labels.flatMap((label, index) => {
    const value = values[index] ?? "";
    return value === "" ? [] : [`${labelNames[label].replace(/\W/g, "_")}="${escapeLabel(value)}"`];
  });
  if (last !== "") pairs.push(last);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

function escapeLabel(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
