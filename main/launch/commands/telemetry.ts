import { fieldsFromText } from "../../../gateway/contract/telemetry.ts";
import type { TelemetryView } from "../../../gateway/contract/telemetry.ts";
import { UsageError } from "../command-errors.ts";
import type { Command } from "../command.ts";
import { mirror } from "../mirror.ts";
import { printFacts } from "../table.ts";

function printTelemetry(view: TelemetryView): string {
  const { endpoint, headers, exported, queued, dropped, exported_at: at, problem, metrics_key: key } = view;
  return printFacts({
    OTLP:
      endpoint === null
        ? 'sent to nobody; "postern settings set --otlp-endpoint URL" names a receiver'
        : `sent to ${endpoint}`,
    ...(endpoint !== null && {
      Headers: headers.length === 0 ? "none" : headers,
      Spans: `${exported} sent, ${queued} waiting, ${dropped} dropped`,
      "Last sent": at === null ? "never" : new Date(at).toISOString(),
      Problem: problem,
    }),
    Metrics:
      key === null
        ? '/metrics is off; "postern telemetry key" makes its key'
        : `/metrics opens with the key ${key.hint}`,
  });
}

export const telemetryCommands: readonly Command[] = [
  mirror("telemetry show", "telemetry", "where telemetry is sent, what became of it, and whether /metrics is on", {
    print: printTelemetry,
  }),
  {
    name: "telemetry headers",
    about: "keep headers for the receiver, one a line, read from standard input",
    options: { remove: { value: null, about: "forget them" } },
    async run({ control, readInput }, values) {
      const headers = values.has("remove") ? null : await readInput();
      const names = Object.keys(fieldsFromText(headers ?? "") ?? {});
      if (headers !== null && names.length === 0)
        throw new UsageError('There are no headers on standard input: lines of the form "Name: value".');
      const view = await control.call("setTelemetryHeaders", { headers });
      const text = headers === null ? "The headers are forgotten." : `The headers are kept: ${names.join(", ")}.`;
      return { json: view, text };
    },
  },
  mirror("telemetry test", "testTelemetry", "send one empty message to the receiver", {
    print: ({ ok, ms, message }) => (ok ? `The receiver responds, in ${ms} ms.` : { failure: message }),
  }),
  {
    name: "telemetry key",
    about: "make the key of /metrics, in the place of an earlier one; it is shown this once",
    options: { remove: { value: null, about: "switch /metrics off instead" } },
    async run({ control }, values) {
      if (values.has("remove"))
        return { json: await control.call("removeMetricsKey"), text: "There is no /metrics any more." };
      const made = await control.call("makeMetricsKey");
      return { json: made, text: made.secret };
    },
  },
];
