import { isOver } from "../../core/tasks/task.ts";
import type { TaskRecord } from "../../core/tasks/task.ts";
import type { Later } from "../../lib/later.ts";
import type { Client } from "../calls/client.ts";
import type { TaskRepository } from "../../store/tasks/task-repository.ts";
import type { VideoEngine } from "./engine/video-engine.ts";

/** Milliseconds between watches of a task that a client waits for. */
const WATCH_EVERY_MS = 10_000;

export interface AwaitDeps {
  readonly repository: TaskRepository;
  readonly engine: Pick<VideoEngine, "watch" | "stopping">;
  readonly later: Later;
}

/**
 * Waits until a task ends, for at most `ms`, or until its client disconnects or Postern stops. @returns its current
 * state
 */
export function awaitTask(deps: AwaitDeps, task: TaskRecord, ms: number, client: Client): Promise<TaskRecord> {
  if (isOver(task) || ms <= 0 || client.cancelled || deps.engine.stopping.aborted) return Promise.resolve(task);
  const { repository, engine, later } = deps;
  return new Promise((resolve) => {
    let newest = task;
    let cancelWatch = (): void => {};
    const end = (): void => {
      stopListening();
      cancelTimer();
      cancelWatch();
      client.onCancelled(null);
      engine.stopping.removeEventListener("abort", end);
      resolve(newest);
    };
    const watch = (): void => {
      engine.watch(newest);
      cancelWatch = later(WATCH_EVERY_MS, watch);
    };
    const stopListening = repository.onChange((changed) => {
      if (changed.id !== task.id) return;
      newest = changed;
      if (isOver(changed)) end();
    });
    const cancelTimer = later(ms, end);
    client.onCancelled(end);
    engine.stopping.addEventListener("abort", end);
    watch();
    // It may have ended between its record was read and now.
    const known = repository.get(task.id);
    if (known !== undefined && isOver(known)) {
      newest = known;
      end();
    }
  });
}
