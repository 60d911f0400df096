import { createHash } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { KeyView } from "../../gateway/contract/key.ts";
import type { Receipt } from "../../gateway/contract/receipt.ts";
import type { TaskDetail } from "../../gateway/contract/tasks.ts";
import type { FastChild } from "./fast-child.ts";
import type { Family } from "./video-orders.ts";
import type { ProviderTask, VideoProvider } from "./video-provider.ts";
import type { WebhookReceiver } from "./webhook-receiver.ts";

/** The only key of gateways whose videos are compared. */
export const VIDEO_KEY = "sk-test-videos-key-00001";
export const VIDEO_KEY_NAME = "videos";

/** A task that a client orders, and orders again by the same Idempotency-Key until it has a response. */
export interface Order {
  /** Its prompt, its Idempotency-Key, and the end of its webhook's address. */
  readonly name: string;
  readonly family: Family;
  readonly body: object;
  /** The provider makes it; otherwise it fails there. */
  readonly works: boolean;
  /** The ids that its submissions were answered with. */
  readonly answered: Set<string>;
  /** `vt_…`, once it is known. */
  id: string | null;
  /** It was seen as `unknown`, and the owner said what became of it. */
  lost: boolean;
  byOwner: boolean;
  checked: boolean;
}

/** Compares what a gateway says with what the provider and the receiver saw. What differs comes as sentences. */
export class VideoTruth {
  readonly #provider: VideoProvider;
  readonly #receiver: WebhookReceiver;
  readonly #dataDir: string;

  constructor(provider: VideoProvider, receiver: WebhookReceiver, dataDir: string) {
    this.#provider = provider;
    this.#receiver = receiver;
    this.#dataDir = dataDir;
  }

  /** One task that has come to its end. */
  async ofTask(child: FastChild, order: Order): Promise<string[]> {
    const accepted = this.#provider.accepted(order.name);
    const [made] = accepted;
    const task = await detailOf(child, order);
    const expected = made === undefined || !order.works ? "failed" : "succeeded";
    const strange = [...order.answered].filter((id) => id !== task.id && id !== task.public_id);
    const broken = [
      accepted.length > 1 && `was submitted ${accepted.length} times`,
      task.status !== expected && `is ${task.status}, not ${expected}: ${JSON.stringify(task.timeline)}`,
      made === undefined && task.error?.code !== "not_submitted" && `failed by ${task.error?.code}`,
      made !== undefined && task.provider_task_id !== made.id && `is ${task.provider_task_id} at its provider`,
      expected === "failed" && task.nano !== 0 && `failed and cost ${task.nano}`,
      expected === "succeeded" && !(task.nano !== null && task.nano > 0) && "was not charged",
      strange.length > 0 && `is ${task.id}, and by its Idempotency-Key ${strange.join()}`,
      ...this.#ofCallbacks(order, task),
      ...(made !== undefined && expected === "succeeded" ? await ofFiles(child, made, task) : []),
    ];
    return broken.flatMap((why) => (why === false ? [] : [`${order.name} ${why}`]));
  }

  /** The money of all tasks of the folder, when none runs any more. */
  async ofMoney(child: FastChild, orders: readonly Order[]): Promise<string[]> {
    const receipts = await receiptsOf(child);
    const tasks = await Promise.all(orders.map((order) => detailOf(child, order)));
    const spent = tasks.reduce((sum, { nano }) => sum + (nano ?? 0), 0);
    const usage = await fetch(`${child.url}/v1/dashboard/billing/usage`, { headers: AUTHORIZED });
    const { total_usage: cents } = (await usage.json()) as { total_usage: number };
    const { data } = await child.control<{ data: KeyView[] }>("GET", "/keys");
    const key = data.find(({ name }) => name === VIDEO_KEY_NAME);
    const unfinished = await readdir(join(this.#dataDir, "media", "incoming")).catch(() => []);
    const broken = [
      ...tasks.flatMap((task, index) => ofReceipts(orders[index]?.name ?? "", task, receipts)),
      receipts.length !== orders.length && `there are ${receipts.length} receipts for ${orders.length} tasks`,
      Math.round(cents * 1e7) !== spent && `${cents} cents were billed for tasks of ${spent / 1e7}`,
      key?.spent_nano !== spent && `the key has spent ${key?.spent_nano}, its tasks ${spent}`,
      (key?.held_nano !== 0 || key.in_flight !== 0) && `the key holds ${key?.held_nano}, ${key?.in_flight} in flight`,
      unfinished.length > 0 && `${unfinished.length} unfinished files are left`,
    ];
    return broken.filter((why) => why !== false);
  }

  #ofCallbacks(order: Order, task: TaskDetail): (string | false)[] {
    const received = this.#receiver.of(order.name);
    const [delivery, ...others] = task.deliveries;
    return [
      (delivery === undefined || others.length > 0) && `has ${task.deliveries.length} callbacks`,
      received.some(({ id }) => id !== delivery?.id) && "was called back for by another webhook-id",
      received.some(({ type }) => type !== `video.task.${task.status}`) && "was called back for as in another state",
      received.some((one) => one.task !== task.public_id) && "was called back for by another id",
      !received.some(({ status }) => status === 204) && `was called back for ${received.length} times, and never well`,
    ];
  }
}

/** @throws when it never had a response */
export function detailOf(child: FastChild, order: Order): Promise<TaskDetail> {
  const id = order.id ?? [...order.answered][0];
  if (id === undefined) throw new Error("it never had an answer");
  return child.control<TaskDetail>("GET", `/tasks/${id}`);
}

const AUTHORIZED = { authorization: `Bearer ${VIDEO_KEY}` };

function ofReceipts(name: string, task: TaskDetail, receipts: readonly Receipt[]): (string | false)[] {
  const own = receipts.filter(({ id }) => id === task.request_id);
  return [
    own.length !== 1 && `${name} has ${own.length} receipts`,
    own[0]?.nano !== task.nano && `${name} cost ${task.nano}, by its receipt ${own[0]?.nano}`,
    task.held_nano !== 0 && `${name} holds ${task.held_nano}`,
  ];
}

async function ofFiles(child: FastChild, made: ProviderTask, task: TaskDetail): Promise<(string | false)[]> {
  const served = [made.video, ...(made.lastFrame === null ? [] : [made.lastFrame])];
  const broken = await Promise.all(
    task.results.map(async ({ link, sha256, available }, index) => {
      const bytes = Buffer.from(await (await fetch(`${child.url}${link}`)).arrayBuffer());
      const hash = createHash("sha256").update(bytes).digest("hex");
      const whole = available && hash === sha256 && served[index]?.equals(bytes) === true;
      return !whole && `has other bytes than the provider served: file ${index}, ${bytes.length} bytes`;
    }),
  );
  return [task.results.length !== served.length && `has ${task.results.length} files`, ...broken];
}

async function receiptsOf(child: FastChild): Promise<Receipt[]> {
  const receipts: Receipt[] = [];
  for (let before: string | null = ""; before !== null;) {
    const query: string = before === "" ? "" : `&before=${encodeURIComponent(before)}`;
    const page: { data: Receipt[]; cursor: string | null } = await child.control("GET", `/requests?limit=500${query}`);
    receipts.push(...page.data);
    before = page.cursor;
  }
  return receipts;
}
