import { usualTimeLimits } from "../../../support/bare-connection.ts";
import type { TaskRecord } from "../../../../gateway/core/tasks/task.ts";
import { Background } from "../../../../gateway/lib/background.ts";
import { createLog } from "../../../../gateway/lib/log.ts";
import { makeConnection } from "../../../../gateway/services/connections/connection.ts";
import { Connections } from "../../../../gateway/services/connections/connections.ts";
import { Events } from "../../../../gateway/services/events.ts";
import { TaskRepository } from "../../../../gateway/store/tasks/task-repository.ts";
import { TaskMoney } from "../../../../gateway/services/videos/task-money.ts";
import { TaskViews } from "../../../../gateway/services/videos/task-views.ts";
import { VideoEngine } from "../../../../gateway/services/videos/engine/video-engine.ts";
import { DeliverWebhooks } from "../../../../gateway/services/webhooks/deliver-webhooks.ts";
import { FolderKey } from "../../../../gateway/services/folder-key.ts";
import { WebhookSecrets } from "../../../../gateway/services/webhooks/webhook-secrets.ts";
import { WebhookUrls } from "../../../../gateway/services/webhooks/webhook-urls.ts";
import { ProviderClient } from "../../../../gateway/upstream/provider-client.ts";
import { formatTarget } from "../../../../gateway/upstream/targets.ts";
import { WebhookSender } from "../../../../gateway/upstream/webhook-sender.ts";
import { providers } from "../../../../gateway/providers/registry.ts";
import type { Provider } from "../../../../gateway/providers/provider.ts";
import { taskId, taskRecord } from "../../../support/tasks.ts";
import { VideoProvider, type Protocol } from "../../../support/video-provider.ts";
import { WireProvider } from "../../../support/wire-provider.ts";
import { open } from "../../store/fixtures.ts";
import { SimFs } from "../../store/sim-fs.ts";
import { SimulatedTime } from "../webhooks/simulated-time.ts";

const START = Date.UTC(2026, 10, 20, 12);
const DIR = "/data";
const KEY = "provider-key";

const ORDERS: Readonly<Record<Protocol, { readonly model: string; readonly body: object }>> = {
  dashscope: { model: "wan2.6-t2v", body: { input: { prompt: "A kite" }, parameters: { size: "1280*720" } } },
  ark: { model: "doubao-seedance-2-0-260128", body: { content: [{ type: "text", text: "A kite" }] } },
  xai: { model: "grok-imagine-video", body: { prompt: "A kite", duration: 5, resolution: "480p" } },
  openai: { model: "sora-2", body: { prompt: "A kite", seconds: "4", size: "1280x720" } },
  compatible: { model: "some-video-model", body: { prompt: "A kite", seconds: "4", size: "1280x720" } },
};

const providerOf = (protocol: Protocol): Provider =>
  providers[protocol === "compatible" ? "openai-compatible" : protocol];

/**
 * Tasks from the provider's acceptance to the webhook, against a provider and a receiver on real sockets, in time that
 * stands still while anything is under way. Files are in the library at once.
 */
export class EngineWorld implements AsyncDisposable {
  readonly time: SimulatedTime;
  readonly provider: VideoProvider;
  readonly receiver: WireProvider;
  readonly repository: TaskRepository;
  readonly engine: VideoEngine;
  readonly fs: SimFs;
  /** When each task's webhook arrived, Unix ms. */
  readonly calledAt = new Map<string, number>();
  readonly #protocol: Protocol;
  readonly #deliver: DeliverWebhooks;
  readonly #providerClient: ProviderClient;
  readonly #stop: AbortController;
  #made = 0;

  private constructor(
    parts: Pick<EngineWorld, "time" | "provider" | "receiver" | "repository" | "engine" | "fs">,
    more: {
      readonly protocol: Protocol;
      readonly deliver: DeliverWebhooks;
      readonly providerClient: ProviderClient;
      readonly stop: AbortController;
    },
  ) {
    this.time = parts.time;
    this.provider = parts.provider;
    this.receiver = parts.receiver;
    this.repository = parts.repository;
    this.engine = parts.engine;
    this.fs = parts.fs;
    this.#protocol = more.protocol;
    this.#deliver = more.deliver;
    this.#providerClient = more.providerClient;
    this.#stop = more.stop;
    this.receiver.on("POST /hook", (seen, outgoing) => {
      const { data } = JSON.parse(seen.body.toString("utf8")) as { data: { id: string } };
      this.calledAt.set(data.id, this.time.now());
      outgoing.writeHead(204).end();
    });
  }

  /** @param fetchAs what brings a file into the library; at once unless given */
  static async open(
    protocol: Protocol,
    fetchAs: () => Promise<boolean> = () => Promise.resolve(true),
  ): Promise<EngineWorld> {
    const time = new SimulatedTime(START);
    const provider = await new VideoProvider().listen();
    provider.now = () => time.now();
    const receiver = new WireProvider();
    await receiver.listen();
    const fs = new SimFs({ files: new Map(), folders: new Set([DIR]) });
    const { store } = await open({ dir: DIR, fs, clock: time });
    const log = createLog(
      () => undefined,
      () => time.now(),
    );
    const { later } = time;
    const events = new Events();
    const notices = { add: () => undefined };
    const connections = new Connections();
    connections.put(
      makeConnection({
        id: "connection_1",
        provider: providerOf(protocol),
        name: protocol,
        baseUrl: provider.baseUrl(protocol),
        priority: 0,
        enabled: true,
        from: "created",
        createdAt: START,
        credentials: [{ secret: KEY, hint: "…1234" }],
      }),
    );
    const providerClient = new ProviderClient();
    const repository = new TaskRepository({ dataDir: DIR, store, clock: time, later, log, events, notices, fs });
    const unused = (): never => {
      throw new Error("no hold is taken up here");
    };
    const money = new TaskMoney({
      store,
      repository,
      events,
      log,
      admission: { resume: unused } as never,
      keyRing: { get: unused } as never,
    });
    const media = { fetchAs, saveAs: async () => true, has: async () => false };
    // Different for each question, and the same in every run.
    let dice = 0.123;
    const random = (): number => (dice = (dice * 9_301 + 0.49_297) % 1);
    const stop = new AbortController();
    const background = new Background(stop.signal, (what, error) => {
      throw new Error(what, { cause: error });
    });
    const engine = new VideoEngine({
      background,
      repository,
      money,
      media,
      connections,
      notices,
      providerClient,
      timeLimits: usualTimeLimits,
      instanceId: "test",
      clock: time,
      log,
      later,
      random,
    });
    const allowed = new Set([formatTarget(new URL(receiver.origin))]);
    const deliver = new DeliverWebhooks({
      repository,
      store,
      secrets: new WebhookSecrets({ store, clock: time, notices, fromEnvironment: null }),
      clock: time,
      later,
      random,
      sender: new WebhookSender(() => ({ allowed, ownPort: 1 })),
      log,
      notices,
      events,
      stopping: stop.signal,
      urls: new WebhookUrls(new FolderKey(store, "webhook_url_secret")),
      views: new TaskViews({ media: { linkTo: async () => null }, origin: () => "" }),
    });
    deliver.start();
    return new EngineWorld(
      { time, provider, receiver, repository, engine, fs },
      { protocol, deliver, providerClient, stop },
    );
  }

  /** A task that the provider has just taken. */
  async submit(changes: Partial<TaskRecord> = {}): Promise<TaskRecord> {
    const adapter = providerOf(this.#protocol).videos;
    if (adapter === null) throw new Error("it makes no videos");
    const { model, body } = ORDERS[this.#protocol];
    const call = { body: body as Readonly<Record<string, unknown>>, upstreamModel: model, model: null };
    const wire = adapter.toRequest(call, KEY);
    const response = await fetch(`${this.provider.baseUrl(this.#protocol)}${wire.path}`, {
      method: wire.method,
      headers: { "content-type": "application/json", ...wire.headers },
      body: String(wire.body),
    });
    const operation = adapter.fromResponse(await response.json());
    if (operation === null) throw new Error("the provider took no task");
    const now = this.time.now();
    this.#made += 1;
    const id = taskId(this.#made, now);
    const task = taskRecord({
      id,
      phase: "submitted",
      request_id: `req_${id}`,
      created_at: now,
      operation,
      webhook_url: `${this.receiver.origin}/hook`,
      deadline_at: now + adapter.pace.timeouts,
      forgotten_at: now + adapter.pace.memory,
      timeline: [{ at: now, phase: "submitted", note: null }],
      ...changes,
    });
    await this.repository.create(task);
    this.engine.follow(task);
    return task;
  }

  /** Time passes, and everything that it brings is done. */
  async pass(ms: number): Promise<void> {
    await this.time.pass(ms, async () => {
      await new Promise((resolve) => setImmediate(resolve));
      await this.engine.idle();
      await this.#deliver.idle();
      await new Promise((resolve) => setImmediate(resolve));
    });
  }

  /** Questions that reached the provider. */
  get questions(): number {
    return this.provider.count("poll") + this.provider.count("list");
  }

  /** As a stop of Postern does it. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.engine.stop();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    await this.#deliver.stop();
    await this.repository.close();
    await this.#providerClient.close();
    await this.receiver.close();
    await this.provider.close();
  }
}
