import { createHash } from "node:crypto";
import { getDirectives } from "../directives.ts";
import { cutConnection, type Exchange } from "../exchange.ts";
import { Failure, requestedFailure } from "../failure.ts";
import { filmAddress } from "./films.ts";
import { type FilmSize, RATE, sizeByPixels } from "./sizes.ts";

/** A request for a video. */
interface Order {
  /** The provider's own id. */
  readonly model: string;
  readonly prompt: string;
  readonly size: FilmSize;
  readonly seconds: number;
  /** More figures that the provider reports of a task. */
  readonly extra?: readonly number[];
}

/** A task, all of which is in its id. */
export interface Task extends Pick<Order, "model" | "size"> {
  readonly id: string;
  /** Digits in its film: equal requests have equal ones. */
  readonly digits: string;
  readonly frames: number;
  readonly seconds: number;
  readonly extra: readonly number[];
  /** Unix ms, as are all times. */
  readonly created: number;
  readonly takesMs: number;
  readonly fails: boolean;
}

/** Milliseconds of a task that no prompt slows down. */
const USUAL_MS = 3_000;
const DIGITS = 7;
const CHECK_DIGITS = 8;

/**
 * Builds an id that encodes its whole task, so that tasks survive the sandbox, which runs in the gateway's process. A
 * digest detects invalid ids. It is not secret, because a forged id only yields a film of the sandbox.
 */
function getId(prefix: string, fields: readonly unknown[]): string {
  const content = Buffer.from(JSON.stringify(fields)).toString("base64url");
  return prefix + content + getCheck(prefix + content);
}

function getCheck(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, CHECK_DIGITS);
}

/** Distinguishes tasks of one request in the same millisecond. */
let ordinal = 0;
const ORDINALS = 1_000;

/**
 * Creates a task as its prompt requests: `sandbox:error` and `sandbox:cut` create none, `sandbox:fail` applies to the
 * task.
 * @param prefix prefix of the provider's ids
 * @param matter part of the request that determines its colours
 * @returns null if the connection was broken.
 * @throws Failure for `sandbox:error`.
 */
export function takeOrder(exchange: Exchange, prefix: string, order: Order, matter: Uint8Array): Task | null {
  const { errorStatus, fails, slowMs, cut } = getDirectives(order.prompt);
  if (errorStatus !== null && !fails) throw requestedFailure(errorStatus);
  if (cut) {
    cutConnection(exchange);
    return null;
  }
  const { model, size, seconds, extra = [] } = order;
  const digits = createHash("sha256").update(matter).digest("hex").slice(0, DIGITS);
  const frames = Math.max(1, Math.round(seconds * RATE));
  ordinal = (ordinal + 1) % ORDINALS;
  const fields = [
    model,
    exchange.clock.now(),
    slowMs ?? USUAL_MS,
    Number(fails),
    digits,
    `${size.width}x${size.height}`,
    frames,
    extra,
    ordinal,
  ];
  const task = readTask(prefix, getId(prefix, fields));
  if (task !== null) exchange.tasks.add(task.id);
  return task;
}

/** @returns null for ids that were never given. */
export function readTask(prefix: string, id: string): Task | null {
  const content = id.slice(prefix.length, -CHECK_DIGITS);
  if (!id.startsWith(prefix) || id !== prefix + content + getCheck(prefix + content)) return null;
  const fields: unknown = JSON.parse(Buffer.from(content, "base64url").toString("utf8"));
  const [model, created, takesMs, fails, digits, pixels, frames, extra] = fields as [
    string,
    number,
    number,
    number,
    string,
    string,
    number,
    readonly number[],
  ];
  const size = sizeByPixels(pixels);
  return { id, model, created, takesMs, fails: fails === 1, digits, size, frames, seconds: frames / RATE, extra };
}

/** Max milliseconds of a task's time in the queue. */
const LONGEST_QUEUE_MS = 1_000;

/** A task at this moment. */
interface TaskView {
  readonly state: "queued" | "running" | "succeeded" | "failed" | "cancelled";
  /** Percent of its work; 0 while it waits. */
  readonly progress: number;
  /** When it leaves or left the queue, and when it is or was over. */
  readonly began: number;
  readonly ended: number;
}

/** Computes a task's state from the time alone, unless it was cancelled. */
export function getView({ id, created, takesMs, fails }: Task, { tasks, clock }: Exchange): TaskView {
  const now = clock.now();
  const cancelled = tasks.getWithdrawal(id);
  const began = created + Math.min(LONGEST_QUEUE_MS, Math.floor(takesMs / 3));
  const ended = cancelled ?? created + takesMs;
  if (cancelled !== undefined) return { state: "cancelled", progress: 0, began, ended };
  if (now >= ended) return { state: fails ? "failed" : "succeeded", progress: 100, began, ended };
  if (now < began) return { state: "queued", progress: 0, began, ended };
  return {
    state: "running",
    progress: Math.min(99, Math.floor((100 * (now - began)) / (ended - began))),
    began,
    ended,
  };
}

/** Returns the address of the film of a task that succeeded. */
export function getFilm(task: Task, exchange: Exchange): string {
  return filmAddress(exchange, { ...task.size, frames: task.frames, digits: task.digits });
}

const ADDRESS = /^(https?:\/\/[^/]|oss:\/\/[^/]|asset:\/\/|data:\w+\/[\w.+-]+;base64,)/i;

/** Nothing is fetched here, but invalid URLs are refused. @throws Failure (400) for an invalid URL */
export function checkAddresses(urls: readonly unknown[]): void {
  const wrong = urls.find((url) => typeof url === "string" && !ADDRESS.test(url));
  if (wrong === undefined) return;
  throw new Failure(400, "The provided URL does not appear to be valid.", { code: "InvalidURL" });
}

/** Returns a page of a list. @param page from 1 */
export function getPage<Item>(items: readonly Item[], page: string | null, size: string | null): readonly Item[] {
  const [at, count] = [Number(page ?? 1), Number(size ?? 10)];
  return items.slice((at - 1) * count, at * count);
}

/** Whole seconds of a moment. */
export function getSeconds(ms: number): number {
  return Math.floor(ms / 1_000);
}
