import type { ControlInput } from "../../gateway/contract/control.ts";
import type { RequestFilter as Filter } from "../../gateway/contract/list.ts";

/** First part of each query's key: what events renew. */
export const queryNames = {
  state: "state",
  keys: "keys",
  budgets: "budgets",
  spenders: "spenders",
  connections: "connections",
  presets: "presets",
  models: "models",
  routes: "routes",
  routeEffect: "routeEffect",
  requests: "requests",
  running: "running",
  request: "request",
  recordings: "recordings",
  sessions: "sessions",
  turns: "turns",
  turn: "turn",
  usage: "usage",
  history: "history",
  historyPreview: "historyPreview",
  whatIf: "whatIf",
  monthDays: "monthDays",
  tasks: "tasks",
  task: "task",
  taskTimes: "taskTimes",
  webhooks: "webhooks",
  media: "media",
  mediaItem: "mediaItem",
  mcp: "mcp",
  clients: "clients",
  foundKeys: "foundKeys",
  localServers: "localServers",
  clientPlan: "clientPlan",
  settings: "settings",
  address: "address",
  backups: "backups",
  keyProtection: "keyProtection",
  dataFolder: "dataFolder",
  priceList: "priceList",
  search: "search",
  telemetry: "telemetry",
  autostart: "autostart",
  closeToTray: "close-to-tray",
  updates: "updates",
  licences: "licences",
  imports: "imports",
  importPreview: "importPreview",
  setupUndo: "setupUndo",
  appliedSetups: "appliedSetups",
  configPreview: "configPreview",
} as const;

/** Which requests a list shows. */
export type RequestFilter = Partial<Filter>;

/** Which tasks a list shows, and how it is sorted: the query of `listTasks` without its place. */
export type TaskFilter = Omit<ControlInput<"listTasks">, "limit" | "offset">;
