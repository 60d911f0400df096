import { GatewayError } from "../../../core/errors.ts";
import { failTask } from "../../../core/tasks/task-changes.ts";
import { endWithoutVideo, taskReceipt } from "../../../core/tasks/task-receipt.ts";
import type { TaskRecord } from "../../../core/tasks/task.ts";
import { newId } from "../../../lib/ids.ts";
import { askProvider, getSentence, findState, getVideos, getAccount } from "../task-provider.ts";
import type { PollDeps } from "./poll-task.ts";

/** Cancels tasks at providers that can, while they wait there. */
export class CancelTask {
  readonly #deps: PollDeps;

  constructor(deps: PollDeps) {
    this.#deps = deps;
  }

  /**
   * @param task in the provider's newest state: a finished result there must not be thrown away.
   * @returns the record after it
   * @throws GatewayError not_cancellable, upstream_error when no response came
   */
  async cancel(task: TaskRecord): Promise<TaskRecord> {
    const account = getAccount(task, this.#deps.connections);
    if (typeof account === "string") throw notCancellable(task, account);
    const { connection, credential } = account;
    const adapter = getVideos(connection.provider);
    const { toCancelRequest, toStatusRequest } = adapter;
    if (toCancelRequest === null) throw notCancellable(task, `${connection.name} has no way to cancel a video.`);
    if (task.phase !== "submitted" || task.operation === null) {
      throw notCancellable(task, `${connection.name} cancels tasks only while they wait; this one is ${task.phase}.`);
    }
    const response = await askProvider(this.#deps, account, toCancelRequest(task.operation, credential.secret));
    if (response.kind === "silence") throw new GatewayError("upstream_error", response.why);
    if (response.status < 200 || response.status >= 300)
      throw notCancellable(task, getSentence(response.error(), account));
    // Ark deletes finished tasks when they are cancelled, so a task that is missing now had finished and is billed.
    const last = await askProvider(this.#deps, account, toStatusRequest(task.operation, credential.secret));
    const gone = last.kind === "answer" && findState(adapter, task.operation, last)?.state === "absent";
    return gone ? this.#end(task, "unknown", HAD_FINISHED) : this.#end(task, "failed", null);
  }

  async #end(task: TaskRecord, how: "failed" | "unknown", message: string | null): Promise<TaskRecord> {
    const { repository, clock } = this.#deps;
    const now = clock.now();
    const receipt = taskReceipt(task, endWithoutVideo(task, how, { code: "cancelled" }), now);
    const error = message === null ? null : { code: "cancelled", message };
    const when = { at: now, eventId: newId("evt") };
    const changed = await repository.change(task.id, (newest) =>
      failTask(newest, { phase: "cancelled", error, receipt }, when),
    );
    return changed?.task ?? task;
  }
}

const HAD_FINISHED =
  "The provider does not know the task any more: it may have finished at the moment when it was cancelled, and be billed there.";

export function notCancellable(task: TaskRecord, why: string): GatewayError {
  return new GatewayError("not_cancellable", `The task ${task.id} cannot be cancelled. ${why}`);
}
