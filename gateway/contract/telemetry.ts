import * as z from "zod";

/** Telemetry, if enabled by the user (docs/guide/telemetry.md). */

const moment = z.number().int();
const count = z.number().int().nonnegative();

/** The key of `/metrics`. Its value is shown once, when it is made. */
const metricsKeySchema = z.object({ hint: z.string(), created_at: moment });

/** State of telemetry. Off without settings: `endpoint` null, `metrics_key` null. */
export const telemetryViewSchema = z.object({
  /** OTLP endpoint; null: nothing is sent. */
  endpoint: z.string().nullable(),
  /** Names of the headers that go with it. */
  headers: z.array(z.string()),
  /** Spans that wait, that the receiver has, and that were dropped, since the start or since it was named. */
  queued: count,
  exported: count,
  dropped: count,
  /** When the receiver last took something. */
  exported_at: moment.nullable(),
  /** Current problem, as a sentence with the remedy. */
  problem: z.string().nullable(),
  metrics_key: metricsKeySchema.nullable(),
  /** When `/metrics` was last read. */
  scraped_at: moment.nullable(),
});
export type TelemetryView = z.infer<typeof telemetryViewSchema>;

/** Headers that HTTP itself sets. */
const RESERVED = /^(?:connection|content-.*|expect|host|keep-alive|te|trailer|transfer-encoding|upgrade)$/;
const NAME = /^[\w!#$%&'*+.^`|~-]{1,100}$/;
/** Visible ASCII with spaces between. */
const VALUE = /^[\x21-\x7e](?:[\x20-\x7e]{0,4000}[\x21-\x7e])?$/;

/**
 * Reads header fields written as `Name: value` or `name=value`, one a line.
 * @returns null if a line is not such a field, or names a field that is not free
 */
export function fieldsFromText(text: string): Readonly<Record<string, string>> | null {
  const fields = new Map<string, string>();
  for (const line of text.split(/\r?\n/)) {
    if (line.trim() === "") continue;
    const at = line.search(/[:=]/);
    const name = line.slice(0, Math.max(at, 0)).trim().toLowerCase();
    const value = line.slice(at + 1).trim();
    if (!NAME.test(name) || RESERVED.test(name) || !VALUE.test(value)) return null;
    fields.set(name, value);
  }
  return Object.fromEntries(fields);
}

/** Lines `Name: value` or `name=value`. Null removes them. They are never shown again. */
export const setTelemetryHeadersSchema = z
  .object({
    headers: z
      .string()
      .max(8_000)
      .refine((text) => fieldsFromText(text) !== null, "expected lines of the form Name: value")
      .nullable(),
  })
  .strict();

/** The result of one empty message. */
export const telemetryTestSchema = z.object({
  ok: z.boolean(),
  ms: z.number(),
  /** The problem and how to fix it; empty if all is well. */
  message: z.string(),
});
export type TelemetryTest = z.infer<typeof telemetryTestSchema>;

export const madeMetricsKeySchema = z.object({ telemetry: telemetryViewSchema, secret: z.string() });
