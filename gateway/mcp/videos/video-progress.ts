import { statusOf } from "../../core/tasks/task.ts";
import type { TaskRecord } from "../../core/tasks/task.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Progress } from "../tool/progress.ts";
import { progressWords } from "./video-task-words.ts";

/** A hundredth of a percent: every figure has to be larger than the one before, also where nothing has moved. */
const A_LITTLE = 0.01;

/**
 * Tells how far a task is: in percent of 100 where its provider says so, in seconds of waiting where it does not. The two
 * are never mixed downwards, because a smaller figure than the last would not be told at all.
 */
export class TaskProgress {
  readonly #clock: Clock;
  readonly #progress: Progress;
  readonly #begun: number;
  #last = -A_LITTLE;
  #inPercent = false;

  constructor(clock: Clock, progress: Progress) {
    this.#clock = clock;
    this.#progress = progress;
    this.#begun = clock.monotonic();
  }

  tell(task: TaskRecord): void {
    const seconds = Math.round((this.#clock.monotonic() - this.#begun) / 1_000);
    const message = `${task.model}: ${statusOf(task)}${progressWords(task)}, ${seconds} s`;
    const percent = task.progress;
    if (percent !== null && percent > this.#last) {
      this.#inPercent = true;
      this.#last = percent;
    } else {
      this.#last = Math.max(this.#last + A_LITTLE, this.#inPercent ? 0 : seconds);
    }
    const total = this.#inPercent ? { total: 100 } : {};
    this.#progress.report({ progress: Math.round(this.#last * 100) / 100, ...total, message });
  }
}
