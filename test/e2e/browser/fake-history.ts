import type { HistoryImport, HistoryView, WhatIf } from "../../../gateway/contract/history.ts";
import type { Totals } from "../../../gateway/contract/totals.ts";
import { emptyTotals } from "../../../gateway/core/usage/usage-totals.ts";
import type { FakeControl } from "./fake-control.ts";

/** What is imported, for the fake control server, and an estimate: the same whatever time is asked for. */

const FIRST = Date.UTC(2026, 9, 12, 10);
const LAST = Date.UTC(2026, 9, 14, 18);
const DOLLAR = 1_000_000_000;

const totalsOf = (requests: number, dollars: number): Totals => ({
  ...emptyTotals(),
  requests,
  input_tokens: requests * 60_000,
  cached_input_tokens: requests * 50_000,
  output_tokens: requests * 800,
  nano: Math.round(dollars * DOLLAR),
});

export const someHistory: HistoryView = {
  folders: [
    { agent: "claude-code", folder: "/home/u/.claude" },
    { agent: "codex", folder: "/home/u/.codex" },
  ],
  running: null,
  agents: [
    { agent: "claude-code", sessions: 12, requests: 420, from: FIRST, to: LAST },
    { agent: "codex", sessions: 3, requests: 60, from: FIRST, to: LAST },
  ],
  models: ["claude-opus-5-5", "gpt-5.4", "gpt-5.5"],
  bytes: 48_000,
  damaged: 2,
};

export const someImport: HistoryImport = {
  sources: [
    {
      agent: "claude-code",
      folder: "/home/u/.claude",
      logs: 40,
      new_logs: 3,
      bytes: 9_000_000,
      sessions: 3,
      from: FIRST,
      to: LAST,
      requests: 90,
      tokens: 5_400_000,
    },
  ],
  new_totals: totalsOf(88, 5),
  through_postern: totalsOf(2, 0.1),
  receipts_complete: true,
  lines: { read: 200, other: 400, broken: 1, too_long: 0 },
  failed: [{ file: "/home/u/.claude/projects/-p/s.jsonl", message: "it may not be read (EACCES)" }],
};

export const someWhatIf: WhatIf = {
  since: "2026-10-12",
  until: "2026-10-14",
  rows: [
    {
      source: "logs",
      model: "claude-opus-4-8",
      to: "gpt-5.5",
      requests: 300,
      input_tokens: 18_000_000,
      cached_input_tokens: 15_000_000,
      output_tokens: 240_000,
      nano: 25 * DOLLAR,
      what_if_nano: 20 * DOLLAR,
      unpriced_requests: 0,
      notes: ["writes_as_input"],
      too_long: 2,
    },
  ],
  nano: 25 * DOLLAR,
  what_if_nano: 20 * DOLLAR,
  unpriced_requests: 0,
  tokenizers: [{ from: "claude-opus-4-8", to: "gpt-5.5", relation: "unknown", low: null, high: null, source: null }],
  complete: true,
};

export function serveHistory(fake: FakeControl): void {
  const answers: Readonly<Record<string, unknown>> = {
    "GET /control/history": someHistory,
    "POST /control/history/preview": someImport,
    "POST /control/history/import": someImport,
    "POST /control/usage/what-if": someWhatIf,
    "DELETE /control/history": { ...someHistory, agents: [], damaged: 0 },
  };
  for (const [route, body] of Object.entries(answers)) fake.responses.set(route, { status: 200, body });
}
