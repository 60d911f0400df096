import { createHash } from "node:crypto";
import type { ModelSpec } from "../../core/models/model.ts";
import { directivesOf } from "../directives.ts";
import { cutConnection, type Exchange } from "../exchange.ts";
import { requestedFailure } from "../fields.ts";
import type { Figures } from "./id-code.ts";
import { FILM_SIZES, type FilmSize, type FilmPlan, RATE } from "./sizes.ts";

/** What every provider's id of a task holds, with the bits of each. */
export const TASK_FIGURES = {
  /** When it began: hundredths of a second since `EPOCH`. */
  moment: 36,
  /** Its colours. */
  picture: 28,
  /** Its place in `FILM_SIZES`. */
  size: 6,
  /** How long it takes, in three figures: see `slownessOf`. */
  slow: 13,
  fails: 1,
  /** Tells tasks of one request in one hundredth of a second apart. */
  count: 8,
} as const;
type TaskFigures = Figures<keyof typeof TASK_FIGURES>;

const EPOCH = Date.UTC(2025, 0);
const GRAIN_MS = 10;
/** Of the time that a task takes, as long as it waits at most. */
const LONGEST_QUEUE_MS = 1_000;
/** Of a task that no prompt slows down. */
const USUAL_MS = 3_000;

type TaskState = "queued" | "running" | "succeeded" | "failed";

/** A task at this moment. Times are Unix milliseconds. */
interface TaskView {
  readonly state: TaskState;
  /** Percent of its work; 0 while it waits. */
  readonly progress: number;
  readonly created: number;
  /** When it leaves or left the queue. */
  readonly began: number;
  /** When it is or was over. */
  readonly ended: number;
  /** When it last changed its state. */
  readonly changed: number;
}

/** Its state is a matter of time alone. */
export function taskAt({ moment, slow, fails }: TaskFigures, now: number): TaskView {
  const created = EPOCH + moment * GRAIN_MS;
  const takes = msOf(slow);
  const began = created + Math.min(LONGEST_QUEUE_MS, Math.floor(takes / 3));
  const ended = created + takes;
  const times = { created, began, ended };
  if (now >= ended) return { ...times, state: fails === 1 ? "failed" : "succeeded", progress: 100, changed: ended };
  if (now < began) return { ...times, state: "queued", progress: 0, changed: created };
  const progress = Math.min(99, Math.floor((100 * (now - began)) / (ended - began)));
  return { ...times, state: "running", progress, changed: began };
}

/** The moment of an id, not later than `now`: no task begins in the future. */
function momentAt(now: number): number {
  return Math.max(0, Math.floor((now - EPOCH) / GRAIN_MS));
}

/** Milliseconds up to an hour as three figures and a power of ten, rounded. */
export function slownessOf(ms: number): number {
  let power = 0;
  while (Math.round(ms / 10 ** power) > 999) power += 1;
  return Math.round(ms / 10 ** power) * 8 + power;
}

/** The time that `slownessOf` wrote. */
export function msOf(slow: number): number {
  return Math.floor(slow / 8) * 10 ** (slow % 8);
}

export function sizeOf({ size }: TaskFigures): FilmSize {
  const found = FILM_SIZES[size];
  if (found === undefined) throw new Error(`there is no size ${size}`);
  return found;
}

/** What its file is made from. */
export function filmPlanOf(figures: TaskFigures, frames: number): FilmPlan {
  const { width, height } = sizeOf(figures);
  return { width, height, frames, digits: figures.picture.toString(16).padStart(TASK_FIGURES.picture / 4, "0") };
}

export function framesOf(seconds: number): number {
  return Math.max(1, Math.round(seconds * RATE));
}

/** What a prompt asks of a submission and of its task. */
interface Behaviour {
  readonly slowMs: number | null;
  readonly fails: boolean;
}

/**
 * Does what a prompt asks of the submission: answers with an error, breaks the connection. Neither makes a task.
 * @returns null when the connection was broken: there is nothing left to answer.
 * @throws Failure for `sandbox:error`.
 */
export function submit(exchange: Exchange, prompt: string): Behaviour | null {
  const { errorStatus, fails, slowMs, cut } = directivesOf(prompt);
  // `sandbox:fail` alone is for the task.
  if (errorStatus !== null && !fails) throw requestedFailure(errorStatus);
  if (!cut) return { slowMs, fails };
  cutConnection(exchange);
  return null;
}

/** Counts on from anywhere: after a restart within the same hundredth of a second too. */
let submissions = Math.floor(Math.random() * 2 ** TASK_FIGURES.count);

/**
 * The figures of a new task. Each has another count; all else is the same for the same request.
 * @param bytes of the request, or what of it matters: its colours come from them.
 */
export function newTask(
  exchange: Exchange,
  bytes: string | Uint8Array,
  size: number,
  behaviour: Behaviour,
): TaskFigures {
  submissions = (submissions + 1) % 2 ** TASK_FIGURES.count;
  return {
    moment: momentAt(exchange.clock.now()),
    picture: hashOf(bytes, TASK_FIGURES.picture),
    size,
    slow: slownessOf(behaviour.slowMs ?? USUAL_MS),
    fails: behaviour.fails ? 1 : 0,
    count: submissions,
  };
}

/** The first bits of a digest; at most 32. */
export function hashOf(bytes: string | Uint8Array, bits: number): number {
  return createHash("sha256").update(bytes).digest().readUInt32BE() >>> (32 - bits);
}

/** The provider's own id of a model. */
export function providersId({ upstreamId, id }: ModelSpec): string {
  return upstreamId ?? id;
}

/** The models of one owner: a provider with a protocol of its own has no others. */
export function ownModels(models: readonly ModelSpec[], owner: string): readonly ModelSpec[] {
  return models.filter((model) => model.owner === owner);
}

/** A model that makes videos, by any of its ids. */
export function videoModel(models: readonly ModelSpec[], id: unknown): ModelSpec | undefined {
  const fitting = models.filter((model) => model.capabilities.includes("video"));
  return (
    fitting.find((model) => providersId(model) === id || model.id === id) ??
    fitting.find((model) => typeof id === "string" && model.aliases.includes(id))
  );
}

/** The model whose id an id of a task holds as a hash; its provider's id for it, empty when it is none any more. */
export function modelByHash(models: readonly ModelSpec[], hash: number, bits: number): string {
  const found = models.find(
    (model) => model.capabilities.includes("video") && hashOf(providersId(model), bits) === hash,
  );
  return found === undefined ? "" : providersId(found);
}

/** More than anyone submits while a sandbox runs; what is older is left out of lists. */
const MOST_TASKS = 10_000;

/**
 * What the sandbox remembers of its tasks, until it stops: words that no id has room for, what was taken back, and what was
 * erased. A task that is not in it, since it was submitted before a restart, is no less a task.
 */
export class SandboxTasks<Words> {
  readonly #words = new Map<string, Words>();
  readonly #withdrawn = new Map<string, number>();
  readonly #erased = new Map<string, true>();

  add(id: string, words: Words): void {
    this.#words.set(id, words);
    forgetOldest(this.#words);
  }

  wordsOf(id: string): Words | undefined {
    return this.#words.get(id);
  }

  withdraw(id: string, now: number): void {
    this.#withdrawn.set(id, now);
    forgetOldest(this.#withdrawn);
  }

  /** When it was taken back (Unix ms); null when it was not. */
  withdrawnAt(id: string): number | null {
    return this.#withdrawn.get(id) ?? null;
  }

  /** Takes its record away. */
  erase(id: string): void {
    this.#words.delete(id);
    this.#erased.set(id, true);
    forgetOldest(this.#erased);
  }

  isErased(id: string): boolean {
    return this.#erased.has(id);
  }

  /** Newest first. */
  ids(): readonly string[] {
    return [...this.#words.keys()].toReversed();
  }
}

function forgetOldest(kept: Map<string, unknown>): void {
  const [oldest] = kept.keys();
  if (kept.size > MOST_TASKS && oldest !== undefined) kept.delete(oldest);
}

/** One page of a list, counted from 1. */
export function pageOf<Item>(items: readonly Item[], page: number, size: number): readonly Item[] {
  return items.slice((page - 1) * size, page * size);
}

/** A positive whole number of the query, `most` at most; the standard one where there is none. */
export function countIn(query: URLSearchParams, name: string, standard: number, most: number): number {
  const value = Number(query.get(name) ?? standard);
  return Number.isInteger(value) && value >= 1 ? Math.min(value, most) : standard;
}

/** The query of a request. */
export function queryOf(url: string | undefined): URLSearchParams {
  return new URLSearchParams((url ?? "").split("?")[1] ?? "");
}

const BEIJING_MS = 8 * 3_600_000;

/** `YYYY-MM-DD HH:mm:ss.SSS` in Beijing, where these providers' clocks stand. @param at Unix milliseconds */
export function beijingTime(at: number): string {
  return new Date(at + BEIJING_MS).toISOString().replace("T", " ").replace("Z", "");
}

/** `YYYYMMDDHHMMSS` in Beijing. */
export function beijingDigits(at: number): string {
  return new Date(at + BEIJING_MS).toISOString().replaceAll(/\D/g, "").slice(0, 14);
}
