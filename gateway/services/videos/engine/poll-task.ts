import { failTask, made, updateProgress, timedOut } from "../../../core/tasks/task-changes.ts";
import type { Happening } from "../../../core/tasks/task-changes.ts";
import { createStoredNative, createStoredUsage } from "../../../core/tasks/task-native.ts";
import { endWithoutVideo, taskReceipt } from "../../../core/tasks/task-receipt.ts";
import type { TaskEnd, WithoutVideo } from "../../../core/tasks/task-receipt.ts";
import { readCharge } from "../../../core/money/reported-bill.ts";
import { isSold } from "../../../core/videos/video-cost.ts";
import type { TaskRecord, TaskResult } from "../../../core/tasks/task.ts";
import type { Clock } from "../../../lib/clock.ts";
import { newId } from "../../../lib/ids.ts";
import { redact } from "../../../lib/redact.ts";
import type { VideoResult, VideoState } from "../../../providers/videos.ts";
import type { Connections } from "../../connections/connections.ts";
import { askProvider, getSentence, findState, getVideos, getAccount, getSecrets } from "../task-provider.ts";
import type { AskDeps, ProviderResponse } from "../task-provider.ts";
import { PassedMoments } from "./passed-moments.ts";
import type { TaskRepository } from "../../../store/tasks/task-repository.ts";

export interface PollDeps extends AskDeps {
  readonly repository: TaskRepository;
  readonly clock: Clock;
  readonly connections: Connections;
}

/** The result of a poll. `task` is the record after it. */
export type PollOutcome =
  /** The provider reported its state; the record says whether the task is still running. */
  | { readonly kind: "said"; readonly task: TaskRecord }
  /** No response about the task. `retryAfter` in seconds where the provider named a time. */
  | { readonly kind: "nothing"; readonly task: TaskRecord; readonly why: string; readonly retryAfter: number | null };

/** Milliseconds in which a new task may be unknown to some of its provider's machines (upstreams A.2). */
const SPREADING_MS = 60_000;
/** A deadline must have passed for so long: a wall clock that jumps for a moment fails no task. */
const LATE_MS = 60_000;
/** Milliseconds of polling beyond the provider's retention time, because the network may need time after sleep. */
export const SILENT_MS = 3_600_000;

/** Statuses that do not reveal whether a server has a list. */
const PASSING = new Set([401, 403, 408, 429]);

/** Questions to providers about tasks, and what their responses change. */
export class PollTask {
  readonly #deps: PollDeps;
  readonly #late: PassedMoments;
  /** Connections that cannot list several tasks, although their provider can. */
  readonly #single = new Set<string>();
  readonly #forgotten: PassedMoments;
  readonly #absent: PassedMoments;

  constructor(deps: PollDeps) {
    this.#deps = deps;
    this.#late = new PassedMoments(deps.clock, LATE_MS);
    this.#forgotten = new PassedMoments(deps.clock, SILENT_MS);
    this.#absent = new PassedMoments(deps.clock, SPREADING_MS);
  }

  /** Returns the group of tasks that one poll can cover: one key at a provider with batch queries. */
  together(task: TaskRecord): { readonly group: string; readonly most: number } | null {
    const connection = this.#deps.connections.get(task.connection);
    const batch = connection?.provider.videos?.batch ?? null;
    if (batch === null || this.#single.has(task.connection)) return null;
    return { group: `${task.connection} ${task.credential}`, most: batch.most };
  }

  /**
   * Polls several tasks of one `together` group in one request.
   * @returns states by provider task id; missing tasks must be polled individually
   */
  async askAll(tasks: readonly TaskRecord[]): Promise<ReadonlyMap<string, ProviderResponse>> {
    const none = new Map<string, ProviderResponse>();
    const [first] = tasks;
    const account = first === undefined ? "" : getAccount(first, this.#deps.connections);
    if (typeof account === "string") return none;
    const { batch } = getVideos(account.connection.provider);
    const operations = tasks.flatMap(({ operation }) => operation ?? []);
    if (batch === null) return none;
    const response = await askProvider(this.#deps, account, batch.toRequest(operations, account.credential.secret));
    const isResponse = response.kind === "answer" && response.status >= 200 && response.status < 300;
    const batchResponses = isResponse ? batch.fromResponse(response.body) : null;
    if (isResponse && batchResponses !== null)
      return new Map([...batchResponses].map(([id, body]) => [id, { ...response, status: 200, body }]));
    const passing = response.kind === "silence" || PASSING.has(response.status) || response.status >= 500;
    if (passing) return new Map(operations.map(({ id }) => [id, response]));
    // The server has no such list, or refuses it: until the next start tasks are polled individually.
    this.#single.add(account.connection.id);
    return none;
  }

  /**
   * @param listed the provider's response to a batch with this task
   * @throws StoreWriteError when the disk refuses to take the response: ask again later
   */
  async poll(task: TaskRecord, listed?: ProviderResponse): Promise<PollOutcome> {
    const { connections, repository } = this.#deps;
    const account = getAccount(task, connections);
    if (typeof account === "string") return this.#nothing(task, account, null);
    if (task.operation === null) return this.#nothing(task, "The provider has named no task.", null);
    const adapter = getVideos(account.connection.provider);
    const wire = adapter.toStatusRequest(task.operation, account.credential.secret);
    const response = listed ?? (await askProvider(this.#deps, account, wire));
    if (response.kind === "silence") return this.#nothing(task, response.why, null);
    const state = findState(adapter, task.operation, response);
    if (state === null) {
      if (adapter.isAnother(task.operation, response.body)) return this.#nothing(task, ANOTHER, null);
      const error = response.error();
      return this.#nothing(task, getSentence(error, account), error.retryAfter);
    }
    const secrets = getSecrets(account);
    const native = createStoredNative(response.body, secrets);
    const changed = await repository.change(task.id, (known) => this.#next(known, state, native, secrets));
    return { kind: "said", task: changed?.task ?? task };
  }

  /** Past the provider's retention time, an hour of silence is final. */
  async #nothing(task: TaskRecord, why: string, retryAfter: number | null): Promise<PollOutcome> {
    const { repository } = this.#deps;
    if (!this.#forgotten.has(task.id, task.forgotten_at)) return { kind: "nothing", task, why, retryAfter };
    const message = `The provider could not be asked for this task while it still knew it. The last response: ${why}`;
    const changed = await repository.change(task.id, (known) =>
      this.#end(known, "expired", message, "unknown", undefined),
    );
    return { kind: "said", task: changed?.task ?? task };
  }

  #next(task: TaskRecord, state: VideoState, native: unknown, secrets: readonly string[]): TaskRecord | null {
    const now = this.#deps.clock.now();
    switch (state.state) {
      case "queued":
      case "running": {
        const next = updateProgress(task, { state: state.state, progress: state.progress, native }, now);
        if (!this.#late.has(task.id, task.deadline_at)) return next;
        return timedOut(next ?? task, LATE, this.#when(now)) ?? next;
      }
      case "succeeded": {
        const end = describeEnd(task, state.result);
        const result = getResult(task, { ...state.result, usage: createStoredUsage(state.result.usage, secrets) }, end);
        const receipt = taskReceipt(task, end, now);
        return made(task, { result, native, receipt }, now);
      }
      case "failed":
        return this.#end(task, redact(state.code, secrets), redact(state.message, secrets), "failed", native);
      case "cancelled":
        return this.#cancelTask(task, native, now);
      case "expired":
        return this.#end(task, "expired", "The provider gave this task up before it was made.", "failed", native);
      case "absent":
        // A creation date in the future leaves the task's age unknown.
        if (now < task.created_at ? !this.#absent.has(task.id, now) : now - task.created_at < SPREADING_MS) return null;
        return this.#end(task, "expired", FORGOTTEN, now < task.forgotten_at ? "disowned" : "unknown", native);
    }
  }

  #end(task: TaskRecord, code: string, message: string, how: WithoutVideo, native: unknown): TaskRecord | null {
    const now = this.#deps.clock.now();
    const error = { code, message };
    const receipt = taskReceipt(task, endWithoutVideo(task, how, error), now);
    return failTask(
      task,
      { phase: "failed", error, receipt, ...(native === undefined ? {} : { native }) },
      this.#when(now),
    );
  }

  #cancelTask(task: TaskRecord, native: unknown, now: number): TaskRecord | null {
    const receipt = taskReceipt(task, endWithoutVideo(task, "failed", { code: "cancelled" }), now);
    return failTask(task, { phase: "cancelled", error: null, native, receipt }, this.#when(now));
  }

  #when(at: number): Happening {
    return { at, eventId: newId("evt") };
  }
}

const LATE =
  "The video was not made in time. Postern goes on asking: should the provider still succeed, this task will too.";
const FORGOTTEN =
  "The provider does not know this task any more. It keeps tasks for a day or so, whatever became of them.";

const ANOTHER = "The provider responded about another task.";

function describeEnd({ order, price }: TaskRecord, result: VideoResult): TaskEnd {
  const { seconds } = result;
  const resolution = result.resolution ?? order.resolution;
  // A size without a price is an error of the provider's: the size ordered, and held, is billed.
  const sold = resolution === order.resolution || isSold(price, resolution);
  return {
    outcome: "completed",
    status: 202,
    code: null,
    seconds: seconds ?? order.seconds,
    resolution: sold ? resolution : order.resolution,
    estimated: seconds === null || !sold,
    charged: readCharge(result.usage, false),
  };
}

function getResult({ result }: TaskRecord, delivered: VideoResult, { seconds, resolution }: TaskEnd): TaskResult {
  return {
    video_url: delivered.url,
    last_frame_url: delivered.lastFrameUrl,
    seconds,
    resolution,
    seed: delivered.seed,
    usage: delivered.usage,
    video_media: result?.video_media ?? newId("media"),
    last_frame_media: delivered.lastFrameUrl === null ? null : (result?.last_frame_media ?? newId("media")),
    saved: null,
  };
}
