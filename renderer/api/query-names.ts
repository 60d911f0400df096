import type { ControlInput } from "../../gateway/contract/control.ts";

/** First part of each query's key: what events renew. */
export const queryNames = {
  state: "state",
  keys: "keys",
  connections: "connections",
  presets: "presets",
  models: "models",
  requests: "requests",
  tasks: "tasks",
  request: "request",
  recordings: "recordings",
  usage: "usage",
  task: "task",
  webhooks: "webhooks",
  media: "media",
  mediaItem: "mediaItem",
  mcp: "mcp",
  mcpReceipt: "mcpReceipt",
} as const;

/** Which requests a list shows. */
export interface RequestFilter {
  readonly key?: string;
  readonly model?: string;
}

/** Which tasks a list shows, and how it is sorted: the query of `listTasks` without its place. */
export type TaskFilter = Omit<ControlInput<"listTasks">, "limit" | "offset">;
