import type { TaskDetail } from "../../gateway/contract/tasks.ts";
import type { VideoTask } from "../../gateway/contract/videos.ts";
import { FastChild } from "./fast-child.ts";
import { FastTime } from "./fast-time.ts";
import type { KillPoint } from "./kill-points.ts";
import { FAMILIES, LISTED, orderBody, type Family } from "./video-orders.ts";
import { VIDEO_KEY, VIDEO_KEY_NAME, VideoTruth, detailOf, type Order } from "./video-truth.ts";
import { VideoProvider, mp4, type ScriptedState } from "./video-provider.ts";
import { WEBHOOK_SECRET, WebhookReceiver } from "./webhook-receiver.ts";

/** So large that a film comes in several pieces, which are written one after another. */
const FILM_BYTES = 200_000;
const QUIET_MS = 60_000;
/** A point that is not reached in this time is not on the way of these tasks. */
const KILLED_MS = 8_000;
/** A task that is lost at a provider with a list must have been found in it after this time of the gateway's clock. */
const FOUND_MS = 20 * 60_000;

/** When a gateway is killed. */
export type Kill =
  /** At a point of its own work. */
  | { readonly how: "point"; readonly point: KillPoint }
  /** So many ms of this machine after the first submission. */
  | { readonly how: "after"; readonly ms: number }
  /** While something waits for a response; what is held is answered after the kill, to no one. */
  | { readonly how: "holding"; readonly what: "submit" | "poll" | "file" | "webhook" };

/** A gateway that is killed again and again on one folder, with providers and a receiver that live on. */
export class KillStage {
  readonly provider: VideoProvider;
  readonly receiver: WebhookReceiver;
  readonly speed: number;
  readonly time: FastTime;
  /** What was lost or doubled, as sentences. */
  readonly broken: string[] = [];
  /** How many were killed; how many tasks were lost on their way, and of these resolved by the owner. */
  kills = 0;
  lost = 0;
  byOwner = 0;
  readonly #since: number;
  readonly #dataDir: string;
  readonly #truth: VideoTruth;
  readonly #orders: Order[] = [];
  #child: FastChild | null = null;

  private constructor(dataDir: string, speed: number, provider: VideoProvider, receiver: WebhookReceiver) {
    this.#dataDir = dataDir;
    this.speed = speed;
    this.provider = provider;
    this.receiver = receiver;
    this.#since = Date.now();
    this.time = new FastTime(speed, this.#since);
    this.#truth = new VideoTruth(provider, receiver, dataDir);
    provider.now = () => this.time.now();
    provider.film = (id) => mp4(`${id} ${"film ".repeat(FILM_BYTES / 5)}`);
  }

  /** @param speed of the gateway's time */
  static async open(dataDir: string, speed = 100): Promise<KillStage> {
    return new KillStage(dataDir, speed, await new VideoProvider().listen(), await new WebhookReceiver().listen());
  }

  async close(): Promise<void> {
    await this.#child?.kill();
    await this.receiver.close();
    await this.provider.close();
  }

  get orders(): readonly Order[] {
    return this.#orders;
  }

  get child(): FastChild {
    if (this.#child === null) throw new Error("no gateway runs");
    return this.#child;
  }

  /** @param point where it kills itself, beginning with its start. @returns whether it lived to be ready */
  async start(point: KillPoint | null = null): Promise<boolean> {
    const env = this.provider.env("dashscope", "ark", "xai", "openai");
    this.#child = new FastChild({
      dataDir: this.#dataDir,
      speed: this.speed,
      since: this.#since,
      kill: point,
      env: {
        ...env,
        POSTERN_ALLOW_TARGETS: `${env["POSTERN_ALLOW_TARGETS"]},${this.receiver.host}`,
        POSTERN_KEYS: JSON.stringify([{ key: VIDEO_KEY, name: VIDEO_KEY_NAME, limit_usd: 100_000 }]),
        POSTERN_SANDBOX: "off",
        POSTERN_WEBHOOK_SECRET: WEBHOOK_SECRET,
      },
    });
    const alive = await this.#child.ready();
    if (!alive) this.kills += 1;
    return alive;
  }

  /** Orders one task of each family. @param plan what they go through at their providers */
  async order(label: string, plan: readonly ScriptedState[], families: readonly Family[] = FAMILIES): Promise<void> {
    this.provider.plan = plan;
    const orders = families.map((family) => this.#newOrder(`${label}-${family}`, family, plan.at(-1) === "succeeded"));
    await Promise.all(orders.map((order) => this.#submit(order)));
  }

  /** Orders, and kills the gateway. @returns whether it was killed where it was meant to be, not merely ended */
  async orderAndKill(
    label: string,
    kill: Kill,
    plan: readonly ScriptedState[],
    families: readonly Family[] = FAMILIES,
  ): Promise<boolean> {
    const { child } = this;
    if (kill.how === "point") await child.killAt(kill.point);
    const pending = kill.how === "holding" ? this.#hold(kill.what) : null;
    const submitted = this.order(label, plan, families);
    if (kill.how === "after") await pause(kill.ms);
    const reached = pending === null || (await pending.reached());
    if (kill.how !== "point") child.signal("SIGKILL");
    const end = await Promise.race([child.exited, pause(KILLED_MS).then(() => null)]);
    if (end === null) await child.kill();
    else if (end !== "SIGKILL") this.broken.push(`${label}: the gateway ended by itself: ${end} ${child.stderr}`);
    pending?.release();
    await submitted;
    if (end === "SIGKILL") this.kills += 1;
    return reached && end === "SIGKILL";
  }

  /** Kills it after so many ms of this machine, unless it kills itself before. */
  async killAfter(ms: number): Promise<void> {
    await Promise.race([pause(ms), this.child.exited]);
    await this.child.kill();
    this.kills += 1;
  }

  /**
   * Lets everything come to its end, orders again what may have had no response, says of unknown tasks what the owner
   * would, and compares all with what the provider and the receiver saw.
   */
  async settle(): Promise<void> {
    const open = this.#orders.filter(({ checked }) => !checked);
    await Promise.all(open.map((order) => this.#settle(order)));
    this.broken.push(...(await this.#truth.ofMoney(this.child, this.#orders)));
    for (const list of [this.provider.complaints, this.receiver.complaints]) this.broken.push(...list.splice(0));
  }

  async #settle(order: Order): Promise<void> {
    try {
      await this.#submit(order);
      await this.#toItsEnd(order);
      await this.#submit(order);
      this.broken.push(...(await this.#truth.ofTask(this.child, order)));
    } catch (error) {
      this.broken.push(`${order.name}: ${error instanceof Error ? error.message : String(error)}`);
    }
    if (order.lost) this.lost += 1;
    if (order.byOwner) this.byOwner += 1;
    order.checked = true;
  }

  #newOrder(name: string, family: Family, works: boolean): Order {
    const order: Order = {
      name,
      family,
      body: { ...orderBody(family, name), webhook_url: this.receiver.url(name) },
      works,
      answered: new Set(),
      id: null,
      lost: false,
      byOwner: false,
      checked: false,
    };
    this.#orders.push(order);
    return order;
  }

  async #submit(order: Order): Promise<void> {
    let response: Response;
    let text: string;
    try {
      response = await fetch(`${this.child.url}/v1/videos/generations`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${VIDEO_KEY}`,
          "content-type": "application/json",
          "idempotency-key": order.name,
        },
        body: JSON.stringify(order.body),
      });
      text = await response.text();
    } catch {
      // Killed before the response: the client knows nothing.
      return;
    }
    // A disk so busy that half a minute of the gateway's time passes: the task goes on, and is asked for again.
    if (response.status === 503) return;
    if (response.status !== 202) {
      this.broken.push(`${order.name}: ${response.status} ${text}`);
      return;
    }
    const { id, status } = JSON.parse(text) as VideoTask;
    order.answered.add(id);
    order.lost ||= status === "unknown";
  }

  async #toItsEnd(order: Order): Promise<void> {
    let unknownSince: number | null = null;
    const deadline = performance.now() + QUIET_MS;
    for (;;) {
      const task = await detailOf(this.child, order);
      order.id = task.id;
      if (task.status === "unknown") {
        order.lost = true;
        unknownSince ??= this.time.now();
        const timeouts = LISTED.has(order.family) ? FOUND_MS : 0;
        if (this.time.now() - unknownSince >= timeouts) await this.#resolve(order, task);
      }
      if (isQuiet(task)) return;
      if (performance.now() > deadline) throw new Error(`it does not end: ${JSON.stringify(task)}`);
      await pause(100);
    }
  }

  /** What the owner does who has looked at the provider's own console. */
  async #resolve(order: Order, task: TaskDetail): Promise<void> {
    if (LISTED.has(order.family)) this.broken.push(`${order.name} was not found in the provider's list`);
    const [accepted] = this.provider.accepted(order.name);
    order.byOwner = true;
    const says = accepted === undefined ? { never_arrived: true } : { provider_task_id: accepted.id };
    await this.child.control("POST", `/tasks/${task.id}/resolve`, says);
  }

  /** Holds requests of a kind. `reached`: whether one came. */
  #hold(what: "submit" | "poll" | "file" | "webhook"): { release: () => void; reached: () => Promise<boolean> } {
    const { receiver, provider } = this;
    const count = (): number => (what === "webhook" ? receiver.received.length : provider.count(what));
    const before = count();
    const release = what === "webhook" ? receiver.hold() : provider.hold(what);
    const reached = async (): Promise<boolean> => {
      const deadline = performance.now() + KILLED_MS;
      while (count() === before && performance.now() < deadline) await pause(2);
      return count() > before;
    };
    return { release, reached };
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Nothing will happen to it any more. */
function isQuiet(task: TaskDetail): boolean {
  const over = task.status === "succeeded" || task.status === "failed" || task.status === "cancelled";
  const counted = task.receipt !== null && task.held_nano === 0;
  const called = task.deliveries.every(({ state }) => state !== "pending");
  const files = task.status !== "succeeded" ? 0 : task.model.includes("seedance") ? 2 : 1;
  return over && counted && called && task.results.length >= files;
}
