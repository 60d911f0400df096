import type {
  HistoryImport,
  HistoryTotals,
  HistoryUsage,
  HistoryView,
  WhatIf,
} from "../../../gateway/contract/history.ts";
import type { FakeControl } from "./fake-control.ts";

/** Imported usage behind the pages: the same whatever time is asked for. */

const FIRST = Date.UTC(2026, 9, 12, 10);
const LAST = Date.UTC(2026, 9, 14, 18);
const DOLLAR = 1_000_000_000;

export const historyTotals = (requests: number, dollars: number, more: Partial<HistoryTotals> = {}): HistoryTotals => ({
  requests,
  subagent_requests: Math.floor(requests / 3),
  input_tokens: requests * 60_000,
  cached_input_tokens: requests * 50_000,
  cache_write_tokens: requests * 4_000,
  output_tokens: requests * 800,
  reasoning_tokens: 0,
  nano: Math.round(dollars * DOLLAR),
  unpriced_requests: 0,
  ...more,
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

const row = (group: string, totals: HistoryTotals): HistoryUsage["data"][number] => ({
  group,
  project: "/home/u/api",
  agent: "claude-code",
  from: FIRST,
  to: LAST,
  totals,
});

export const someHistoryUsage: HistoryUsage = {
  since: "2026-10-12",
  until: "2026-10-14",
  total: historyTotals(480, 31.5, { unpriced_requests: 7 }),
  through_postern: historyTotals(5, 0.4),
  data: [
    row("claude-opus-4-8", historyTotals(300, 25)),
    row("gpt-5.4", historyTotals(173, 6.5)),
    row("house-model", historyTotals(7, 0, { unpriced_requests: 7 })),
  ],
  more_groups: 0,
  days: ["2026-10-12", "2026-10-14"],
  series: [
    { model: "claude-opus-4-8", nano: [10 * DOLLAR, 15 * DOLLAR], tokens: [1_000_000, 2_000_000] },
    { model: "gpt-5.4", nano: [6.5 * DOLLAR, 0], tokens: [900_000, 0] },
  ],
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
  new_totals: historyTotals(88, 5),
  through_postern: historyTotals(2, 0.1),
  receipts_complete: true,
  lines: { read: 200, other: 400, broken: 1, too_long: 0 },
  failed: [{ file: "/home/u/.claude/projects/-p/s.jsonl", message: "it may not be read (EACCES)" }],
};

export const someWhatIf: WhatIf = {
  since: "2026-10-12",
  until: "2026-10-14",
  rows: [
    {
      of: "imported",
      model: "claude-opus-4-8",
      to: "gpt-5.5",
      requests: 300,
      input_tokens: 18_000_000,
      cached_input_tokens: 15_000_000,
      cache_write_tokens: 1_200_000,
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
    "GET /control/history/usage": someHistoryUsage,
    "POST /control/history/preview": someImport,
    "POST /control/history/import": someImport,
    "POST /control/history/what-if": someWhatIf,
    "DELETE /control/history": { ...someHistory, agents: [], damaged: 0 },
  };
  for (const [route, body] of Object.entries(answers)) fake.responses.set(route, { status: 200, body });
}
