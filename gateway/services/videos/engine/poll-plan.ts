import { isOver } from "../../../core/tasks/task.ts";
import type { TaskRecord } from "../../../core/tasks/task.ts";
import type { Clock } from "../../../lib/clock.ts";
import type { VideoPace } from "../../../providers/videos.ts";
import type { Connections } from "../../connections/connections.ts";
import type { PollOutcome } from "./poll-task.ts";

/** Poll intervals of tasks whose connection was removed. */
const ANY_PACE: Pick<VideoPace, "first" | "watched" | "usual"> = { first: 10_000, watched: 10_000, usual: 60_000 };
/** Milliseconds that a client which asked for a task is assumed to wait for it. */
const WATCHED_FOR_MS = 30_000;
/** Milliseconds between polls of a task that has failed by its deadline. */
const VERDICT_EVERY_MS = 10 * 60_000;
/** Milliseconds after the submission in which a task with a webhook is polled often, since its receiver waits as well. */
const EAGER_FOR_MS = 10 * 60_000;
const EAGER_MS = 3_000;
/** … and later at most this long, so that with jitter and pace a webhook is sent within a minute. */
const CALLBACK_PAUSE_MS = 40_000;
/** Max tasks at the full pace; more are polled less often, except watched ones: the total rate stays the same. */
const COMFORTABLE = 150;
const LONGEST_PAUSE_MS = 5 * 60_000;
/** After a start: the first questions come in this time, a provider's lane paces them besides. */
const SPREAD_MS = 10_000;
/** Milliseconds between searches for a lost task. */
const LOOKS_MS = [15_000, 60_000, 120_000, 300_000, 900_000, 1_800_000] as const;

interface Course {
  /** Monotonic. */
  watchedUntil: number;
  /** Monotonic; of a task with a webhook. */
  eagerUntil: number;
  /** Monotonic; null before the first question of this run. */
  polledAt: number | null;
  failures: number;
  /** Monotonic ms before which the provider asked not to be polled. */
  notBefore: number;
  looks: number;
  problem: string | null;
}

/** When each task is asked for next: a provider's own pace, jitter, patience after failures. Moments are Unix ms. */
export class PollPlan {
  readonly #deps: { readonly clock: Clock; readonly random: () => number; readonly connections: Connections };
  readonly #courses = new Map<string, Course>();

  constructor(deps: { readonly clock: Clock; readonly random: () => number; readonly connections: Connections }) {
    this.#deps = deps;
  }

  next(task: TaskRecord): number {
    const course = this.#course(task);
    const { clock } = this.#deps;
    const pace = this.#getPace(task);
    const now = clock.now();
    if (course.polledAt === null) return now + this.#addJitter(pace.first);
    const longest = task.webhook_url === null ? LONGEST_PAUSE_MS : CALLBACK_PAUSE_MS;
    const eager = clock.monotonic() < course.eagerUntil;
    if (course.failures > 0) {
      const pause = Math.min((eager ? EAGER_MS : pace.usual) * 2 ** (course.failures - 1), longest);
      return now + Math.max(this.#addJitter(pause), course.notBefore - clock.monotonic());
    }
    if (isOver(task)) return now + this.#addJitter(Math.max(pace.usual, VERDICT_EVERY_MS));
    const crowd = Math.max(1, this.#courses.size / COMFORTABLE);
    const usual = eager ? Math.max(EAGER_MS, pace.watched) : Math.min(pace.usual * crowd, longest);
    return now + this.#addJitter(clock.monotonic() < course.watchedUntil ? Math.min(pace.watched, usual) : usual);
  }

  /** Returns the first poll after a restart: spread over all tasks, so that no provider gets them together. */
  afterStart(task: TaskRecord): number {
    this.#course(task).polledAt = -Infinity;
    return this.#deps.clock.now() + Math.floor(this.#deps.random() * SPREAD_MS);
  }

  /** Notes that a client waits for the task. @returns its provider's next poll; null if the waiting changes nothing */
  watchTask(task: TaskRecord): number | null {
    const course = this.#course(task);
    const { clock } = this.#deps;
    course.watchedUntil = clock.monotonic() + WATCHED_FOR_MS;
    if (course.polledAt === null || course.failures > 0 || isOver(task)) return null;
    return clock.now() + Math.max(0, course.polledAt + this.#getPace(task).watched - clock.monotonic());
  }

  recordPoll(task: TaskRecord, outcome: PollOutcome): void {
    const course = this.#course(task);
    const now = this.#deps.clock.monotonic();
    course.polledAt = now;
    if (outcome.kind === "said") {
      course.failures = 0;
      course.problem = null;
      return;
    }
    course.failures += 1;
    course.notBefore = outcome.retryAfter === null ? 0 : now + Math.min(outcome.retryAfter * 1_000, LONGEST_PAUSE_MS);
  }

  /** Returns whether this problem is new: it is reported once until it is resolved. */
  problem(task: TaskRecord, why: string): boolean {
    const course = this.#course(task);
    // A single failed poll is not reported; an unreachable provider is.
    if (course.failures < 3 || course.problem === why) return false;
    course.problem = why;
    return true;
  }

  nextLook(task: TaskRecord): number {
    const { looks } = this.#course(task);
    const pause = LOOKS_MS[Math.min(looks, LOOKS_MS.length - 1)] as number;
    return this.#deps.clock.now() + this.#addJitter(pause);
  }

  /** Number of searches for a lost task in this run. */
  looks(task: TaskRecord): number {
    return this.#course(task).looks;
  }

  markRead(task: TaskRecord): void {
    this.#course(task).looks += 1;
  }

  forget(id: string): void {
    this.#courses.delete(id);
  }

  #course({ id, webhook_url: callback, created_at: created }: TaskRecord): Course {
    let course = this.#courses.get(id);
    if (course === undefined) {
      const { clock } = this.#deps;
      const left = callback === null ? 0 : Math.min(created + EAGER_FOR_MS - clock.now(), EAGER_FOR_MS);
      const eagerUntil = clock.monotonic() + left;
      course = { watchedUntil: 0, eagerUntil, polledAt: null, failures: 0, notBefore: 0, looks: 0, problem: null };
      this.#courses.set(id, course);
    }
    return course;
  }

  #getPace(task: TaskRecord): Pick<VideoPace, "first" | "watched" | "usual"> {
    return this.#deps.connections.get(task.connection)?.provider.videos?.pace ?? ANY_PACE;
  }

  /** ± 20 %. */
  #addJitter(ms: number): number {
    return Math.round(ms * (0.8 + 0.4 * this.#deps.random()));
  }
}
