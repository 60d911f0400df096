import type { TaskRow } from "../../gateway/contract/tasks.ts";
import { writePlainText, type Notice } from "./notice.ts";
import type { Words } from "./words.ts";

/** Max age in ms of a task's end for a notice: tasks change later, when a webhook is sent or files are removed. */
const NEWS_MS = 10 * 60_000;
/** Max separate notices; more at the same time share one. */
const MOST_SINGLE = 3;
const LONGEST_PROMPT = 100;
const TOLD_KEPT = 5_000;

/** Ids of tasks whose end was notified or needs no notification. */
export class ReportedTasks {
  readonly #ids = new Set<string>();

  /**
   * Tells whether the end of this task needs a notice, once per task. Cancelled tasks need none.
   * @param now Unix milliseconds.
   */
  isNews(task: TaskRow, now: number): boolean {
    const { id, status, finished_at: finished } = task;
    if (status !== "succeeded" && status !== "failed" && status !== "unknown") return false;
    // A task whose fate is not known has not ended: a notice follows when it does.
    const name = status === "unknown" ? `${id} unknown` : id;
    if (this.#ids.has(name)) return false;
    this.#ids.add(name);
    for (const oldest of this.#ids) {
      if (this.#ids.size <= TOLD_KEPT) break;
      this.#ids.delete(oldest);
    }
    return finished === null || now - finished <= NEWS_MS;
  }
}

function showCost(task: TaskRow, { notices }: Words): string {
  if (task.sandbox) return notices.sandbox;
  if (!task.priced && task.status === "succeeded") return notices.unpriced;
  return notices.cost(task.nano ?? 0);
}

function makeNotice(task: TaskRow, words: Words): Notice {
  const opens = { page: "tasks", params: { task: task.id } };
  const { notices } = words;
  if (task.status === "unknown") {
    return { title: notices.videoUnclear, body: notices.videoUnclearBody(task.model), opens };
  }
  const failed = task.status === "failed";
  const body = failed ? (task.error?.message ?? "") : writePlainText(task.prompt, LONGEST_PROMPT);
  const lines = [`${task.model} · ${showCost(task, words)}`, writePlainText(body)].filter((line) => line !== "");
  return { title: failed ? notices.videoFailed : notices.videoDone, body: lines.join("\n"), opens };
}

/** The notices for tasks that ended at about the same time. Each has its model and its cost. */
export function listTaskNotices(tasks: readonly TaskRow[], words: Words): readonly Notice[] {
  if (tasks.length <= MOST_SINGLE) return tasks.map((task) => makeNotice(task, words));
  const done = tasks.filter(({ status }) => status === "succeeded").length;
  const failed = tasks.filter(({ status }) => status === "failed").length;
  const { notices } = words;
  return [
    {
      title: notices.videosEnded(tasks.length),
      body: notices.videosEndedBody(done, failed),
      opens: { page: "tasks" },
    },
  ];
}
