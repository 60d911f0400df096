import { describe, expect, it } from "vitest";
import type { TelemetryView } from "../../../gateway/contract/telemetry.ts";
import { startFakeControl, runWith } from "./fake-control.ts";

const off: TelemetryView = {
  endpoint: null,
  headers: [],
  queued: 0,
  exported: 0,
  dropped: 0,
  exported_at: null,
  problem: null,
  metrics_key: null,
  scraped_at: null,
};
const on: TelemetryView = {
  ...off,
  endpoint: "http://127.0.0.1:4318",
  headers: ["authorization", "x-tenant"],
  queued: 2,
  exported: 40,
  dropped: 1,
  exported_at: Date.UTC(2026, 10, 24, 9),
  metrics_key: { hint: "tok-m…x7Qd", created_at: 0 },
};
const HEADERS = "POST /control/telemetry/headers";

describe("telemetry show", () => {
  it.each<[TelemetryView, readonly string[]]>([
    [
      off,
      [
        'OTLP     sent to nobody; "postern settings set --otlp-endpoint URL" names a receiver',
        'Metrics  /metrics is off; "postern telemetry key" makes its key',
      ],
    ],
    [
      on,
      [
        "OTLP       sent to http://127.0.0.1:4318",
        "Headers    authorization, x-tenant",
        "Spans      40 sent, 2 waiting, 1 dropped",
        "Last sent  2026-11-24T09:00:00.000Z",
        "Metrics    /metrics opens with the key tok-m…x7Qd",
      ],
    ],
    [
      { ...off, endpoint: "http://127.0.0.1:4318", problem: "The receiver did not respond." },
      [
        "OTLP       sent to http://127.0.0.1:4318",
        "Headers    none",
        "Spans      0 sent, 0 waiting, 0 dropped",
        "Last sent  never",
        "Problem    The receiver did not respond.",
        'Metrics    /metrics is off; "postern telemetry key" makes its key',
      ],
    ],
  ])("tells how it stands: %j", async (body, lines) => {
    const { code, out } = await runWith({ "GET /control/telemetry": { body } }, ["telemetry", "show"]);
    expect({ code, out }).toEqual({ code: 0, out: lines.join("\n") });
  });
});

describe("telemetry headers", () => {
  it.each<[string[], string, unknown, string]>([
    [
      [],
      "Authorization: Bearer abc\nx-tenant=one\n",
      "Authorization: Bearer abc\nx-tenant=one\n",
      "The headers are kept: authorization, x-tenant.",
    ],
    [["--remove"], "", null, "The headers are forgotten."],
  ])("%j", async (options, input, headers, said) => {
    await using control = await startFakeControl({ [HEADERS]: { body: on } });
    const { code, out } = await control.run(["telemetry", "headers", ...options], { input });
    expect({ code, out }).toEqual({ code: 0, out: said });
    expect(control.calls.at(-1)?.body).toEqual({ headers });
  });

  it.each(["", "  \n", "nonsense"])("refuses %j", async (input) => {
    await using control = await startFakeControl({ [HEADERS]: { body: on } });
    const { code } = await control.run(["telemetry", "headers"], { input });
    expect(code).toBe(2);
    expect(control.calls).toEqual([]);
  });
});

describe("telemetry test", () => {
  it.each([
    [{ ok: true, ms: 12, message: "" }, 0, "The receiver responds, in 12 ms."],
    [{ ok: false, ms: 12, message: "The receiver did not respond." }, 1, ""],
  ])("says what came of it: %j", async (body, code, out) => {
    const result = await runWith({ "POST /control/telemetry/test": { body } }, ["telemetry", "test"]);
    expect({ code: result.code, out: result.out }).toEqual({ code, out });
  });
});

describe("telemetry key", () => {
  it("prints the key alone, to be written into a file", async () => {
    const body = { telemetry: on, secret: "tok-metrics-abc" };
    const { code, out } = await runWith({ "POST /control/telemetry/key": { body } }, ["telemetry", "key"]);
    expect({ code, out }).toEqual({ code: 0, out: "tok-metrics-abc" });
  });

  it("switches /metrics off", async () => {
    const { code, out } = await runWith({ "DELETE /control/telemetry/key": { body: off } }, [
      "telemetry",
      "key",
      "--remove",
    ]);
    expect({ code, out }).toEqual({ code: 0, out: "There is no /metrics any more." });
  });
});
