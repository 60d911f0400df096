import { randomBytes } from "node:crypto";
import type { BudgetView } from "./contract/budgets.ts";
import type { ConnectionView } from "./contract/connection.ts";
import type { State } from "./contract/control.ts";
import type { CreatedKey, KeyView } from "./contract/key.ts";
import type { Proxy } from "./contract/proxy.ts";
import { onDemand } from "./contract/on-demand.ts";
import { allModels } from "./catalog/lookup.ts";
import type { GatewayOptions } from "./gateway-options.ts";
import { OpenResponses } from "./http/open-responses.ts";
import { createApp } from "./http/app.ts";
import { createControlHandlers } from "./http/control/operations.ts";
import { START_TOKEN_LIFE_MS, Sessions } from "./http/control/sessions.ts";
import { SCHEMA_PATH } from "./http/routes/public.ts";
import { getAddress, isWildcard } from "./http/address.ts";
import { createHttpServer } from "./http/server.ts";
import { computeMachineUptime } from "./lib/clock.ts";
import { collectWhenCalm, tuneV8 } from "./lib/collect-when-calm.ts";
import { KnownSecrets } from "./lib/known-secrets.ts";
import { later } from "./lib/later.ts";
import { LogRing } from "./lib/log-ring.ts";
import { makeMaintenance, restoredNotice, upgradedNotice } from "./make-maintenance.ts";
import { LazyMcp } from "./mcp/lazy-mcp.ts";
import { getMcpRoute } from "./mcp/mount.ts";
import { makeServices } from "./services/deps.ts";
import { thisMachine } from "./services/clients/client-deps.ts";
import { ManageClients } from "./services/clients/manage-clients.ts";
import { LOCAL_SERVERS } from "./services/connections/local-servers.ts";
import { readEnvironment } from "./services/connections/environment.ts";
import { FoundKeys } from "./services/connections/found-keys.ts";
import type { Events } from "./services/events.ts";
import { ManageImports } from "./services/imports/manage-imports.ts";
import type { MediaFile } from "./services/media/serve-media.ts";
import { ReadState } from "./services/read-state.ts";
import { findLastUse, makeFirstKey, settle } from "./settle.ts";
import { FolderKey } from "./services/folder-key.ts";
import { listenOnBothLoopbacks, listenOrExplain, openFolder, publish } from "./start.ts";
import { stopGateway } from "./stop.ts";
import { ClientFiles } from "./store/clients/client-files.ts";
import { readAssets } from "./store/assets.ts";
import { ownCommand } from "./store/folder/own-command.ts";
import { nodeMediaDisk } from "./store/media/media-disk.ts";
import type { OpenedStore } from "./store/open-store.ts";

/** Log lines for diagnostics. */
const LOG_LINES = 200;
/** Milliseconds from ready to the start of discovery, so that an eager client's first call does not wait for it. */
const LOOK_AFTER_MS = 50;
/**
 * Milliseconds; after the ready line, when a client's first calls may come, and before the start's garbage is
 * collected.
 */
const READ_AHEAD_MS = 400;
/**
 * Milliseconds from the start until the pages are read, unless requested earlier, so that a first call does not wait
 * for them. It is also before the start's garbage is collected.
 */
const PAGES_AFTER_MS = 600;

/** A running gateway. */
export interface Gateway {
  /** `http://127.0.0.1:6174` */
  readonly url: string;
  /** The pages' address with a one-time token in the fragment. */
  readonly ui: string;
  /** The first local key of a new data folder, shown only here. */
  readonly firstKey: string | null;
  /** A new one-time token for the pages. */
  issuePageToken(): string;
  /** The same, for what only the owner may do: to be called once the owner has agreed in person. */
  issueConsent(): string;
  readonly events: Events;
  state(): State;
  connections(): readonly ConnectionView[];
  keys(): readonly KeyView[];
  budgets(): readonly BudgetView[];
  /** Returns the proxy for a request of the app itself; null for none. */
  findProxy(url: URL): Promise<Proxy | null>;
  /** Video tasks that have not ended. */
  activeTasks(): number;
  /** Paths of library results on this machine; missing ones are left out. */
  mediaFiles(ids: readonly string[]): Promise<readonly MediaFile[]>;
  /** @returns takes the notice back */
  notice(level: "info" | "warning" | "danger", message: string): () => void;
  /** The sealer that it was made with opens more than at the start: a keychain has answered at last. */
  keychainAnswered(): Promise<void>;
  /** Refuses new calls until `resume`; running ones continue. Not stored across a stop. */
  pause(): void;
  resume(): void;
  /** Called after the machine slept: everything that depends on time is checked. */
  onResume(): void;
  /** Stops accepting, lets calls finish for up to 5 s, settles, snapshots, releases the folder. Idempotent. */
  close(): Promise<void>;
}

/**
 * Opens a data folder and serves it.
 * @throws StartError when the folder is open already, cannot be used, or the address cannot be listened on.
 */
export async function createGateway(options: GatewayOptions): Promise<Gateway> {
  const secrets = new KnownSecrets();
  const log = new LogRing(options.log, () => options.clock.now(), LOG_LINES, secrets);
  const { store, lock, restored, upgraded } = await openFolder({ ...options, log });
  try {
    const gateway = await serve(options, store, lock, log, secrets);
    if (restored !== null) gateway.notice("info", restoredNotice(restored));
    if (upgraded !== null) gateway.notice("info", upgradedNotice(upgraded));
    return gateway;
  } catch (error) {
    await store.close();
    lock.release();
    throw error;
  }
}

async function serve(
  options: GatewayOptions,
  store: OpenedStore,
  lock: { release(): void },
  log: LogRing,
  secrets: KnownSecrets,
): Promise<Gateway> {
  const { clock, dataDir } = options;
  const environment = readEnvironment(options.env);
  const instanceId = randomBytes(16).toString("hex");
  const fileToken = randomBytes(32).toString("base64url");
  const running = { url: "", port: 0, address: getAddress("127.0.0.1", 0), firstKey: null as CreatedKey | null };
  const services = makeServices({
    dataDir,
    version: options.version,
    store,
    clock,
    uptime: options.uptime ?? computeMachineUptime,
    log,
    secrets,
    environment,
    machine: thisMachine(options.env),
    instanceId,
    ownPort: () => running.port,
    origin: () => running.url,
    later: options.later ?? later,
    backoff: options.backoff ?? options.later ?? later,
    disk: options.disk ?? nodeMediaDisk,
    localServers: options.localServers ?? LOCAL_SERVERS,
    resolveSystemProxy: options.resolveSystemProxy ?? null,
    // The sandbox is loaded on first use, because a gateway with a connected provider does not need it.
    startSandbox: async () => (await import("./sandbox/server.ts")).startSandbox({ models: allModels, clock }),
  });
  const sessions = new Sessions(clock, fileToken, () => running.url);
  if (options.pageToken !== undefined) sessions.admit(options.pageToken);
  const state = new ReadState({
    ...services,
    version: options.version,
    dataDir,
    pid: process.pid,
    startedAt: clock.now(),
    url: () => running.url,
    stopping: () => services.stopping.signal.aborted,
    store,
  });
  const maintenance = makeMaintenance(options, { store, services, log, state: () => state.read() });
  const answering = new OpenResponses();
  const mcp = new LazyMcp(async () =>
    (await import("./mcp/runtime.ts")).openMcp({
      ...services,
      clock,
      log,
      later: options.later ?? later,
      origin: () => running.url,
      version: options.version,
      extension: options.extendMcp ?? null,
    }),
  );
  const pagesUrl = (token: string): string => `${running.url}/#token=${token}`;
  const pages = findPages(options);
  const app = createApp({
    ...services,
    repository: services.taskRepository,
    engine: services.videoEngine,
    views: services.taskViews,
    later: options.later ?? later,
    clock,
    log,
    instanceId,
    sessions,
    diagnostics: maintenance.diagnostics,
    address: () => running.address,
    stopping: () => services.stopping.signal.aborted,
    answering,
    control: createControlHandlers({
      sessions,
      state,
      pagesUrl,
      keys: services.manageKeys,
      budgets: services.manageBudgets,
      connections: services.manageConnections,
      foundKeys: new FoundKeys({
        env: options.env,
        connections: services.manageConnections,
        isLocalKey: (secret) => services.keyRing.knows(secret),
      }),
      checkProxies: services.checkProxies,
      servers: services.manageServers,
      models: services.listControlModels,
      manageModels: services.manageModels,
      manageRoutes: services.manageRoutes,
      routeEffects: services.routeEffects,
      describeModel: services.describeModel,
      usage: services.usage,
      usageSeries: services.usageSeries,
      importHistory: services.importHistory,
      whatIf: services.whatIf,
      settings: services.settings,
      webSearch: services.webSearch,
      telemetry: services.telemetry,
      stopping: services.stopping.signal,
      notices: services.notices,
      media: services.media,
      priceLists: services.priceLists,
      tasks: services.manageTasks,
      webhooks: services.webhooks,
      webhookSecret: services.webhookSecret,
      mcp,
      clients: new ManageClients({
        ...services,
        store,
        clock,
        clientFiles: new ClientFiles(dataDir, options.clientFs),
        machine: thisMachine(options.env),
        origin: () => running.url,
      }),
      playgroundKey: new FolderKey(store, "playground_secret"),
      requests: services.requestLog,
      resend: services.resendRequest,
      querySessions: services.querySessions,
      readTurn: services.readTurn,
      setup: {
        setup: services.manageSetup,
        imports: new ManageImports({
          setup: services.manageSetup,
          connections: services.connections,
          store,
          machine: thisMachine(options.env),
          importers: async () => (await import("./core/imports/all-importers.ts")).allImporters,
          origin: () => running.url,
        }),
        locked: () => store.secrets.locked,
        schemaUrl: () => `${running.url}${SCHEMA_PATH}`,
      },
      maintenance: {
        ...maintenance,
        state,
        sessions,
        pause: services.pause,
        address: () => maintenance.listenAddress.view(running.url, options.restart !== undefined),
        restart: options.restart ?? null,
        showWindow: options.showWindow ?? null,
        firstKey: () => {
          const view = services.manageKeys.views().find(({ id }) => id === running.firstKey?.key.id);
          return view?.last_used_at === null ? running.firstKey : null;
        },
      },
      pause: services.pause,
    }),
    mcp: getMcpRoute(() => mcp.endpoint(), answering),
    pages,
  });
  const handle = app.callback();
  maintenance.keyProtection.tell();
  await settle(services, environment);
  // Read now, because the configuration file may have set the address.
  const { host, port } = maintenance.listenAddress.requested;
  // Called before the first call loads the affected code.
  tuneV8();
  const server = createHttpServer((request, response) => void handle(request, response));
  running.port = await listenOrExplain(server, host, port);
  const twin = await listenOnBothLoopbacks(server, host, running.port, services.notices);
  // The key is made after listening: a start that fails must not use up a key that is shown once.
  running.firstKey = await makeFirstKey(services, store);
  running.address = getAddress(host, running.port);
  running.url = `http://${isWildcard(host) ? "127.0.0.1" : host.includes(":") ? `[${host}]` : host}:${running.port}`;
  const instance = { url: running.url, pid: process.pid, startedAt: clock.now() };
  await publish(server, dataDir, fileToken, instance, (message) => services.notices.add("warning", message));
  // The pages' shared state shows when the disk refuses writes, and when it accepts them again.
  store.onWritable(() => services.events.emit({ type: "settings.changed" }));
  if (isWildcard(host))
    services.notices.add(
      "warning",
      `Postern listens on ${host}: every machine on the network can use it with a local key. Keys are all that protects it.`,
    );
  void services.budgets.prepare();
  const stopReading = (options.later ?? later)(READ_AHEAD_MS, () => {
    // The caller that needs the series gets the error.
    void services.usageSeries.prepare().catch(() => undefined);
  });
  const lookAfter = options.lookAfterMs ?? LOOK_AFTER_MS;
  services.discovery.refreshSoon(lookAfter, later);
  const stopBeginning = later(lookAfter, () => {
    services.localServers.start();
    services.media.start();
  });
  services.clockWatch.start(findLastUse(store));
  services.priceLists.start();
  services.updateNotice.start();
  services.credit.start();
  services.taskRepository.start();
  services.webhooks.start();
  services.encryptWebhookUrls();
  maintenance.backups.start();
  services.followFile?.start();
  services.recorder.start();
  // Read before an update replaces the files.
  later(PAGES_AFTER_MS, () => void pages());
  const stopCollecting = collectWhenCalm(() => services.admission.inFlight);
  log.info("ready", { url: running.url, data_dir: dataDir, pid: process.pid });

  let closing: Promise<void> | null = null;
  const close = (): Promise<void> => {
    stopReading();
    stopBeginning();
    stopCollecting();
    closing ??= stopGateway({
      server,
      twin,
      answering,
      services,
      backups: maintenance.backups,
      mcp,
      store,
      lock,
      dataDir,
      log,
      drainMs: options.drainMs,
    });
    return closing;
  };
  return {
    url: running.url,
    ui: pagesUrl(sessions.issueConsent(START_TOKEN_LIFE_MS)),
    firstKey: running.firstKey?.secret ?? null,
    issuePageToken: () => sessions.issuePageToken(),
    issueConsent: () => sessions.issueConsent(),
    events: services.events,
    state: () => state.read(),
    connections: () => services.manageConnections.list(),
    keys: () => services.manageKeys.views(),
    budgets: () => services.manageBudgets.views(),
    findProxy: (url) => services.proxies.find(url, null),
    activeTasks: () => services.taskRepository.active,
    mediaFiles: (ids) => services.media.files(ids),
    notice(level, message) {
      const id = services.notices.offer(level, message);
      return () => services.notices.takeBack(id);
    },
    keychainAnswered: () => maintenance.keyProtection.reopen(),
    pause: () => services.pause.set(true),
    resume: () => services.pause.set(false),
    onResume: () => {
      services.clockWatch.check();
      services.media.check();
      services.priceLists.check();
      services.updateNotice.check();
      services.credit.check();
      void services.discovery.refreshAll();
      void services.localServers.check();
      services.videoEngine.check();
      services.webhooks.check();
      services.recorder.check();
      maintenance.backups.check();
    },
    close,
  };
}

type Pages = ReturnType<typeof readAssets> | null;

/** The built pages, read once on first use; null if not built or not wanted. */
function findPages({
  assetsDir,
  pagesBuilt,
  dataDir,
}: Pick<GatewayOptions, "assetsDir" | "pagesBuilt" | "dataDir">): () => Promise<Pages> {
  const read = async (): Promise<Pages> => {
    await pagesBuilt?.();
    try {
      return assetsDir === null ? null : readAssets(assetsDir, ownCommand("open", dataDir));
    } catch {
      return null;
    }
  };
  return onDemand(read);
}
