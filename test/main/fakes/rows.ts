import type { ConnectionView, CredentialHealth } from "../../../gateway/contract/connection.ts";
import type { State } from "../../../gateway/contract/control.ts";
import type { KeyView } from "../../../gateway/contract/key.ts";
import type { TaskRow } from "../../../gateway/contract/tasks.ts";
import { connectionView, credentialHealth, keyView } from "../../support/views.ts";

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

/** Makes a connection with a key in each of the states. */
export const connectionInStates = (
  states: readonly CredentialHealth["state"][],
  change: Partial<ConnectionView> = {},
): ConnectionView =>
  connectionView({ id: "conn_1", credentials: states.map((state) => credentialHealth({ state })), ...change });

export const limitedKey = (change: Partial<KeyView> = {}): KeyView =>
  keyView({ name: "Laptop", limit_usd: 10, reset: "monthly", ...change });

/** The part of the state that budgets are read from. */
export const stateWith = (spentNano: number, budgetNano: number | null): State =>
  ({ month: { nano: spentNano }, monthly_budget_nano: budgetNano }) as unknown as State;
