import { fieldsFromText } from "../../../gateway/contract/telemetry.ts";
import type { TelemetryView } from "../../../gateway/contract/telemetry.ts";
import { UsageError } from "../command-errors.ts";
import type { Command } from "../command.ts";

function telemetryText(view: TelemetryView): string {
  const { endpoint, headers, exported, queued, dropped, exported_at: at, problem, metrics_key: key } = view;
  const sent =
    endpoint === null
      ? ['OTLP      sent to nobody; "postern settings set --otlp-endpoint URL" names a receiver']
      : [
          `OTLP      sent to ${endpoint}`,
          `Headers   ${headers.length === 0 ? "none" : headers.join(", ")}`,
          `Spans     ${exported} sent, ${queued} waiting, ${dropped} dropped`,
          `Last sent ${at === null ? "never" : new Date(at).toISOString()}`,
          ...(problem === null ? [] : [`Problem   ${problem}`]),
        ];
  const read =
    key === null
      ? 'Metrics   /metrics is off; "postern telemetry key" makes its key'
      : `Metrics   /metrics opens with the key ${key.hint}`;
  return [...sent, read].join("\n");
}

export const showTelemetry: Command = {
  name: "telemetry show",
  about: "where telemetry is sent, what became of it, and whether /metrics is on",
  options: {},
  async run({ control }) {
    const view = await control.call("telemetry");
    return { json: view, text: telemetryText(view) };
  },
};

export const setTelemetryHeaders: Command = {
  name: "telemetry headers",
  about: "keep headers for the receiver, one a line, read from standard input",
  options: { remove: { value: null, about: "forget them" } },
  async run({ control, readInput }, values) {
    const headers = values.has("remove") ? null : await readInput();
    const names = Object.keys(fieldsFromText(headers ?? "") ?? {});
    if (headers !== null && names.length === 0) {
      throw new UsageError('There are no headers on standard input: lines of the form "Name: value".');
    }
    const view = await control.call("setTelemetryHeaders", { headers });
    const text = headers === null ? "The headers are forgotten." : `The headers are kept: ${names.join(", ")}.`;
    return { json: view, text };
  },
};

export const testTelemetry: Command = {
  name: "telemetry test",
  about: "send one empty message to the receiver",
  options: {},
  async run({ control }) {
    const test = await control.call("testTelemetry");
    if (!test.ok) return { json: test, text: "", failure: test.message };
    return { json: test, text: `The receiver responds, in ${test.ms} ms.` };
  },
};

export const makeMetricsKey: Command = {
  name: "telemetry key",
  about: "make the key of /metrics, in the place of an earlier one; it is shown this once",
  options: { remove: { value: null, about: "switch /metrics off instead" } },
  async run({ control }, values) {
    if (values.has("remove")) {
      const view = await control.call("removeMetricsKey");
      return { json: view, text: "There is no /metrics any more." };
    }
    const made = await control.call("makeMetricsKey");
    return { json: made, text: made.secret };
  },
};
