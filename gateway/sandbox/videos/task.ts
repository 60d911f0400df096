import { RATE, type FilmPlan } from "./film.ts";
import type { Figures } from "./id-code.ts";
import { FILM_SIZES, type FilmSize } from "./sizes.ts";

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
export type TaskFigures = Figures<keyof typeof TASK_FIGURES>;

const EPOCH = Date.UTC(2025, 0);
const GRAIN_MS = 10;
/** Of the time that a task takes, as long as it waits at most. */
const LONGEST_QUEUE_MS = 1_000;
/** Of a task that no prompt slows down. */
export const USUAL_MS = 3_000;

export type TaskState = "queued" | "running" | "succeeded" | "failed";

/** A task at this moment. Times are Unix milliseconds. */
export interface TaskView {
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
export function momentAt(now: number): number {
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
