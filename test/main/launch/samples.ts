import type { ConnectionView } from "../../../gateway/contract/connection.ts";
import type { ModelView, State } from "../../../gateway/contract/control.ts";
import type { Totals } from "../../../gateway/contract/totals.ts";
import type { KeyView } from "../../../gateway/contract/key.ts";

/** Views as the control API gives them, each whole; tests change the fields that they are about. */

export const sampleKey: KeyView = {
  id: "key_1",
  name: "laptop",
  hint: "sk-ab…wxyz",
  models: null,
  limit_usd: null,
  reset: "never",
  expires_at: null,
  rpm: null,
  concurrency: null,
  created_at: 1_790_000_000_000,
  disabled: false,
  origin: "created",
  state: "active",
  spent_nano: 12_400_000_000,
  held_nano: 0,
  in_flight: 0,
  last_used_at: null,
};

export const sampleConnection: ConnectionView = {
  id: "con_1",
  vendor: "openai-compatible",
  name: "OpenRouter",
  base_url: "https://openrouter.ai/api/v1",
  priority: 100,
  enabled: true,
  origin: "created",
  created_at: 1_790_000_000_000,
  credentials: [{ hint: "sk-or…9f2c", state: "ready", until: null, reason: null }],
  models: { count: 340, checked_at: 1_790_000_000_000, error: null },
};

export const sampleModel: ModelView = {
  id: "gpt-5.2",
  vendor: "openai",
  connections: ["con_1"],
  capabilities: ["chat"],
  context_length: 400_000,
  input_nano_per_million: 1_750_000_000,
  output_nano_per_million: 14_000_000_000,
  sandbox: false,
};

export const sampleTotals: Totals = {
  requests: 12,
  errors: 1,
  input_tokens: 3_400,
  cached_input_tokens: 100,
  output_tokens: 560,
  reasoning_tokens: 70,
  nano: 42_000_000,
  unpriced_requests: 2,
  sandbox_requests: 3,
  sandbox_nano: 5,
};

export const sampleState: State = {
  version: "0.1.0",
  url: "http://127.0.0.1:6174",
  pid: 4711,
  data_dir: "/home/someone/.local/share/postern",
  started_at: 1_790_000_000_000,
  status: "running",
  sandbox: { mode: "auto", active: true },
  connections: 0,
  in_flight: 0,
  today: sampleTotals,
  month: sampleTotals,
  monthly_budget_nano: null,
  notices: [],
};
