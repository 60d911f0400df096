import fc from "fast-check";
import { expect, it } from "vitest";
import { outcomeSchema, unitClassSchema } from "../../../../gateway/contract/receipt.ts";
import { getExposition } from "../../../../gateway/core/telemetry/exposition.ts";
import { Measurements } from "../../../../gateway/core/telemetry/measurements.ts";
import { createMetricsRequest } from "../../../../gateway/core/telemetry/otlp-metrics.ts";
import { exportVerdict } from "../../../../gateway/core/telemetry/otlp-response.ts";
import { getSpan, createTracesRequest } from "../../../../gateway/core/telemetry/otlp-spans.ts";
import { readTraceParent } from "../../../../gateway/core/telemetry/trace-parent.ts";
import { fieldsFromText } from "../../../../gateway/contract/telemetry.ts";
import { factsWith } from "./facts.ts";

/** Any text, half surrogate pairs and controls among them. */
const anyText = fc.string({ unit: "binary", maxLength: 40 }).map((text) => `${text}\ud800`);
const text = fc.oneof(anyText, fc.constant(""), fc.constant("x".repeat(5_000)), fc.string({ maxLength: 20 }));
const whole = fc.oneof(fc.nat(), fc.constant(Number.MAX_SAFE_INTEGER));
const terms = fc.array(
  fc.record({
    unit: fc.constantFrom(...unitClassSchema.options),
    quantity: whole,
    nano_per_million: whole,
    nano: whole,
  }),
  { maxLength: 4 },
);
const receipt = fc.record({
  id: text,
  at: fc.oneof(whole, fc.constant(0), fc.constant(-5), fc.constant(Number.NaN)),
  key: text,
  endpoint: fc.oneof(text, fc.constantFrom("chat", "search", "images")),
  model: text,
  client: text,
  code: fc.option(text),
  status: fc.integer({ min: 0, max: 999 }),
  outcome: fc.constantFrom(...outcomeSchema.options),
  stream: fc.boolean(),
  ms: fc.oneof(fc.double(), fc.double({ min: 0, max: 1e9 })),
  first_ms: fc.option(fc.double()),
  attempts: fc.option(fc.nat()),
  nano: fc.option(whole),
  terms,
});

const SOURCE = { version: "1", instance: "one", host: "laptop" };

/** No half of a surrogate pair, in no text of it: parsers of JSON refuse those. */
function isWellFormed(value: unknown): boolean {
  if (typeof value === "string") return value.isWellFormed();
  if (typeof value !== "object" || value === null) return true;
  return Object.values(value).every(isWellFormed);
}

it("encodes every receipt, and never throws", () => {
  fc.assert(
    fc.property(fc.array(receipt, { minLength: 1, maxLength: 5 }), text, (receipts, key) => {
      const measurements = new Measurements(0);
      const facts = receipts.map((one) => factsWith(one, { key, provider: key }));
      for (const one of facts) measurements.record(one);
      const spans = facts.map((one) => ({ facts: one, parent: null }));
      const sent = [createTracesRequest(spans, SOURCE), createMetricsRequest(measurements, [], { ...SOURCE, now: 1 })];
      expect(isWellFormed(sent)).toBe(true);
      expect(JSON.stringify(sent)).not.toContain("\\ud800");
      // What is no number is written so.
      expect(JSON.stringify(sent)).not.toContain("null");
      for (const one of spans) {
        const span = getSpan(one);
        expect(span.startTimeUnixNano).toMatch(/^\d+$/);
        expect(span.endTimeUnixNano).toMatch(/^\d+$/);
      }
      for (const line of getExposition(measurements, []).split("\n")) {
        expect(line).toMatch(/^$|^# (?:HELP|TYPE) |^\w+(?:\{.*\})? [\d.e+-]+$/su);
      }
    }),
    { numRuns: 300 },
  );
});

it("reads whatever a receiver says", () => {
  const body = fc.oneof(
    fc.uint8Array({ maxLength: 60 }),
    fc.json().map((json) => Buffer.from(json)),
  );
  const partial = fc.record({
    partialSuccess: fc.record({ rejectedSpans: fc.anything(), errorMessage: fc.anything() }),
  });
  fc.assert(
    fc.property(fc.integer({ min: 100, max: 599 }), fc.oneof(body, partial), (status, message) => {
      const bytes = message instanceof Uint8Array ? Buffer.from(message) : Buffer.from(JSON.stringify(message) ?? "");
      const verdict = exportVerdict("/v1/traces", status, null, bytes);
      expect(["taken", "later", "too_large", "refused"]).toContain(verdict.kind);
    }),
  );
});

it("reads whatever a client sends as its trace, and whatever an owner writes as headers", () => {
  fc.assert(
    fc.property(text, (header) => {
      expect(readTraceParent(header)).toBeNull();
      const fields = fieldsFromText(header);
      for (const [name, value] of Object.entries(fields ?? {})) expect(`${name}: ${value}`).not.toMatch(/[\r\n\0]/);
    }),
  );
});
