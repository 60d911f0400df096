import { ItemMemory } from "../codecs/responses-to-chat/item-memory.ts";
import type { Clock } from "../lib/clock.ts";
import { randomBase62 } from "../lib/ids.ts";
import { sleep } from "../lib/sleep.ts";
import type { Log } from "../lib/log.ts";
import type { Store } from "../store/store.ts";
import type { MediaDisk } from "../store/media/media-disk.ts";
import { MediaStore } from "../store/media/media-store.ts";
import { RecordingLog } from "../store/recording-log.ts";
import { Door } from "../upstream/door.ts";
import { Downloader } from "../upstream/download.ts";
import type { Reach } from "../upstream/reach.ts";
import { Admission } from "./calls/admission.ts";
import type { PaidCallDeps } from "./calls/paid-call.ts";
import { Connections } from "./connections/connections.ts";
import { Discovery } from "./models/discovery.ts";
import type { Environment } from "./connections/environment.ts";
import { Events } from "./events.ts";
import { KeyRing } from "./keys/key-ring.ts";
import { ListControlModels } from "./models/list-control-models.ts";
import { ListModels } from "./models/list-models.ts";
import { LocalServers } from "./connections/local-servers.ts";
import { ManageConnections } from "./connections/manage-connections.ts";
import { ManageKeys } from "./keys/manage-keys.ts";
import { ManageModels } from "./models/manage-models.ts";
import type { Later } from "../lib/later.ts";
import { MediaLibrary } from "./media/media-library.ts";
import { ModelIndex } from "./models/model-index.ts";
import { Notices } from "./notices.ts";
import { Pause } from "./pause.ts";
import { DescribeModel } from "./playground/describe-model.ts";
import { QueryUsage } from "./query-usage.ts";
import { QueryUsageSeries } from "./usage-series.ts";
import { Quota } from "./quota.ts";
import { ResolveModel } from "./models/resolve-model.ts";
import { CountMessages } from "./chat/count-messages.ts";
import {
  RecordedChat,
  RecordedEdits,
  RecordedEmbeddings,
  RecordedImages,
  RecordedSpeech,
} from "./recordings/recorded-calls.ts";
import { Recorder } from "./recordings/recorder.ts";
import { RequestLog } from "./recordings/request-log.ts";
import { ResendRequest } from "./recordings/resend-request.ts";
import { SandboxHost } from "./connections/sandbox-host.ts";
import type { RunningSandbox } from "./connections/sandbox-host.ts";
import { SandboxSwitch } from "./connections/sandbox-switch.ts";
import { RunningCalls } from "./calls/running-calls.ts";
import { SettleUnfinished } from "./calls/settle-unfinished.ts";
import { AppSettings } from "./settings.ts";
import { StreamWatch } from "./chat/stream-watch.ts";
import { trafficTicker } from "./calls/traffic.ts";
import { makeVideoServices } from "./videos/make-videos.ts";

/** Recordings leave so much of the disk to receipts and results. */
const LEFT_FREE_BYTES = 256 * 1024 * 1024;

/** Of answers that a client may name again: some hundreds of conversations. */
const ITEM_CHARACTERS = 16_000_000;

export interface ServiceInputs {
  readonly dataDir: string;
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly environment: Environment;
  /** Names this process in requests to servers on this machine. */
  readonly instanceId: string;
  readonly ownPort: () => number;
  /** Postern's own address, for links in answers and callbacks. */
  readonly origin: () => string;
  readonly later: Later;
  /** Where results are saved. */
  readonly disk: MediaDisk;
  readonly startSandbox: () => Promise<RunningSandbox>;
}

/** Makes the services, each with what it needs and nothing more. Nothing runs yet and nothing is asked. */
export function makeServices(inputs: ServiceInputs) {
  const { store, clock, log, environment, instanceId } = inputs;
  const events = new Events();
  const door = new Door();
  const settings = new AppSettings(store, events, environment.sandbox, environment.allowedTargets);
  /** Where downloads and callbacks may go beside the open internet. */
  const reach = (): Reach => ({ allowed: settings.allowedTargets(), ownPort: inputs.ownPort() });
  const downloader = new Downloader(reach);
  const connections = new Connections();
  const sandbox = new SandboxSwitch(connections, settings);
  const index = new ModelIndex(
    connections,
    () => sandbox.active,
    () => store.document,
  );
  const sandboxHost = new SandboxHost(connections, sandbox, clock, inputs.startSandbox);
  const discovery = new Discovery({
    connections,
    door,
    store,
    clock,
    log,
    instanceId,
    sandboxReady: () => sandboxHost.ensure(),
  });
  const keyRing = new KeyRing(store, clock);
  const admission = new Admission(store, clock, settings, trafficTicker(events));
  const manageConnections = new ManageConnections({ store, clock, connections, discovery });
  const notices = new Notices({ store, clock, log, events });
  const media = new MediaLibrary({
    clock,
    log,
    notices,
    events,
    settings,
    downloader,
    freeBytes: () => inputs.disk.freeBytes(inputs.dataDir),
    open: () =>
      MediaStore.open({
        disk: inputs.disk,
        dir: inputs.dataDir,
        clock,
        log: ({ level, event, message, file }) => log[level === "warning" ? "warn" : level](event, { message, file }),
        readOnly: store.frozen,
      }),
    later: inputs.later,
  });
  const requireRoom = (): Promise<void> => media.requireRoom();
  const watch = new StreamWatch(clock);
  connections.onChange(() => events.emit({ type: "connections.changed" }));
  events.subscribe((event) => {
    if (event.type !== "settings.changed") return;
    index.invalidate();
    void sandboxHost.ensure();
  });
  const recorder = new Recorder({
    clock,
    later: inputs.later,
    log,
    events,
    settings,
    frozen: store.frozen,
    recordings: new RecordingLog({
      dir: inputs.dataDir,
      hasRoom: async () => (await inputs.disk.freeBytes(inputs.dataDir)) > LEFT_FREE_BYTES,
    }),
  });
  const running = new RunningCalls();
  /** What every paid story needs. */
  const paid: PaidCallDeps = {
    store,
    clock,
    events,
    door,
    admission,
    running,
    instanceId,
    resolveModel: new ResolveModel(index, discovery),
    random: Math.random,
    wait: (ms, client) => sleep(ms, client),
    healthChanged: () => events.emit({ type: "connections.changed" }),
  };
  const videos = makeVideoServices({
    dataDir: inputs.dataDir,
    paid,
    recorder,
    clock,
    log,
    connections,
    keyRing,
    media,
    notices,
    reach,
    webhookSecret: environment.webhookSecret,
    later: inputs.later,
    origin: inputs.origin,
  });
  const making = { ...paid, keyRing, watch, keepMedia: media.keep, requireRoom };
  const conversing = { ...paid, keyRing, watch, newId: () => randomBase62(24), items: new ItemMemory(ITEM_CHARACTERS) };
  const calls = {
    runChat: new RecordedChat(conversing, recorder),
    runEmbeddings: new RecordedEmbeddings(paid, recorder),
    synthesizeSpeech: new RecordedSpeech({ ...making, downloader }, recorder),
    runImages: new RecordedImages(making, recorder),
    editImages: new RecordedEdits(making, recorder),
  };
  const logged = { store, recorder, keyRing, book: videos.taskBook };
  return {
    ...videos,
    events,
    door,
    downloader,
    settings,
    connections,
    sandbox,
    sandboxHost,
    discovery,
    keyRing,
    admission,
    manageConnections,
    watch,
    pause: new Pause(events),
    notices,
    media,
    unfinished: new SettleUnfinished({ store, clock, notices }),
    manageKeys: new ManageKeys({ store, clock, keyRing, events }),
    usage: new QueryUsage(store, clock),
    usageSeries: new QueryUsageSeries(store, clock),
    quota: new Quota({ store, connections, clock, admission }),
    listModels: new ListModels(index, discovery),
    listControlModels: new ListControlModels(index, store),
    manageModels: new ManageModels({ index, store, clock, events }),
    describeModel: new DescribeModel(index),
    localServers: new LocalServers({ connections, discovery, door, clock, instanceId, ownPort: inputs.ownPort }),
    recorder,
    running,
    requestLog: new RequestLog({ ...logged, media }),
    resendRequest: new ResendRequest({ ...calls, ...logged, createVideo: videos.createVideo, clock }),
    ...calls,
    countMessages: new CountMessages(paid),
  };
}

export type Services = ReturnType<typeof makeServices>;
