import type { ControlHandlers, ProxyCheck } from "../../contract/control.ts";
import type { ManageBudgets } from "../../services/budgets/manage-budgets.ts";
import type { ManageClients } from "../../services/clients/manage-clients.ts";
import type { ListControlModels } from "../../services/models/list-control-models.ts";
import type { FoundKeys } from "../../services/connections/found-keys.ts";
import type { ManageConnections } from "../../services/connections/manage-connections.ts";
import type { ManageServers } from "../../services/connections/manage-servers.ts";
import type { ManageKeys } from "../../services/keys/manage-keys.ts";
import type { ManageModels } from "../../services/models/manage-models.ts";
import type { ManageRoutes } from "../../services/routes/manage-routes.ts";
import type { RouteEffects } from "../../services/routes/route-effects.ts";
import type { Notices } from "../../services/notices.ts";
import type { MediaLibrary } from "../../services/media/media-library.ts";
import { PRESETS } from "../../services/connections/presets.ts";
import type { Pause } from "../../services/pause.ts";
import type { QueryUsage } from "../../services/query-usage.ts";
import type { PriceLists } from "../../services/models/price-lists.ts";
import type { DescribeModel } from "../../services/playground/describe-model.ts";
import type { QueryUsageSeries } from "../../services/usage-series.ts";
import type { ImportHistory } from "../../services/history/import-history.ts";
import type { WhatIf } from "../../services/history/what-if.ts";
import type { RequestLog } from "../../services/recordings/request-log.ts";
import type { ResendRequest } from "../../services/recordings/resend-request.ts";
import type { ReadState } from "../../services/read-state.ts";
import type { WebSearch } from "../../services/search/web-search.ts";
import type { QuerySessions } from "../../services/sessions/query-sessions.ts";
import type { ReadTurn } from "../../services/sessions/read-turn.ts";
import type { FolderKey } from "../../services/folder-key.ts";
import type { AppSettings } from "../../services/settings.ts";
import type { Telemetry } from "../../services/telemetry/telemetry.ts";
import type { ManageTasks } from "../../services/videos/manage-tasks.ts";
import type { DeliverWebhooks } from "../../services/webhooks/deliver-webhooks.ts";
import type { WebhookSecrets } from "../../services/webhooks/webhook-secrets.ts";
import type { McpControl } from "./mcp-control.ts";
import type { Sessions } from "./sessions.ts";
import { createMaintenanceHandlers } from "./maintenance.ts";
import type { MaintenanceDeps } from "./maintenance.ts";
import { setupHandlers } from "./setup.ts";
import type { SetupControlDeps } from "./setup.ts";

export interface ControlDeps {
  readonly checkProxies: () => Promise<readonly ProxyCheck[]>;
  readonly sessions: Sessions;
  readonly state: ReadState;
  readonly keys: ManageKeys;
  readonly budgets: ManageBudgets;
  readonly connections: ManageConnections;
  readonly foundKeys: FoundKeys;
  readonly servers: ManageServers;
  readonly models: ListControlModels;
  readonly manageModels: ManageModels;
  readonly manageRoutes: ManageRoutes;
  readonly routeEffects: RouteEffects;
  readonly describeModel: DescribeModel;
  readonly usage: QueryUsage;
  readonly usageSeries: QueryUsageSeries;
  readonly importHistory: ImportHistory;
  readonly whatIf: WhatIf;
  readonly settings: AppSettings;
  readonly playgroundKey: FolderKey;
  readonly webSearch: WebSearch;
  readonly telemetry: Telemetry;
  /** Aborted when Postern stops. */
  readonly stopping: AbortSignal;
  readonly notices: Notices;
  readonly media: MediaLibrary;
  readonly priceLists: PriceLists;
  readonly tasks: ManageTasks;
  readonly webhooks: DeliverWebhooks;
  readonly webhookSecret: WebhookSecrets;
  readonly mcp: McpControl;
  readonly clients: ManageClients;
  readonly requests: RequestLog;
  readonly resend: ResendRequest;
  readonly querySessions: QuerySessions;
  readonly readTurn: ReadTurn;
  readonly pause: Pause;
  readonly maintenance: MaintenanceDeps;
  readonly setup: SetupControlDeps;
  readonly pagesUrl: (token: string) => string;
}

const OK = { ok: true } as const;

export function createControlHandlers(deps: ControlDeps): ControlHandlers {
  const { sessions, state, keys, connections, usage, settings, notices, tasks, webhooks } = deps;
  return {
    ...createMaintenanceHandlers(deps.maintenance),
    ...setupHandlers(deps.setup),
    openSession: async ({ token }) => ({ bearer: await sessions.open(token) }),
    state: () => state.readSoon(),
    listKeys: async () => ({ data: [...(await keys.list())] }),
    playgroundKey: async () => ({ key: await deps.playgroundKey.read() }),
    createKey: (input) => keys.create(input),
    updateKey: (input, id) => keys.update(id, input),
    revokeKey: async (_input, id) => {
      await keys.revoke(id);
      return OK;
    },
    listConnections: () => ({ data: [...connections.list()] }),
    createConnection: (input) => connections.create(input),
    updateConnection: (input, id) => connections.update(id, input),
    removeConnection: async (_input, id) => {
      await connections.remove(id);
      return OK;
    },
    tryConnection: (input) => connections.tryOut(input),
    testConnection: (_input, id) => connections.test(id),
    forgetLearned: (_input, id) => connections.forgetLearned(id),
    listFoundKeys: () => ({ data: [...deps.foundKeys.list()] }),
    connectFoundKey: ({ variable }) => deps.foundKeys.connect(variable),
    checkProxies: async () => ({ data: [...(await deps.checkProxies())] }),
    listLocalServers: () => ({ data: [...deps.servers.list()] }),
    useLocalServer: ({ other_user }, id) => deps.servers.use(id, other_user === true),
    refuseLocalServer: async (_input, id) => {
      await deps.servers.refuse(id);
      return OK;
    },
    forgetLocalServer: async (_input, id) => {
      await deps.servers.forget(id);
      return OK;
    },
    listPresets: () => ({ data: [...PRESETS] }),
    listModels: () => ({ data: [...deps.models.list()] }),
    setAlias: async ({ name, model }) => deps.models.one(await deps.manageModels.setAlias(name, model)),
    removeAlias: async ({ name }) => {
      await deps.manageModels.removeAlias(name);
      return OK;
    },
    setPrice: async ({ model, rates }) => deps.models.one(await deps.manageModels.setPrice(model, rates)),
    removePrice: async ({ model }) => {
      await deps.manageModels.removePrice(model);
      return OK;
    },
    listRoutes: () => ({ data: [...deps.manageRoutes.list()] }),
    setRoute: (input) => deps.manageRoutes.set(input),
    removeRoute: async ({ name, confirm }) => {
      await deps.manageRoutes.remove(name, confirm === true);
      return OK;
    },
    routeEffect: (input) => deps.routeEffects.effect(input),
    listBudgets: async () => ({ data: [...(await deps.budgets.list())] }),
    setBudget: (input) => deps.budgets.set(input),
    removeBudget: async (named) => {
      await deps.budgets.remove(named);
      return OK;
    },
    modelFacts: ({ model }) => deps.describeModel.describe(model),
    priceList: () => deps.priceLists.view(),
    refreshPriceList: () => deps.priceLists.refresh(),
    listPriceChanges: ({ all, limit }) => deps.priceLists.changes({ all: all === "true", limit }),
    acceptPriceList: ({ id, unusual }) => deps.priceLists.acceptList(id, unusual ?? false),
    dropPriceList: ({ list }) => deps.priceLists.drop(list),
    usage: (input) => usage.query(input),
    usageSeries: (input) => deps.usageSeries.series(input),
    usageCells: (input) => deps.usageSeries.cells(input),
    history: () => deps.importHistory.view(),
    previewHistory: (input) => deps.importHistory.preview(input),
    importHistory: (input) => deps.importHistory.import(input),
    removeHistory: () => deps.importHistory.remove(),
    whatIf: (input) => deps.whatIf.ask(input),
    listRequests: (query) => deps.requests.list(query),
    listRunning: (filter) => deps.requests.running(filter),
    requestActivity: (filter) => deps.requests.activity(filter),
    getRequest: (_input, id) => deps.requests.get(id),
    resendRequest: (input, id) => {
      // The operation makes a client's call, which a pause refuses.
      deps.pause.require();
      return deps.resend.run(id, input.model ?? null);
    },
    listSessions: (query) => deps.querySessions.list(query),
    getSession: (_input, id) => deps.querySessions.get(id),
    getTurn: (_input, id) => deps.readTurn.read(id),
    recordings: () => deps.requests.recordings(),
    deleteRecordings: () => deps.requests.deleteRecordings(),
    listMedia: (query) => deps.media.list(query),
    getMedia: (_input, id) => deps.media.get(id),
    deleteMedia: ({ ids }) => deps.media.delete(ids),
    restoreMedia: ({ ids }) => deps.media.restore(ids),
    exportMedia: ({ ids }) => deps.media.export(ids),
    setPoster: async ({ image }, id) => {
      await deps.media.setPoster(id, image);
      return OK;
    },
    listTasks: (input) => tasks.list(input),
    getTask: (_input, id) => tasks.get(id),
    cancelTask: (_input, id) => tasks.cancel(id),
    refreshTask: (_input, id) => tasks.refresh(id),
    repeatTask: (_input, id) => tasks.repeat(id),
    resolveTask: (input, id) => tasks.resolve(id, "provider_task_id" in input ? input.provider_task_id : null),
    resendWebhook: (_input, id) => tasks.resend(id),
    webhooks: () => webhooks.view(),
    rotateWebhookSecret: async () => {
      await deps.webhookSecret.rotate();
      return webhooks.view();
    },
    enableReceiver: async ({ url }) => {
      await webhooks.enable(url);
      return webhooks.view();
    },
    mcp: () => deps.mcp.view(),
    tryTool: (input) => {
      // The operation makes a client's call, which a pause refuses.
      deps.pause.require();
      return deps.mcp.tryTool(input);
    },
    cancelTrial: async ({ trial }) => {
      await deps.mcp.cancelTrial(trial);
      return OK;
    },
    listClients: () => deps.clients.list(),
    planClient: (input, id) => deps.clients.plan(id, input),
    connectClient: (input, id) => deps.clients.connect(id, input),
    checkClient: async (_input, id) => ({ data: [...(await deps.clients.check(id))] }),
    refreshClient: (_input, id) => deps.clients.refresh(id),
    planClientUndo: (_input, id) => deps.clients.planUndo(id),
    undoClient: ({ token }, id) => deps.clients.undo(id, token),
    getSettings: () => settings.view(),
    updateSettings: (change) => settings.update(change),
    search: () => deps.webSearch.view(),
    setSearchKey: ({ provider, key }) => deps.webSearch.setKey(provider, key),
    testSearch: () => deps.webSearch.test(deps.stopping),
    telemetry: () => deps.telemetry.view(),
    setTelemetryHeaders: ({ headers }) => deps.telemetry.setHeaders(headers),
    testTelemetry: () => deps.telemetry.test(deps.stopping),
    makeMetricsKey: () => deps.telemetry.makeMetricsKey(),
    removeMetricsKey: () => deps.telemetry.removeMetricsKey(),
    issuePageToken: () => {
      const token = sessions.issueConsent();
      return { url: deps.pagesUrl(token), token };
    },
    dismissNotice: async (_input, id) => {
      await notices.dismiss(id);
      return OK;
    },
  };
}
