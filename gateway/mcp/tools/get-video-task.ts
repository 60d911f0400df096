import * as z from "zod";
import { getWholeBetween } from "../../contract/bounds.ts";
import { isOver, getStatus } from "../../core/tasks/task.ts";
import type { TaskRecord } from "../../core/tasks/task.ts";
import { awaitTask } from "../../services/videos/await-task.ts";
import type { ToolDeps } from "../tool/tool-deps.ts";
import { defineTool } from "../tool/tool.ts";
import type { Tool, ToolCall } from "../tool/tool.ts";
import { createTaskContent, taskFields, createTaskView, formatProgressWords } from "../videos/video-task-response.ts";
import type { TaskResponseDeps } from "../videos/video-task-response.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Progress } from "../tool/progress.ts";

/** A hundredth of a percent, because progress must increase with each message even without change. */
const A_LITTLE = 0.01;

/**
 * Reports the progress of a task: in percent if its provider reports it, in seconds of waiting if not. Values never
 * decrease, because smaller ones would not be sent.
 */
export class TaskProgress {
  readonly #clock: Clock;
  readonly #progress: Progress;
  readonly #startedAt: number;
  #last = -A_LITTLE;
  #inPercent = false;

  constructor(clock: Clock, progress: Progress) {
    this.#clock = clock;
    this.#progress = progress;
    this.#startedAt = clock.monotonic();
  }

  tell(task: TaskRecord): void {
    const seconds = Math.round((this.#clock.monotonic() - this.#startedAt) / 1_000);
    const message = `${task.model}: ${getStatus(task)}${formatProgressWords(task)}, ${seconds} s`;
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

export type GetVideoTaskDeps = Pick<ToolDeps, "readVideos" | "taskRepository" | "videoEngine" | "clock" | "later"> &
  TaskResponseDeps;

const MOST_WAIT_S = 600;
/** Far below the time after which clients give up on a silent call (60 s in the SDKs). */
const BEAT_MS = 5_000;

/** `GET /v1/videos/generations/{id}`, and waiting for the end. */
export function getVideoTaskTool(deps: GetVideoTaskDeps): Tool {
  return defineTool({
    name: "get_video_task",
    title: "Get a video task",
    description:
      "Returns the state of a video task of generate_video: its status, and once it succeeded the video and its cost. " +
      "With wait_seconds it waits for the end of the task and reports progress; if the task still runs after that, call " +
      "again. Waiting costs nothing, and cancelling the wait does not cancel the task.",
    input: z.strictObject({
      id: z
        .string("expected the id of a task")
        .min(1, "expected the id of a task")
        .max(200)
        .describe("Id of the task: vt_…, or cgt-… for Seedance. list_video_tasks lists those of this key."),
      wait_seconds: getWholeBetween(0, MOST_WAIT_S)
        .optional()
        .describe(
          "How long to wait for its end, in whole seconds from 0 (default: do not wait) to 600. Many clients time out after " +
            "60 s even though progress is reported every 5 s: 50 is safe with all of them.",
        ),
    }),
    output: z.object(taskFields),
    // `openWorld` is true, because waiting makes Postern poll the provider more often.
    hints: { readOnly: true, destructive: false, idempotent: true, openWorld: true },
    capability: null,
    async run(call, { id, wait_seconds: seconds = 0 }) {
      const task = await deps.readVideos.find(call.input.key, id);
      const newest = await followTask(deps, call, task, seconds * 1_000);
      const view = await createTaskView(deps, newest);
      return { content: createTaskContent(newest, view), structured: view.facts };
    },
  });
}

/** Waits for the task's end, and reports changes and periodic heartbeats. */
async function followTask(deps: GetVideoTaskDeps, call: ToolCall, task: TaskRecord, ms: number): Promise<TaskRecord> {
  const { taskRepository: repository, videoEngine: engine, later, clock } = deps;
  if (ms === 0 || isOver(task) || !call.progress.isRequested)
    return awaitTask({ repository, engine, later }, task, ms, call.client);
  const progress = new TaskProgress(clock, call.progress);
  let newest = task;
  let cancelBeat = (): void => {};
  const beat = (): void => {
    progress.tell(newest);
    cancelBeat = later(BEAT_MS, beat);
  };
  const stopListening = repository.onChange((changed) => {
    if (changed.id !== task.id) return;
    newest = changed;
    // The response reports the end.
    if (!isOver(changed)) progress.tell(changed);
  });
  beat();
  try {
    return await awaitTask({ repository, engine, later }, task, ms, call.client);
  } finally {
    cancelBeat();
    stopListening();
  }
}
