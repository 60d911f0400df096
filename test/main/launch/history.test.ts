import { describe, expect, it } from "vitest";
import type { HistoryImport, HistoryView, WhatIf } from "../../../gateway/contract/history.ts";
import type { Totals } from "../../../gateway/contract/totals.ts";
import { refusal, startFakeControl, runWith } from "./fake-control.ts";

const AT = Date.UTC(2026, 9, 12, 10);
const totals = (requests: number, nano: number): Totals => ({
  requests,
  errors: 0,
  cancelled_requests: 0,
  unknown_requests: 0,
  estimated_requests: 0,
  estimated_nano: 0,
  sandbox_requests: 0,
  sandbox_nano: 0,
  cache_saved_nano: 0,
  input_tokens: 1_000,
  cached_input_tokens: 700,
  output_tokens: 50,
  reasoning_tokens: 10,
  nano,
  unpriced_requests: 0,
});

const view: HistoryView = {
  folders: [],
  running: null,
  agents: [{ agent: "claude-code", sessions: 2, requests: 12, from: AT, to: AT + 86_400_000 }],
  models: [],
  bytes: 2_048,
  damaged: 0,
};

const found: HistoryImport = {
  sources: [
    {
      agent: "claude-code",
      folder: "/home/u/.claude",
      logs: 4,
      new_logs: 2,
      bytes: 1_048_576,
      sessions: 2,
      from: AT,
      to: AT,
      requests: 12,
      tokens: 1_050,
    },
  ],
  new_totals: totals(11, 250_000_000),
  through_postern: totals(1, 5_000_000),
  receipts_complete: true,
  lines: { read: 20, other: 80, broken: 1, too_long: 0 },
  failed: [{ file: "/home/u/.claude/projects/-p/\u001b[31ms.jsonl", message: "it is gone" }],
};

const table = [
  "AGENT        FOLDER           LOGS  NEW     SIZE  SESSIONS  DAYS                      REQUESTS  TOKENS",
  "Claude Code  /home/u/.claude     4    2  1.0 MiB         2  2026-10-12 to 2026-10-12        12    1050",
  "New: 11 requests, 1050 tokens, $0.25 at API prices.",
  "1 more went through Postern (1050 tokens): they have receipts and are left out.",
  "Passed over: 1 broken line, 0 that are too long.",
  "/home/u/.claude/projects/-p/ [31ms.jsonl: it is gone.",
];
const imported = ["Imported of Claude Code: 12 requests of 2 sessions, 2026-10-12 to 2026-10-13.", "It takes 2.0 KiB."];

const whatIf: WhatIf = {
  since: "2026-10-12",
  until: "2026-10-14",
  rows: [
    {
      source: "logs",
      model: "claude-opus-4-6",
      to: "claude-opus-4-8",
      requests: 12,
      input_tokens: 1_000,
      cached_input_tokens: 0,
      output_tokens: 50,
      nano: 250_000_000,
      what_if_nano: 500_000_000,
      unpriced_requests: 2,
      notes: ["cached_at_full", "writes_as_input"],
      too_long: 1,
    },
  ],
  nano: 250_000_000,
  what_if_nano: 500_000_000,
  unpriced_requests: 2,
  tokenizers: [
    { from: "claude-opus-4-6", to: "claude-opus-4-8", relation: "ratio", low: 1, high: 1.35, source: "a page" },
    { from: "a", to: "b", relation: "unknown", low: null, high: null, source: null },
    { from: "c", to: "d", relation: "same", low: null, high: null, source: null },
  ],
  complete: false,
};

describe("history", () => {
  const start = () =>
    startFakeControl({
      "GET /control/history": { body: view },
      "POST /control/history/preview": { body: found },
      "POST /control/history/import": { body: found },
      "DELETE /control/history": { body: { ...view, agents: [] } },
      "POST /control/usage/what-if": { body: whatIf },
    });

  it("shows what logs have before it keeps any of it", async () => {
    await using control = await start();
    const run = (...argv: string[]) => control.run(["history", ...argv]);
    expect((await run("import", "--folder", "/d/.claude", "--folder", "/e")).out.split("\n")).toEqual([
      ...table,
      "",
      ...imported,
      "Nothing of it is imported yet. Add --yes to import it.",
    ]);
    expect((await run("import", "--yes")).out.split("\n")).toEqual([...table, "", ...imported]);
    expect(control.calls.filter(({ method }) => method === "POST").map(({ address, body }) => [address, body])).toEqual(
      [
        ["/control/history/preview", { folders: ["/d/.claude", "/e"] }],
        ["/control/history/import", {}],
      ],
    );
  });

  it("says what a time would have cost, and what that leaves open", async () => {
    await using control = await start();
    const argv = ["what-if", "--to", "gpt-5.5", "--map", "a=b", "--map", "c=d", "--zone", "UTC", "--source", "logs"];
    const { out } = await control.run(argv);
    expect(out.split("\n")).toEqual([
      "2026-10-12 to 2026-10-14.",
      "SOURCE  MODEL            ON               REQUESTS  TOKENS   COST  WHAT IF  NOTES",
      "logs    claude-opus-4-6  claude-opus-4-8        12    1050  $0.25    $0.50  " +
        "cached input at the price of new input: its own is not known; cache writes as input: it sells none; " +
        "2 requests without a price; 1 prompts longer than it takes",
      "all                                                         $0.25    $0.50",
      "Older receipts were not looked at, because they are too many.",
      "The same text has 1 to 1.35 times as many tokens at claude-opus-4-8 as at claude-opus-4-6 (a page); the sums are of as many.",
      "The same text may have more or fewer tokens at b than at a; the sums are of as many.",
      "c and d count tokens alike.",
    ]);
    expect(control.calls[0]?.body).toEqual({ to: "gpt-5.5", models: { a: "b", c: "d" }, zone: "UTC", source: "logs" });
  });

  it("removes what was imported when it is ordered to", async () => {
    await using control = await start();
    const asked = await control.run(["history", "remove"]);
    expect(asked.out).toContain("Add --yes to remove it.");
    expect(control.calls.map(({ method }) => method)).toEqual(["GET"]);
    const done = await control.run(["history", "remove", "--yes"]);
    expect(done.out).toContain("as they were");
  });

  it("names what it takes", async () => {
    const run = (...argv: string[]) =>
      runWith(
        {
          "POST /control/usage/what-if": {
            status: 404,
            body: refusal("model_not_found", "Nothing is known of a model x."),
          },
        },
        argv,
      );
    expect(await run("what-if", "--map", "a")).toMatchObject({ code: 2, error: '--map takes FROM=TO, not "a".' });
    expect(await run("what-if", "--source", "all")).toMatchObject({ code: 2 });
    expect(await run("history", "show", "--by", "day")).toMatchObject({
      code: 2,
      error: '"history show" is now "usage --source logs".',
    });
    expect(await run("what-if", "--to", "x")).toMatchObject({ code: 1, error: "Nothing is known of a model x." });
  });
});
