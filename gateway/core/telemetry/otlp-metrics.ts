import { instruments, labelNames } from "./instruments.ts";
import type { Instrument, InstrumentId, Label, Reading } from "./instruments.ts";
import type { LabelValues, Measurements, Series } from "./measurements.ts";
import {
  SCHEMA_URL,
  getInteger,
  formatNanosecondsText,
  getResource,
  getScope,
  getText,
  formatWholeText,
} from "./otlp-values.ts";
import type { KeyValue, Source } from "./otlp-values.ts";

/** Messages are cumulative since the start of their series. */
const CUMULATIVE = 2;

/** The body of `POST /v1/metrics`. @param now Unix milliseconds */
export function createMetricsRequest(
  measurements: Measurements,
  readings: readonly Reading[],
  { now, ...source }: Source & { readonly now: number },
) {
  const times: Times = {
    startTimeUnixNano: formatNanosecondsText(measurements.since),
    timeUnixNano: formatNanosecondsText(now),
  };
  const measured = (Object.keys(instruments) as InstrumentId[]).flatMap((id) => {
    const series = [...measurements.series(id)];
    return series.length === 0 ? [] : [getMetric(instruments[id], series, times)];
  });
  return {
    resourceMetrics: [
      {
        resource: getResource(source),
        scopeMetrics: [
          {
            scope: getScope(source),
            metrics: [...measured, ...readings.flatMap((reading) => getReading(reading, times))],
            schemaUrl: SCHEMA_URL,
          },
        ],
        schemaUrl: SCHEMA_URL,
      },
    ],
  };
}

interface Times {
  readonly startTimeUnixNano: string;
  readonly timeUnixNano: string;
}

function getMetric(instrument: Instrument, series: readonly Series[], times: Times) {
  const { name, unit, about: description, per, labels } = instrument;
  const named = { name, unit, description };
  if (instrument.kind === "counter") {
    const dataPoints = series.map(({ values, sum }) => ({
      ...times,
      attributes: getAttributes(labels, values),
      asDouble: sum / per,
    }));
    return { ...named, sum: { dataPoints, aggregationTemporality: CUMULATIVE, isMonotonic: true } };
  }
  const dataPoints = series.map(({ values, count, sum, min, max, buckets }) => ({
    ...times,
    attributes: getAttributes(labels, values),
    count: formatWholeText(count),
    sum: sum / per,
    min: min / per,
    max: max / per,
    bucketCounts: buckets.map(formatWholeText),
    explicitBounds: instrument.bounds,
  }));
  return { ...named, histogram: { dataPoints, aggregationTemporality: CUMULATIVE } };
}

function getReading({ kind, name, unit, about: description, value }: Reading, times: Times) {
  if (name === null) return [];
  const dataPoints = [{ ...times, attributes: [], asDouble: value }];
  const data =
    kind === "gauge"
      ? { gauge: { dataPoints } }
      : { sum: { dataPoints, aggregationTemporality: CUMULATIVE, isMonotonic: true } };
  return [{ name, unit, description, ...data }];
}

function getAttributes(labels: readonly Label[], values: LabelValues): readonly KeyValue[] {
  return labels.flatMap((label, index) => {
    const value = values[index] ?? "";
    if (value === "") return [];
    const key = labelNames[label];
    return [label === "port" ? getInteger(key, Number(value)) : getText(key, value)];
  });
}
