import * as z from "zod";
import { addressViewSchema } from "./address.ts";
import { budgetOperations } from "./budgets.ts";
import {
  appliedClientSchema,
  applyClientSchema,
  clientCheckSchema,
  clientPlanSchema,
  clientsViewSchema,
  clientViewSchema,
  planClientSchema,
} from "./clients.ts";
import {
  connectionTestSchema,
  connectionViewSchema,
  createConnectionSchema,
  updateConnectionSchema,
  providerIdSchema,
} from "./connection.ts";
import { OPEN_SESSION } from "./control-paths.ts";
import { largeOperation, none, operation, type ControlOperation } from "./control-operation.ts";
import { connectFoundKeySchema, foundKeySchema } from "./found-keys.ts";
import { historyOperations } from "./history.ts";
import { sourceFilterSchema } from "./list.ts";
import { localServerSchema, useLocalServerSchema } from "./local-servers.ts";
import { noticeSchema } from "./notice.ts";
import { createKeySchema, createdKeySchema, keyViewSchema, updateKeySchema } from "./key.ts";
import { cancelTrialSchema, mcpViewSchema, triedToolSchema, tryToolSchema } from "./mcp.ts";
import {
  deletedMediaSchema,
  listMediaSchema,
  mediaIdsSchema,
  mediaPageSchema,
  mediaPosterSchema,
  mediaViewSchema,
} from "./media.ts";
import {
  acceptPriceListSchema,
  dropPriceListSchema,
  listPriceChangesSchema,
  priceChangesSchema,
  priceListViewSchema,
} from "./price-list.ts";
import { modelFactsQuerySchema, modelFactsSchema } from "./playground.ts";
import { modelViewSchema, modelIdSchema, setAliasSchema, setPriceSchema } from "./model-view.ts";
import { importOperations } from "./import-operations.ts";
import { requestOperations } from "./request-operations.ts";
import { routeOperations } from "./route-operations.ts";
import { setupOperations } from "./setup-operations.ts";
import { listTasksSchema, resolveTaskSchema, taskDetailSchema, taskPageSchema, webhooksViewSchema } from "./tasks.ts";
import { totalsSchema } from "./totals.ts";
import { searchTestSchema, searchViewSchema, setSearchKeySchema } from "./search.ts";
import {
  madeMetricsKeySchema,
  setTelemetryHeadersSchema,
  telemetryTestSchema,
  telemetryViewSchema,
} from "./telemetry.ts";
import { settingsSchema } from "./settings-schema.ts";
import { backupsViewSchema, dataFolderViewSchema, keyProtectionSchema, madeBackupSchema } from "./maintenance.ts";
import { usageCellsInputSchema, usageCellsSchema, usageSeriesInputSchema, usageSeriesSchema } from "./usage.ts";

/**
 * The control API, used by the pages and the `postern` command. Plain JSON routes under `/control`, a bearer on each
 * (never an `sk-` key), described once here; the server validates with these schemas and the client is typed from them
 * (docs/decisions/control-api.md).
 *
 * Money is `…_nano`: integers of 10⁻⁹ USD. Times are Unix milliseconds.
 */

const count = z.number().int().nonnegative();

export const stateSchema = z.object({
  version: z.string(),
  url: z.string(),
  pid: z.number().int(),
  data_dir: z.string(),
  started_at: z.number().int(),
  /**
   * `running`, or `stopping` while it drains; `paused` by the user, until resumed or restarted; `storage` if the disk
   * refuses writes, so that paid calls are refused.
   */
  status: z.enum(["running", "stopping", "paused", "storage"]),
  sandbox: z.object({ mode: z.enum(["on", "off", "auto"]), active: z.boolean() }),
  /** Real providers, enabled. */
  connections: count,
  in_flight: count,
  /** The day so far in the zone of the machine that Postern runs on. */
  today: totalsSchema,
  /** The UTC month, which the budget is of. */
  month: totalsSchema,
  monthly_budget_nano: count.nullable(),
  /** When it is used up at the current pace; null without one, or if it lasts, is used up, or too little is known. */
  monthly_budget_ends_at: z.number().int().nullable(),
  notices: z.array(noticeSchema),
});
export type State = z.infer<typeof stateSchema>;

export const usageRowSchema = z.object({ group: z.string(), totals: totalsSchema });
export type UsageRow = z.infer<typeof usageRowSchema>;

/** A ready-made provider choice for "Add connection". */
export const presetSchema = z.object({
  id: z.string(),
  label: z.string(),
  provider: providerIdSchema,
  base_url: z.string(),
  /** Whether it wants a key. */
  needs_key: z.boolean(),
  /** Page on which its keys are made; null for local servers. */
  keys_url: z.string().nullable(),
  /** Whether it has a cache that prompts can be marked for. */
  caches: z.boolean(),
});
export type Preset = z.infer<typeof presetSchema>;

/** Whether a proxy in use opens a tunnel to the provider of one connection. Its login is shown as `***`. */
const proxyCheckSchema = z.object({ proxy: z.string(), connection: z.string(), ok: z.boolean(), message: z.string() });
export type ProxyCheck = z.infer<typeof proxyCheckSchema>;

const ok = z.object({ ok: z.literal(true) });
const list = <T extends z.ZodType>(item: T) => z.object({ data: z.array(item) });

export const controlOperations = {
  /** Exchanges the one-time token of the ready line for a bearer. The only operation without a bearer. */
  openSession: operation(
    OPEN_SESSION.method,
    OPEN_SESSION.path,
    z.object({ token: z.string().min(1).max(200) }).strict(),
    z.object({ bearer: z.string() }),
  ),
  state: operation("GET", "/control/state", none, stateSchema),
  listKeys: operation("GET", "/control/keys", none, list(keyViewSchema)),
  createKey: operation("POST", "/control/keys", createKeySchema, createdKeySchema),
  /** The first key of a new data folder with its secret; null once it was used or revoked, and in the next process. */
  firstKey: operation("GET", "/control/first-key", none, z.object({ created: createdKeySchema.nullable() })),
  updateKey: operation("PATCH", "/control/keys/:id", updateKeySchema, keyViewSchema),
  /** Revoking cannot be undone: the key is refused from now on and forgotten; its receipts stay. */
  revokeKey: operation("DELETE", "/control/keys/:id", none, ok),
  listConnections: operation("GET", "/control/connections", none, list(connectionViewSchema)),
  createConnection: operation("POST", "/control/connections", createConnectionSchema, connectionViewSchema),
  updateConnection: operation("PATCH", "/control/connections/:id", updateConnectionSchema, connectionViewSchema),
  removeConnection: operation("DELETE", "/control/connections/:id", none, ok),
  /** Tests a connection before it is added, or before its key is replaced; nothing is stored. */
  tryConnection: operation("POST", "/control/connection-tests", createConnectionSchema, connectionTestSchema),
  testConnection: operation("POST", "/control/connections/:id/test", none, connectionTestSchema),
  /** Resets learned lessons: requests are sent unchanged until the server refuses them again. */
  forgetLearned: operation("POST", "/control/connections/:id/forget-learned", none, connectionViewSchema),
  /** Lists provider keys in environment variables, by name, whose providers are not connected yet. */
  listFoundKeys: operation("GET", "/control/found-keys", none, list(foundKeySchema)),
  /** Makes a connection of one of them. */
  connectFoundKey: operation("POST", "/control/found-keys/connect", connectFoundKeySchema, connectionViewSchema),
  /** Opens a tunnel through each proxy in use, to one provider, and sends nothing through it. */
  checkProxies: operation("POST", "/control/proxies/check", none, list(proxyCheckSchema)),
  /** Local model servers: detected, connected, dismissed. */
  listLocalServers: operation("GET", "/control/local-servers", none, list(localServerSchema)),
  useLocalServer: operation("POST", "/control/local-servers/:id/use", useLocalServerSchema, connectionViewSchema),
  /** Dismisses a server, which is not offered again. */
  refuseLocalServer: operation("POST", "/control/local-servers/:id/refuse", none, ok),
  /** Takes the decision back, whatever it was. */
  forgetLocalServer: operation("DELETE", "/control/local-servers/:id", none, ok),
  listPresets: operation("GET", "/control/presets", none, list(presetSchema)),
  /** Lists all served models, and those that only an alias or a custom price names. */
  listModels: operation("GET", "/control/models", none, list(modelViewSchema)),
  /** Gives a model a name of the owner's, or moves that name to another model. */
  setAlias: operation("POST", "/control/models/alias", setAliasSchema, modelViewSchema),
  removeAlias: operation("POST", "/control/models/alias/remove", z.object({ name: modelIdSchema }).strict(), ok),
  /** Sets the model's price for new calls; running calls keep theirs. */
  setPrice: operation("POST", "/control/models/price", setPriceSchema, modelViewSchema),
  /** Removes a custom price, so that the catalog's applies. */
  removePrice: operation("POST", "/control/models/price/remove", z.object({ model: modelIdSchema }).strict(), ok),
  ...routeOperations,
  ...budgetOperations,
  ...setupOperations,
  ...importOperations,
  /** Returns the accepted price list, which overrides the catalog, and the offered one. */
  priceList: operation("GET", "/control/price-list", none, priceListViewSchema),
  /** Fetches it from the URL of the settings and offers it. Nothing costs otherwise until it is accepted. */
  refreshPriceList: operation("POST", "/control/price-list/refresh", none, priceListViewSchema),
  /** Lists the changes that the offered list would make. */
  listPriceChanges: operation("GET", "/control/price-list/changes", listPriceChangesSchema, priceChangesSchema),
  /** Bills later calls by the offered list. */
  acceptPriceList: operation("POST", "/control/price-list/accept", acceptPriceListSchema, priceListViewSchema),
  dropPriceList: operation("POST", "/control/price-list/drop", dropPriceListSchema, priceListViewSchema),
  /** Returns the options that a model accepts: sizes, voices, durations, and the request format. */
  modelFacts: operation("GET", "/control/model-facts", modelFactsQuerySchema, modelFactsSchema),
  /** Sums per group, largest spend first. `since`/`until` are inclusive UTC days `YYYY-MM-DD`; default: this month. */
  usage: operation(
    "GET",
    "/control/usage",
    z
      .object({
        since: z.string().optional(),
        until: z.string().optional(),
        by: z.enum(["model", "key", "client", "endpoint", "project", "day"]).optional(),
        source: sourceFilterSchema.optional(),
      })
      .strict(),
    z.object({ since: z.string(), until: z.string(), total: totalsSchema, data: z.array(usageRowSchema) }),
  ),
  /** Returns usage over time: by hour or day, with response times. */
  usageSeries: operation("GET", "/control/usage/series", usageSeriesInputSchema, usageSeriesSchema),
  /** Every bucket of every group, for export. */
  usageCells: operation("GET", "/control/usage/cells", usageCellsInputSchema, usageCellsSchema),
  ...historyOperations,
  ...requestOperations,
  /** Lists the models' results, newest first, each with a link that works for 24 hours. */
  listMedia: operation("GET", "/control/media", listMediaSchema, mediaPageSchema),
  getMedia: operation("GET", "/control/media/:id", none, mediaViewSchema),
  /** Takes results out of the library. Their files are removed when the time for undoing it is over. */
  deleteMedia: operation("POST", "/control/media/delete", mediaIdsSchema, deletedMediaSchema),
  restoreMedia: operation(
    "POST",
    "/control/media/restore",
    mediaIdsSchema,
    z.object({ restored: z.array(z.string()) }),
  ),
  /** Makes a link to a ZIP of these results with what each came from; it works for ten minutes. */
  exportMedia: operation("POST", "/control/media/export", mediaIdsSchema, z.object({ link: z.string() })),
  setPoster: operation("POST", "/control/media/:id/poster", mediaPosterSchema, ok),
  /** Video tasks of all keys. */
  listTasks: operation("GET", "/control/tasks", listTasksSchema, taskPageSchema),
  getTask: operation("GET", "/control/tasks/:id", none, taskDetailSchema),
  cancelTask: operation("POST", "/control/tasks/:id/cancel", none, taskDetailSchema),
  /** Asks the provider now. */
  refreshTask: operation("POST", "/control/tasks/:id/refresh", none, taskDetailSchema),
  /** Submits the same request again, with the same key. */
  repeatTask: operation("POST", "/control/tasks/:id/repeat", none, taskDetailSchema),
  resolveTask: operation("POST", "/control/tasks/:id/resolve", resolveTaskSchema, taskDetailSchema),
  /** Resends the newest webhook of a task immediately; enables its receiver if it is disabled. */
  resendWebhook: operation("POST", "/control/tasks/:id/resend", none, taskDetailSchema),
  webhooks: operation("GET", "/control/webhooks", none, webhooksViewSchema),
  /** A new secret; the earlier one signs too for 24 hours. */
  rotateWebhookSecret: operation("POST", "/control/webhooks/rotate", none, webhooksViewSchema),
  enableReceiver: operation(
    "POST",
    "/control/webhooks/enable",
    z.object({ url: z.string().max(2_048) }).strict(),
    webhooksViewSchema,
  ),
  /** The tool server: its address, its tools, its newest calls. */
  mcp: operation("GET", "/control/mcp", none, mcpViewSchema),
  /** Calls a tool on behalf of a key. A tool that refuses answers with `is_error`. */
  tryTool: largeOperation("POST", "/control/mcp/call", tryToolSchema, triedToolSchema),
  /** Cancels a call that `tryTool` started under this name: its response says so, with its cost. */
  cancelTrial: operation("POST", "/control/mcp/cancel", cancelTrialSchema, ok),
  /** Programs of the machine on which Postern runs, and how they are connected to it. */
  listClients: operation("GET", "/control/clients", none, clientsViewSchema),
  /** Returns the changes that connecting a client would make in its files. Nothing is written. */
  planClient: operation("POST", "/control/clients/:id/plan", planClientSchema, clientPlanSchema),
  /** Makes the client's key and writes its files, as the plan with this token showed. */
  connectClient: operation("POST", "/control/clients/:id/connect", applyClientSchema, appliedClientSchema),
  /** Makes a real call for each part, as the client would make it. */
  checkClient: operation("POST", "/control/clients/:id/check", none, list(clientCheckSchema)),
  /** Rewrites the models of a connected app's picker; its key stays. */
  refreshClient: operation("POST", "/control/clients/:id/refresh", none, clientViewSchema),
  planClientUndo: operation("POST", "/control/clients/:id/undo-plan", none, clientPlanSchema),
  /** Puts the client's files back and revokes its key. */
  undoClient: operation(
    "POST",
    "/control/clients/:id/undo",
    z.object({ token: z.string().max(200) }).strict(),
    clientViewSchema,
  ),
  getSettings: operation("GET", "/control/settings", none, settingsSchema),
  updateSettings: operation("PATCH", "/control/settings", settingsSchema.partial().strict(), settingsSchema),
  /** Returns the state of Postern's web search: key, price, problem. */
  search: operation("GET", "/control/search", none, searchViewSchema),
  setSearchKey: operation("POST", "/control/search/key", setSearchKeySchema, searchViewSchema),
  /** Runs a real search, which the service may charge. */
  testSearch: operation("POST", "/control/search/test", none, searchTestSchema),
  /** Returns the data sent to the owner's receiver, and the key of `/metrics`. */
  telemetry: operation("GET", "/control/telemetry", none, telemetryViewSchema),
  setTelemetryHeaders: operation("POST", "/control/telemetry/headers", setTelemetryHeadersSchema, telemetryViewSchema),
  /** Sends an empty message for each signal. */
  testTelemetry: operation("POST", "/control/telemetry/test", none, telemetryTestSchema),
  /** Creates a new key of `/metrics`, shown only here; the earlier one becomes invalid. */
  makeMetricsKey: operation("POST", "/control/telemetry/key", none, madeMetricsKeySchema),
  /** Without a key there is no `/metrics`. */
  removeMetricsKey: operation("DELETE", "/control/telemetry/key", none, telemetryViewSchema),
  /** Writes a snapshot now and copies it, with journal and usage, to a folder of the data folder. */
  /**
   * `without_key` leaves out `secret.key`: provider keys in the backup then open only with the key of this data folder.
   */
  backup: operation("POST", "/control/backup", z.object({ without_key: z.boolean().default(false) }), madeBackupSchema),
  listBackups: operation("GET", "/control/backups", none, backupsViewSchema),
  /** Checks a backup and schedules its restore for the next start; the replaced data becomes a backup. Media stay. */
  restoreBackup: operation(
    "POST",
    "/control/backups/restore",
    z.object({ name: z.string().min(1).max(100) }).strict(),
    backupsViewSchema,
  ),
  /** Deletes a backup for good. The one that the next start restores is refused. */
  removeBackup: operation(
    "POST",
    "/control/backups/remove",
    z.object({ name: z.string().min(1).max(100) }).strict(),
    backupsViewSchema,
  ),
  /** The next start restores nothing. */
  cancelRestore: operation("POST", "/control/backups/cancel", none, backupsViewSchema),
  /** How the provider keys are protected on the disk. */
  keyProtection: operation("GET", "/control/key-protection", none, keyProtectionSchema),
  /** Has the keychain take over from the key file, in the backups too. Starts without a desktop cannot open it then. */
  moveToKeychain: operation("POST", "/control/key-protection/move", none, keyProtectionSchema),
  /** Returns the content of the data folder. With a large library it takes some seconds. */
  dataFolder: operation("GET", "/control/data-folder", none, dataFolderViewSchema),
  /** Makes a link to a ZIP for support, without secrets and prompts; it works once and for ten minutes. */
  diagnostics: operation("POST", "/control/diagnostics", none, z.object({ link: z.string() })),
  /**
   * Restarts Postern if it runs without the desktop app. `token` then opens the pages, at the next address given by
   * `address`.
   */
  restart: operation("POST", "/control/restart", none, z.object({ token: z.string() })),
  /** Returns the key with which the browser encrypts stored conversations of the playground: 32 bytes as base64. */
  playgroundKey: operation("POST", "/control/playground-key", none, z.object({ key: z.string() })),
  /**
   * Brings the window to the front, on the page of a `postern:` link if given. `shown` is false if Postern has no
   * window.
   */
  showWindow: operation(
    "POST",
    "/control/window",
    z.object({ link: z.string().max(4096).nullable().default(null) }),
    z.object({ shown: z.boolean() }),
  ),
  /** Returns the address at which Postern listens now, and after the next start. */
  address: operation("GET", "/control/address", none, addressViewSchema),
  /** Refuses client requests with `paused` until resumed. Running requests complete; tasks and webhooks go on. */
  pause: operation("POST", "/control/pause", none, stateSchema),
  resume: operation("POST", "/control/resume", none, stateSchema),
  /** A fresh address of the pages with a one-time token, for `postern open` and for reloading the desktop window. */
  issuePageToken: operation("POST", "/control/page-token", none, z.object({ url: z.string(), token: z.string() })),
  dismissNotice: operation("DELETE", "/control/notices/:id", none, ok),
} as const satisfies Record<string, ControlOperation>;

export type ControlName = keyof typeof controlOperations;
export type ControlInput<N extends ControlName> = z.input<(typeof controlOperations)[N]["input"]>;
/** The input after the check: figures of a query are numbers. */
export type CheckedInput<N extends ControlName> = z.output<(typeof controlOperations)[N]["input"]>;
export type ControlOutput<N extends ControlName> = z.output<(typeof controlOperations)[N]["output"]>;

/** Handlers of the control operations. `id` is the `:id` of the path, empty if it has no such part. */
export type ControlHandlers = {
  [N in ControlName]: (input: CheckedInput<N>, id: string) => Promise<ControlOutput<N>> | ControlOutput<N>;
};
