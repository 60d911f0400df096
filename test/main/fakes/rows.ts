import type { ConnectionView, CredentialHealth } from "../../../gateway/contract/connection.ts";
import type { State } from "../../../gateway/contract/control.ts";
import type { KeyView } from "../../../gateway/contract/key.ts";
import type { TaskRow } from "../../../gateway/contract/tasks.ts";

/** Rows as the gateway tells them, for what the shell makes of them. */

export const taskRow = (change: Partial<TaskRow> = {}): TaskRow => ({
  id: "vt_1",
  public_id: "vt_1",
  model: "wan2.5-t2v",
  provider: "dashscope",
  key: "key_1",
  client: "curl",
  status: "succeeded",
  progress: null,
  created_at: 1_000,
  finished_at: 2_000,
  seconds: 5,
  resolution: "720p",
  ratio: "16:9",
  prompt: "A gate opens",
  nano: 420_000_000,
  priced: true,
  sandbox: false,
  error: null,
  webhook: null,
  media: null,
  ...change,
});

export const connectionView = (
  states: readonly CredentialHealth["state"][],
  change: Partial<ConnectionView> = {},
): ConnectionView => ({
  id: "conn_1",
  provider: "openai",
  name: "OpenAI",
  base_url: "https://api.openai.com/v1",
  priority: 0,
  enabled: true,
  origin: "created",
  present: true,
  stands_in: true,
  prompt_caching: null,
  allow_http: false,
  created_at: 0,
  last_success_at: null,
  credentials: states.map((state) => ({
    hint: "sk-ab…wxyz",
    state,
    until: null,
    since: null,
    reason: null,
    unreachable: false,
    models: [],
  })),
  models: { count: 1, checked_at: null, error: null },
  ...change,
});

export const keyView = (change: Partial<KeyView> = {}): KeyView => ({
  id: "key_1",
  name: "Laptop",
  models: null,
  limit_usd: 10,
  reset: "monthly",
  expires_at: null,
  rpm: null,
  concurrency: null,
  hosted_tools: null,
  stored_objects: null,
  hint: "sk-ab…wxyz",
  created_at: 0,
  disabled: false,
  origin: "created",
  state: "active",
  spent_nano: 0,
  held_nano: 0,
  in_flight: 0,
  ends_at: null,
  last_used_at: null,
  ...change,
});

/** The part of the state that budgets are read from. */
export const stateWith = (spentNano: number, budgetNano: number | null): State =>
  ({ month: { nano: spentNano }, monthly_budget_nano: budgetNano }) as unknown as State;
