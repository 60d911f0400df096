import OpenAI from "openai";
import { Webhook } from "standardwebhooks";
import { expect, vi } from "vitest";
import { getStatus, type TaskDelivery, type TaskRecord } from "../../../../gateway/core/tasks/task.ts";
import { createLog } from "../../../../gateway/lib/log.ts";
import type { OpenedStore } from "../../../../gateway/store/open-store.ts";
import { DeliverWebhooks } from "../../../../gateway/services/webhooks/deliver-webhooks.ts";
import type { WebhookTasks } from "../../../../gateway/services/webhooks/delivery-attempts.ts";
import { FolderKey } from "../../../../gateway/services/folder-key.ts";
import { WebhookSecrets } from "../../../../gateway/services/webhooks/webhook-secrets.ts";
import { WebhookUrls } from "../../../../gateway/services/webhooks/webhook-urls.ts";
import { formatTarget } from "../../../../gateway/upstream/targets.ts";
import { WebhookSender } from "../../../../gateway/upstream/webhook-sender.ts";
import { closedTask, taskDelivery, taskId } from "../../../support/tasks.ts";
import { WireProvider, type WireSeen } from "../../../support/wire-provider.ts";
import { open } from "../../store/fixtures.ts";
import { SimFs } from "../../store/sim-fs.ts";
import { SimulatedTime } from "./simulated-time.ts";

export const START = Date.UTC(2026, 10, 20, 12);
/** How long a receiver may be silent, in real time. */
const SILENCE_MS = 3_000;
const DIR = "/data";
const openai = new OpenAI({ apiKey: "sk-none" });

/** A repository in memory, with a disk that may refuse, and a process that may die before a change is on it. */
export class MemoryWebhookTasks implements WebhookTasks {
  readonly tasks = new Map<string, TaskRecord>();
  /** So many changes are refused from now on. */
  refusals = 0;
  /** So many look-ups fail from now on: an archive that cannot be read. */
  unreadable = 0;
  /** Changes never come to an end: the process is killed in them. */
  dead = false;
  readonly #listeners = new Set<(task: TaskRecord) => void>();

  live(): Iterable<TaskRecord> {
    return [...this.tasks.values()];
  }

  onChange(listener: (task: TaskRecord) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async change(
    id: string,
    make: (task: TaskRecord) => TaskRecord | null,
  ): Promise<{ task: TaskRecord; changed: boolean } | null> {
    if (this.dead) return new Promise(() => {});
    const before = this.tasks.get(id);
    if (before === undefined) return null;
    const after = make(before);
    if (after === null) return { task: before, changed: false };
    if (this.refusals > 0) {
      this.refusals -= 1;
      throw new Error("the disk is full");
    }
    this.put(after);
    return { task: after, changed: true };
  }

  async find(id: string): Promise<TaskRecord | null> {
    if (this.unreadable > 0) {
      this.unreadable -= 1;
      throw new Error("the archive cannot be read");
    }
    return this.tasks.get(id) ?? null;
  }

  /** As when the engine ends a task. */
  put(task: TaskRecord): void {
    this.tasks.set(task.id, task);
    for (const listener of this.#listeners) listener(task);
  }

  /** What a restart finds. */
  reopened(): MemoryWebhookTasks {
    const next = new MemoryWebhookTasks();
    for (const [id, task] of this.tasks) next.tasks.set(id, task);
    return next;
  }
}

/** Delivering with everything around it: real receivers, a store on a simulated disk, time in the test's hands. */
export class WebhookWorld implements AsyncDisposable {
  readonly time = new SimulatedTime(START);
  readonly receiver = new WireProvider();
  readonly notices: string[] = [];
  readonly events: string[] = [];
  readonly logged: string[] = [];
  repository = new MemoryWebhookTasks();
  fs: SimFs;
  store: OpenedStore;
  secret: WebhookSecrets;
  deliver: DeliverWebhooks;
  allowed = new Set<string>();
  readonly silenceMs: number;
  #stop = new AbortController();
  #made = 0;

  private constructor(fs: SimFs, store: OpenedStore, silenceMs: number) {
    this.fs = fs;
    this.store = store;
    this.silenceMs = silenceMs;
    this.secret = this.#makeSecret();
    this.deliver = this.#make();
  }

  static async open(silenceMs = SILENCE_MS): Promise<WebhookWorld> {
    const fs = new SimFs({ files: new Map(), folders: new Set([DIR]) });
    const { store } = await open({ dir: DIR, fs });
    const world = new WebhookWorld(fs, store, silenceMs);
    await world.receiver.listen();
    world.allowed.add(formatTarget(new URL(world.receiver.origin)));
    return world;
  }

  /** Where webhooks go unless a test says otherwise. */
  get url(): string {
    return `${this.receiver.origin}/hook`;
  }

  /** Ends task `number` now, with a webhook that is due at once. */
  end(number: number, changes: Partial<TaskDelivery> = {}): TaskRecord {
    const now = this.time.now();
    const delivery = { id: `msg_${number}`, url: this.url, at: now, next_at: now, ...changes };
    const task = closedTask({
      id: taskId(number),
      created_at: now - 60_000,
      finished_at: now,
      webhook_url: delivery.url,
      deliveries: [taskDelivery(delivery)],
    });
    this.repository.put(task);
    return task;
  }

  /** Time passes, and everything that it brings is done. */
  async pass(ms: number): Promise<void> {
    await this.time.pass(ms, async () => {
      await new Promise((resolve) => setImmediate(resolve));
      await this.deliver.idle();
      await new Promise((resolve) => setImmediate(resolve));
    });
  }

  delivery(number: number): TaskDelivery {
    const delivery = this.repository.tasks.get(taskId(number))?.deliveries[0];
    if (delivery === undefined) throw new Error(`task ${number} has no callback`);
    return delivery;
  }

  /** Stops as an update of Postern does, and starts on what is on the disk. */
  async restart(): Promise<void> {
    this.#stop.abort();
    await this.deliver.stop();
    await this.reopen();
  }

  /** Starts on what is on the disk. What the earlier process still does has no effect. */
  async reopen(): Promise<void> {
    this.repository = this.repository.reopened();
    this.fs = new SimFs(this.fs.afterKill());
    this.store = (await open({ dir: DIR, fs: this.fs })).store;
    this.secret = this.#makeSecret();
    this.#stop = new AbortController();
    this.deliver = this.#make();
    this.deliver.start();
  }

  /** As `kill -9` does: what is on its way to the disk never arrives there. */
  async kill(): Promise<void> {
    this.repository.dead = true;
    this.time.forget();
    await this.reopen();
  }

  /** The event in a request, if both verifiers take it at the moment that its clock shows. */
  async verified(seen: WireSeen, secret: string, at = this.time.now()): Promise<Record<string, unknown>> {
    const headers = Object.fromEntries(Object.entries(seen.headers).map(([name, value]) => [name, String(value)]));
    const payload = seen.body.toString("utf8");
    const now = vi.spyOn(Date, "now").mockReturnValue(at);
    try {
      const event = new Webhook(secret).verify(payload, headers);
      expect(await openai.webhooks.unwrap(payload, headers, secret)).toEqual(event);
      return event as Record<string, unknown>;
    } finally {
      now.mockRestore();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.deliver.stop();
    await this.receiver.close();
  }

  #makeSecret(): WebhookSecrets {
    const notices = { add: (_level: string, message: string) => void this.notices.push(message) };
    return new WebhookSecrets({ store: this.store, clock: this.time, notices, fromEnvironment: null });
  }

  #make(): DeliverWebhooks {
    const log = createLog(
      (lines) => void this.logged.push(lines),
      () => this.time.now(),
    );
    return new DeliverWebhooks({
      repository: this.repository,
      store: this.store,
      secrets: this.secret,
      clock: this.time,
      later: this.time.later,
      random: Math.random,
      sender: new WebhookSender(() => ({ allowed: this.allowed, ownPort: 1 }), { totalMs: this.silenceMs }),
      log: { ...log, info: (event, fields) => (log.info(event, fields), log.flush()) },
      notices: { add: (_level, message) => void this.notices.push(message) },
      events: { emit: (event) => void this.events.push(event.type) },
      stopping: this.#stop.signal,
      urls: new WebhookUrls(new FolderKey(this.store, "webhook_url_secret")),
      views: {
        task: async (task) => ({
          id: task.id,
          object: "video.task",
          model: task.model,
          status: getStatus(task),
          created_at: Math.floor(task.created_at / 1_000),
          updated_at: Math.floor(task.updated_at / 1_000),
          native: task.native,
          // Made again for each attempt, as signed links are.
          content: { video_url: null, local_url: `http://127.0.0.1:1/media/é?view=${(this.#made += 1)}` },
        }),
      },
    });
  }
}
