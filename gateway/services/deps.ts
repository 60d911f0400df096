import { ItemMemory } from "../codecs/responses-to-chat/item-memory.ts";
import type { Machine } from "../core/clients/place.ts";
import { InFlight } from "../core/keys/key-state.ts";
import type { Clock } from "../lib/clock.ts";
import { randomBase62 } from "../lib/ids.ts";
import type { KnownSecrets } from "../lib/known-secrets.ts";
import { sleep } from "../lib/abortable.ts";
import type { Log } from "../lib/log.ts";
import { machineZone } from "../lib/zone.ts";
import { storeLogTo } from "../store/store-event.ts";
import type { Store } from "../store/store.ts";
import { AgentLogs } from "../store/history/agent-logs.ts";
import { HistoryLog } from "../store/history/history-log.ts";
import { ImportedUsage } from "../store/history/imported-usage.ts";
import type { MediaDisk } from "../store/media/media-disk.ts";
import { portUser } from "../store/disk/port-holder.ts";
import { MediaStore } from "../store/media/media-store.ts";
import { PriceListFiles } from "../store/price-list-files.ts";
import { RECORDINGS_LEAVE_BYTES, RecordingLog } from "../store/recording-log.ts";
import { Budgets } from "./budgets/budgets.ts";
import { Forecasts } from "./budgets/forecasts.ts";
import { ManageBudgets } from "./budgets/manage-budgets.ts";
import { Admission } from "./calls/admission.ts";
import { ConversationMemory } from "./calls/conversation-memory.ts";
import type { PipelineDeps } from "./calls/call-steps.ts";
import { ClockWatch } from "./clock-watch.ts";
import { Connections } from "./connections/connections.ts";
import { CreditReader } from "./connections/credit-reader.ts";
import { Discovery } from "./models/discovery.ts";
import type { Environment } from "./connections/environment.ts";
import { Events } from "./events.ts";
import { HistoryPrices } from "./history/history-prices.ts";
import { ImportHistory } from "./history/import-history.ts";
import { LoggedUsage } from "./history/logged-usage.ts";
import { WhatIf } from "./history/what-if.ts";
import { KeyRing } from "./keys/key-ring.ts";
import { ListControlModels } from "./models/list-control-models.ts";
import { ListModels } from "./models/list-models.ts";
import type { LocalServer } from "./connections/local-servers.ts";
import { LocalServers } from "./connections/local-servers.ts";
import { ManageConnections } from "./connections/manage-connections.ts";
import { FoundServers } from "./connections/found-servers.ts";
import { ManageServers } from "./connections/manage-servers.ts";
import { ManageKeys } from "./keys/manage-keys.ts";
import { ManageModels } from "./models/manage-models.ts";
import type { Later } from "../lib/later.ts";
import { MediaLibrary } from "./media/media-library.ts";
import { ModelIndex } from "./models/model-index.ts";
import { PriceDrift } from "./models/price-drift.ts";
import { PriceLists } from "./models/price-lists.ts";
import { makeOutbound } from "./make-outbound.ts";
import { Notices } from "./notices.ts";
import { UpdateNotice } from "./update-notice.ts";
import { Pause } from "./pause.ts";
import { DescribeModel } from "./playground/describe-model.ts";
import { QueryUsage } from "./query-usage.ts";
import { QueryUsageSeries } from "./usage-series.ts";
import { Quota } from "./quota.ts";
import { ChainModels } from "./routes/chain-models.ts";
import { RouteMemory } from "./routes/route-memory.ts";
import { Routes } from "./routes/routes.ts";
import { makeTelemetry } from "./telemetry/make-telemetry.ts";
import { makeSetup } from "./setup/make-setup.ts";
import { ResolveModel } from "./models/resolve-model.ts";
import { CountTokens } from "./chat/count-tokens.ts";
import { SearchedChat } from "./search/searched-chat.ts";
import { WebSearch } from "./search/web-search.ts";
import { chatDialect } from "./chat/dialects/chat.ts";
import { DescribeMedium } from "./chat/describe-medium.ts";
import { MediaInWords } from "./chat/media-in-words.ts";
import { LearnLessons } from "./chat/learn-lessons.ts";
import { RunChat } from "./chat/run-chat.ts";
import { EditImages } from "./edits/edit-images.ts";
import { RunEmbeddings } from "./embeddings/run-embeddings.ts";
import { RunImages } from "./images/run-images.ts";
import { SynthesizeSpeech } from "./speech/synthesize-speech.ts";
import { Transcribe } from "./transcription/transcribe.ts";
import { Moderate } from "./moderations/moderate.ts";
import { Recorder } from "./recordings/recorder.ts";
import { RequestLog } from "./recordings/request-log.ts";
import { ResendRequest } from "./recordings/resend-request.ts";
import { SandboxHost } from "./connections/sandbox-host.ts";
import type { RunningSandbox } from "./connections/sandbox-host.ts";
import { SandboxSwitch } from "./connections/sandbox-switch.ts";
import { RunningCalls, trafficTicker } from "./calls/admission.ts";
import { SettleUnfinished } from "./calls/settle-unfinished.ts";
import { MAX_DETACHED_CALLS } from "./calls/detached-calls.ts";
import { TimeLimits } from "./calls/time-limits.ts";
import { ManageRoutes } from "./routes/manage-routes.ts";
import { RouteEffects } from "./routes/route-effects.ts";
import { QuerySessions } from "./sessions/query-sessions.ts";
import { ReadTurn } from "./sessions/read-turn.ts";
import { AppSettings } from "./settings.ts";
import { StreamWatch } from "./calls/stream-relay.ts";
import { makeVideoServices } from "./videos/make-videos.ts";

/** Max characters of responses that a client may refer to: some hundreds of conversations. */
const ITEM_CHARACTERS = 16_000_000;

export interface ServiceInputs {
  readonly dataDir: string;
  readonly version: string;
  readonly store: Store;
  readonly clock: Clock;
  /** Milliseconds since the machine was started, its sleep among them. */
  readonly uptime: () => number;
  readonly log: Log;
  /** Secrets redacted from providers' responses and from logs; services add them here. */
  readonly secrets: KnownSecrets;
  readonly environment: Environment;
  /** Machine on which agents' folders are searched. */
  readonly machine: Machine;
  /** Names this process in requests to servers on this machine. */
  readonly instanceId: string;
  readonly ownPort: () => number;
  /** Postern's own address, for links in responses and webhooks. */
  readonly origin: () => string;
  readonly later: Later;
  /** How a call waits before it is tried again. */
  readonly backoff: Later;
  /** Disk on which results are saved. */
  readonly disk: MediaDisk;
  readonly localServers: readonly LocalServer[];
  /** Resolves the proxy of a URL by Electron; null without Electron. */
  readonly resolveSystemProxy: ((url: string) => Promise<string>) | null;
  readonly startSandbox: () => Promise<RunningSandbox>;
}

/** Creates the services, each with only the dependencies it needs. Nothing is started or called yet. */
export function makeServices(inputs: ServiceInputs) {
  const { store, clock, log, secrets, environment, instanceId } = inputs;
  const events = new Events();
  /** Aborted once, when Postern stops: background work starts nothing more, and waits end. */
  const stopping = new AbortController();
  const settings = new AppSettings(store, events, environment.settings, environment.allowedTargets);
  const connections = new Connections();
  const timeLimits = new TimeLimits(settings);
  const outbound = makeOutbound({
    ...inputs,
    settings,
    timeLimits,
    connections,
    variables: environment.variables,
  });
  const { providerClient, downloader, serviceClient, reach } = outbound;
  const webSearch = new WebSearch({ store, settings, events, client: serviceClient });
  const tellSecrets = (): void => secrets.set(getSecrets(store, environment, connections));
  connections.onChange(tellSecrets);
  store.secrets.onChange(tellSecrets);
  tellSecrets();
  const sandbox = new SandboxSwitch(connections, settings);
  const index = new ModelIndex(
    connections,
    () => sandbox.active,
    clock,
    () => store.document,
    () => priceLists.accepted,
  );
  const routes = new Routes(store, () => settings.get("routes"), index);
  const sandboxHost = new SandboxHost(connections, sandbox, clock, log, inputs.startSandbox);
  const discovery = new Discovery({
    ...inputs,
    connections,
    providerClient,
    stopping: stopping.signal,
    sandboxReady: () => sandboxHost.ensure(),
  });
  const notices = new Notices({ store, clock, log, events });
  const credit = new CreditReader({
    ...inputs,
    connections,
    providerClient,
    events,
    notices,
    stopping: stopping.signal,
  });
  const keyRing = new KeyRing(store, clock);
  const budgets = new Budgets(store, clock);
  const forecasts = new Forecasts(store, clock);
  const admission = new Admission(store, clock, settings, index, budgets, trafficTicker(events));
  const found = new FoundServers();
  const manageConnections = new ManageConnections({ store, clock, connections, discovery, credit, found });
  const manageKeys = new ManageKeys({ store, clock, keyRing, forecasts, events });
  const manageBudgets = new ManageBudgets({ budgets, forecasts, store, clock, events });
  const clockWatch = new ClockWatch({ clock, uptime: inputs.uptime, later: inputs.later, notices });
  const storeLog = storeLogTo(log);
  const folder = { dir: inputs.dataDir, clock, log: storeLog, readOnly: store.frozen };
  const priceLists = new PriceLists({
    ...inputs,
    files: new PriceListFiles(folder),
    settings,
    connections,
    downloader,
    notices,
    onOffered: () => events.emit({ type: "settings.changed" }),
    onAccepted: () => {
      // The event makes the index read prices again.
      events.emit({ type: "settings.changed" });
      events.emit({ type: "models.changed" });
    },
  });
  const media = new MediaLibrary({
    clock,
    clockWatch,
    log,
    notices,
    events,
    settings,
    downloader,
    freeBytes: () => inputs.disk.freeBytes(inputs.dataDir),
    open: () => MediaStore.open({ ...folder, disk: inputs.disk, ledger: store.ledger }),
    later: inputs.later,
  });
  const watch = new StreamWatch(clock);
  connections.onChange(() => events.emit({ type: "connections.changed" }));
  events.on("settings.changed", () => {
    index.invalidate();
    void sandboxHost.ensure();
  });
  const recorder = new Recorder({
    ...inputs,
    clockWatch,
    events,
    settings,
    frozen: store.frozen,
    recordings: new RecordingLog({
      dir: inputs.dataDir,
      hasRoom: async () => (await inputs.disk.freeBytes(inputs.dataDir)) > RECORDINGS_LEAVE_BYTES,
    }),
  });
  const running = new RunningCalls();
  const resolveModel = new ResolveModel(index, discovery, routes);
  const paid: PipelineDeps = {
    store,
    clock,
    events,
    providerClient,
    admission,
    running,
    keyRing,
    watch,
    observers: recorder,
    timeLimits,
    detachedCalls: {
      inFlight: new InFlight(),
      most: () => (settings.get("finish_cancelled_media") ? MAX_DETACHED_CALLS : 0),
    },
    instanceId,
    resolveModel,
    routes,
    memory: new ConversationMemory(),
    routeMemory: new RouteMemory(),
    chainModels: new ChainModels(index, resolveModel),
    random: Math.random,
    stopping: stopping.signal,
    wait: (ms, client) => sleep(ms, client, stopping.signal, inputs.backoff),
    healthChanged: () => events.emit({ type: "connections.changed" }),
  };
  const videos = makeVideoServices({
    ...inputs,
    paid,
    connections,
    keyRing,
    media,
    notices,
    reach,
    webhookSecret: environment.webhookSecret,
  });
  const making = { ...paid, downloader, keepMedia: media.keep, requireRoom: () => media.requireRoom() };
  const conversing = {
    ...paid,
    secrets,
    newId: () => randomBase62(24),
    items: new ItemMemory(ITEM_CHARACTERS),
    priceDrift: new PriceDrift(notices),
    lessons: new LearnLessons({ store, clock, connections, log }),
    webSearch,
  };
  const noRoutes = new Routes(store, () => false);
  const direct = { ...conversing, routes: noRoutes, resolveModel: new ResolveModel(index, discovery, noRoutes) };
  const plain = new RunChat({ ...direct, mediaInWords: null });
  const mediaInWords = new MediaInWords({
    settings,
    events,
    resolveModel: direct.resolveModel,
    describe: new DescribeMedium({ converse: (call, to) => plain.run(chatDialect, call, to), admission, clock }),
  });
  const calls = {
    runChat: new SearchedChat({ ...conversing, mediaInWords }),
    runEmbeddings: new RunEmbeddings(paid),
    synthesizeSpeech: new SynthesizeSpeech(making),
    transcribe: new Transcribe({ ...paid, secrets }),
    runImages: new RunImages(making),
    editImages: new EditImages(making),
    moderate: new Moderate(paid),
  };
  const logged = { store, recorder, keyRing, repository: videos.taskRepository };
  const historyLog = new HistoryLog({ dir: inputs.dataDir, readOnly: store.frozen });
  const historyPrices = new HistoryPrices({ store, index, clock, accepted: () => priceLists.accepted });
  const imported = new ImportedUsage({ history: historyLog, ledger: store.ledger, log: storeLog });
  const loggedUsage = new LoggedUsage(imported, historyPrices);
  const usageSeries = new QueryUsageSeries(store, loggedUsage, clock);
  return {
    ...videos,
    stopping,
    events,
    secrets,
    ...outbound,
    settings,
    webSearch,
    connections,
    sandbox,
    sandboxHost,
    discovery,
    credit,
    keyRing,
    admission,
    budgets,
    manageConnections,
    watch,
    pause: new Pause(events),
    notices,
    clockWatch,
    media,
    priceLists,
    updateNotice: new UpdateNotice({ ...inputs, settings, downloader, notices }),
    telemetry: makeTelemetry({ ...inputs, settings, events, client: serviceClient, connections, keyRing, admission }),
    unfinished: new SettleUnfinished({ store, clock, notices, events }),
    manageBudgets,
    forecasts,
    manageKeys,
    ...makeSetup(
      {
        ...inputs,
        settings,
        connections,
        discovery,
        manageConnections,
        manageKeys,
        manageBudgets,
        index,
        events,
        notices,
      },
      environment.config,
    ),
    usage: new QueryUsage(store, usageSeries, clock, machineZone),
    usageSeries,
    importHistory: new ImportHistory({
      store,
      clock,
      logs: new AgentLogs(),
      history: historyLog,
      imported,
      prices: historyPrices,
      machine: inputs.machine,
      stopping: stopping.signal,
    }),
    whatIf: new WhatIf({ store, logged: loggedUsage, prices: historyPrices, clock }),
    quota: new Quota({ store, connections, clock, admission, budgets }),
    listModels: new ListModels(index, discovery, routes),
    listControlModels: new ListControlModels(index, store, routes, clock),
    manageModels: new ManageModels({ index, store, clock, events }),
    manageRoutes: new ManageRoutes({ index, store, clock, events, keyRing }),
    routeEffects: new RouteEffects({ ...paid, mediaInWords }),
    describeModel: new DescribeModel(index),
    localServers: new LocalServers(
      { found, providerClient, instanceId, stopping: stopping.signal, ownPort: inputs.ownPort, portUser },
      inputs.localServers,
    ),
    manageServers: new ManageServers({
      store,
      clock,
      found,
      connections,
      manageConnections,
      ownUid: process.getuid?.() ?? null,
    }),
    recorder,
    running,
    requestLog: new RequestLog({ ...logged, media, connections, running, clock }),
    querySessions: new QuerySessions(store),
    readTurn: new ReadTurn(logged),
    resendRequest: new ResendRequest({ ...calls, ...logged, createVideo: videos.createVideo, clock }),
    ...calls,
    countTokens: new CountTokens({ ...paid, items: conversing.items }),
  };
}

/** Provider keys, those that sign webhook deliveries, and those local keys that are known in full. */
function getSecrets(store: Store, environment: Environment, connections: Connections): readonly string[] {
  const credentials = connections.all().flatMap((connection) => connection.credentials);
  return [
    ...store.secrets.all(),
    ...environment.keys.map(({ secret }) => secret),
    ...[environment.webhookSecret, ...credentials.map(({ secret }) => secret)].filter((secret) => secret !== null),
  ];
}

export type Services = ReturnType<typeof makeServices>;
