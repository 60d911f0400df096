import type { BudgetView } from "../../../gateway/contract/budgets.ts";
import type { State } from "../../../gateway/contract/control.ts";
import type { TaskDetail, TaskRow, WebhooksView } from "../../../gateway/contract/tasks.ts";
import type { Totals } from "../../../gateway/contract/totals.ts";
import { connectionView, credentialHealth, keyView, modelView } from "../../support/views.ts";

/** Views as the control API gives them, each whole; tests change the fields that they are about. */

export const sampleKey = keyView({ name: "laptop", created_at: 1_790_000_000_000, spent_nano: 12_400_000_000 });

export const sampleBudget: BudgetView = {
  scope: { kind: "client", name: "claude-*" },
  seen: true,
  reset: "monthly",
  limit_usd: 60,
  created_at: 1_790_000_000_000,
  spent_nano: 12_400_000_000,
  held_nano: 0,
  left_nano: 47_600_000_000,
  resets_at: 1_795_000_000_000,
  ends_at: null,
};

export const sampleConnection = connectionView({
  provider: "openai-compatible",
  name: "OpenRouter",
  base_url: "https://openrouter.ai/api/v1",
  priority: 100,
  created_at: 1_790_000_000_000,
  last_success_at: 1_790_000_000_000,
  learned: [],
  credentials: [credentialHealth({ hint: "sk-or…9f2c" })],
  models: { count: 340, checked_at: 1_790_000_000_000, error: null },
});

export const sampleModel = modelView({
  id: "gpt-5.2",
  name: "GPT-5.2",
  capabilities: ["chat"],
  context_length: 400_000,
  input_nano_per_million: 1_750_000_000,
  output_nano_per_million: 14_000_000_000,
});

export const sampleTotals: Totals = {
  requests: 12,
  errors: 1,
  cancelled_requests: 4,
  input_tokens: 3_400,
  cached_input_tokens: 100,
  output_tokens: 560,
  reasoning_tokens: 70,
  nano: 42_000_000,
  unpriced_requests: 2,
  unknown_requests: 1,
  estimated_requests: 2,
  estimated_nano: 5_000_000,
  sandbox_requests: 3,
  sandbox_nano: 5,
  cache_saved_nano: 3,
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
  monthly_budget_ends_at: null,
  notices: [],
};

export const sampleTaskRow: TaskRow = {
  id: "vt_01",
  public_id: "vt_01",
  model: "alpha2.6-t2v",
  provider: "dashscope",
  key: "key_1",
  client: "curl",
  status: "succeeded",
  progress: 100,
  created_at: 1_790_000_000_000,
  finished_at: 1_790_000_060_000,
  seconds: 5,
  resolution: "720p",
  ratio: "16:9",
  prompt: "A lighthouse at dusk.",
  nano: 500_000_000,
  priced: true,
  sandbox: false,
  error: null,
  webhook: "delivered",
  media: "media_1",
};

export const sampleDelivery: TaskDetail["deliveries"][number] = {
  id: "msg_1",
  type: "video.task.succeeded",
  at: 1_790_000_060_000,
  url: "https://receiver.example/hook",
  state: "delivered",
  next_at: null,
  attempts: [
    { at: 1_790_000_060_000, status: 503, ms: 12, error: "The receiver responded with 503.", manual: false },
    { at: 1_790_000_120_000, status: 200, ms: 34.4, error: null, manual: true },
  ],
};

export const sampleTask: TaskDetail = {
  ...sampleTaskRow,
  request_id: "req_1",
  connection: "con_1",
  provider_task_id: "provider-1",
  updated_at: 1_790_000_060_000,
  deadline_at: 1_790_003_600_000,
  held_nano: 0,
  full_prompt: "A lighthouse at dusk.",
  webhook_url: "https://receiver.example/hook",
  request: { model: "alpha2.6-t2v" },
  timeline: [
    { at: 1_790_000_000_000, status: "submitted", note: null },
    { at: 1_790_000_060_000, status: "succeeded", note: "The file came at the second try." },
  ],
  native: { output: {} },
  receipt: null,
  deliveries: [sampleDelivery],
  results: [],
  can: { cancel: false, repeat: true, resolve: false, resend: true },
};

export const sampleWebhooks: WebhooksView = {
  secret: "whsec_c2FtcGxlLXNlY3JldC1vZi10aGUtdGVzdHM=",
  from_environment: false,
  previous_until: null,
  pending: 0,
  disabled: [],
  recent: [{ ...sampleDelivery, task: "vt_01", model: "alpha2.6-t2v" }],
};
