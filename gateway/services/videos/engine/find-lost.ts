import { acceptTask, failTask, addNote } from "../../../core/tasks/task-changes.ts";
import { GatewayError } from "../../../core/errors.ts";
import { chooseCandidates, isWhole, getLostTime, chooseRivals } from "../../../core/tasks/task-match.ts";
import type { ListedTask } from "../../../core/tasks/task-match.ts";
import { endWithoutVideo, taskReceipt } from "../../../core/tasks/task-receipt.ts";
import type { TaskRecord } from "../../../core/tasks/task.ts";
import type { Clock } from "../../../lib/clock.ts";
import { newId } from "../../../lib/ids.ts";
import type { VideoListQuery } from "../../../providers/videos.ts";
import type { Connections } from "../../connections/connections.ts";
import type { Notices } from "../../notices.ts";
import { askProvider, getVideos, getAccount } from "../task-provider.ts";
import type { AskDeps, TaskAccount } from "../task-provider.ts";
import { PassedMoments } from "./passed-moments.ts";
import { SILENT_MS } from "./poll-task.ts";
import type { TaskRepository, TaskChange } from "../../../store/tasks/task-repository.ts";

export interface FindLostDeps extends AskDeps {
  readonly repository: TaskRepository;
  readonly clock: Clock;
  readonly connections: Connections;
  readonly notices: Pick<Notices, "add">;
}

/** Milliseconds after submission at which a task must be in the provider's list if it exists. */
const LISTED_AFTER_MS = 2 * 60_000;
/** Min list reads of this run before a task counts as missing, whatever the wall clock says. */
const LOOKS_AT_LEAST = 2;
/** Min milliseconds between notices that the owner has to decide something. */
const QUIET_MS = 60 * 60_000;
/** Max pages of a provider's list to read. */
const MOST_PAGES = 20;
/** Providers' lists are asked for with this much time on both sides of the submission. */
const AROUND_MS = 10 * 60_000;

/**
 * Searches the provider's list, if it has one, for tasks whose submission had no response (`unknown`). Such a task is
 * never resubmitted, and its money is released only once the provider certainly lacks it.
 */
export class FindLost {
  readonly #deps: FindLostDeps;
  readonly #forgotten: PassedMoments;

  /** Monotonic. */
  #quietUntil = -Infinity;

  constructor(deps: FindLostDeps) {
    this.#deps = deps;
    this.#forgotten = new PassedMoments(deps.clock, SILENT_MS);
  }

  /**
   * @param looks earlier searches of this run
   * @returns the updated record, still `unknown` without a result. @throws StoreWriteError
   */
  async find(task: TaskRecord, looks: number): Promise<TaskRecord> {
    const after = await this.#look(task, looks);
    const hopeless = this.#forgotten.has(task.id, task.forgotten_at);
    return hopeless && after.phase === "unknown" ? this.#giveUp(after, "unknown", "unknown_outcome", TOO_OLD) : after;
  }

  async #look(task: TaskRecord, looks: number): Promise<TaskRecord> {
    const { repository, clock, connections } = this.#deps;
    const now = clock.now();
    const account = getAccount(task, connections);
    if (typeof account === "string") return this.#note(task, account);
    if (getVideos(account.connection.provider).listing === null) return this.#note(task, NO_LIST);
    const listed = await this.#list(task, account);
    if (listed === null) return task;
    const lostAt = getLostTime(task) ?? now;
    const known = new Set(
      [...repository.live()].flatMap(({ operation }) => (operation === null ? [] : [operation.id])),
    );
    const candidates = chooseCandidates(task, lostAt, listed, (id) => known.has(id));
    const [only, ...others] = candidates;
    if (only === undefined) {
      // The provider's dates and ours cannot be compared.
      if (now < task.created_at - AROUND_MS) return this.#note(task, SET_BACK);
      if (now - lostAt < LISTED_AFTER_MS || looks + 1 < LOOKS_AT_LEAST) return task;
      if (now >= task.forgotten_at) return this.#giveUp(task, "unknown", "unknown_outcome", TOO_OLD);
      if (!isWhole(listed, this.#neighbours(task))) return this.#note(task, NOT_WHOLE);
      return this.#giveUp(task, "failed", "not_submitted", NEVER_ARRIVED);
    }
    if (others.length > 0) {
      return this.#note(
        task,
        `${candidates.length} tasks of the provider's list may be this one. Choose on the Tasks page.`,
      );
    }
    const rivals = chooseRivals(task, only, repository.live());
    // A task that is being submitted may learn in a moment that this operation is its own.
    if (rivals.some(({ phase }) => phase === "submitting")) return task;
    if (rivals.length > 0) return this.#note(task, CONTESTED);
    return (await this.#take(task, only.id, "Found in the provider's list."))?.task ?? task;
  }

  /** @returns null when the id is that of another task of ours by now. @throws StoreWriteError */
  #take({ id, connection }: TaskRecord, operationId: string, note: string): Promise<TaskChange | null> {
    const { repository, clock } = this.#deps;
    return repository.claim(id, connection, operationId, (newest) =>
      acceptTask(newest, { operationId, native: null, note }, clock.now()),
    );
  }

  /** Returns what the provider's list must contain to be credible: our other tasks of that time, account and model. */
  #neighbours({ id, connection, credential, upstream_model, created_at }: TaskRecord): readonly string[] {
    return [...this.#deps.repository.live()].flatMap((other) =>
      other.id !== id &&
      other.operation !== null &&
      other.connection === connection &&
      other.credential === credential &&
      other.upstream_model === upstream_model &&
      Math.abs(other.created_at - created_at) < AROUND_MS
        ? [other.operation.id]
        : [],
    );
  }

  /**
   * Applies the user's decision: the provider has the task under this id, or never accepted it (null).
   * @throws GatewayError conflict if it is no longer unknown, or the id belongs to another task; StoreWriteError
   */
  async decide({ id }: TaskRecord, providerTaskId: string | null): Promise<TaskRecord> {
    const task = await this.#deps.repository.find(id, null);
    if (task?.phase !== "unknown") {
      throw new GatewayError("conflict", `The task ${id} is not unknown any more; it is ${task?.phase ?? "gone"}.`);
    }
    if (providerTaskId === null) return this.#giveUp(task, "failed", "not_submitted", DECIDED);
    const change = await this.#take(task, providerTaskId, "Named by the owner.");
    if (change !== null) return change.task;
    const why =
      "Another task of yours is this one at the provider already. Copy the right id from the provider's console.";
    throw new GatewayError("conflict", why, { param: "provider_task_id" });
  }

  /** @returns null when the list could not be had */
  async #list(task: TaskRecord, account: TaskAccount): Promise<readonly ListedTask[] | null> {
    const { listing } = getVideos(account.connection.provider);
    if (listing === null) return null;
    const found: ListedTask[] = [];
    let next: string | null = null;
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const query: VideoListQuery = {
        upstreamModel: task.upstream_model,
        from: task.created_at - AROUND_MS,
        to: this.#deps.clock.now() + AROUND_MS,
        page: next,
      };
      const response = await askProvider(this.#deps, account, listing.toRequest(query, account.credential.secret));
      if (response.kind !== "answer" || response.status < 200 || response.status >= 300) return null;
      const read = listing.fromResponse(response.body, query);
      if (read === null) return null;
      found.push(...read.tasks);
      next = read.next;
      if (next === null) return found;
    }
    // The list was not read completely, so a missing entry proves nothing.
    return null;
  }

  async #giveUp(task: TaskRecord, how: "failed" | "unknown", code: string, message: string): Promise<TaskRecord> {
    const { repository, clock } = this.#deps;
    const now = clock.now();
    const receipt = taskReceipt(task, endWithoutVideo(task, how, { code, message }), now);
    const when = { at: now, eventId: newId("evt") };
    const changed = await repository.change(task.id, (newest) =>
      newest.phase === "unknown"
        ? failTask(newest, { phase: "failed", error: { code, message }, receipt }, when)
        : null,
    );
    return changed?.task ?? task;
  }

  /** Adds a note to the task and shows a notice: only the user can continue, and money is held until then. */
  async #note(task: TaskRecord, note: string): Promise<TaskRecord> {
    const { repository, clock, notices } = this.#deps;
    const changed = await repository.change(task.id, (newest) =>
      newest.phase === "unknown" ? addNote(newest, note, clock.now()) : null,
    );
    // A crash may leave hundreds; each has its own line on the Tasks page.
    if (changed?.changed === true && clock.monotonic() >= this.#quietUntil) {
      this.#quietUntil = clock.monotonic() + QUIET_MS;
      notices.add("warning", `Whether ${task.model} was ordered for the task ${task.id} is not known. ${note}`);
    }
    return changed?.task ?? task;
  }
}

const SET_BACK =
  "The clock was set back since, so it cannot be found by its date. Say on the Tasks page what became of it.";
const NO_LIST = "The provider has no list of tasks to look for it in. Say on the Tasks page what became of it.";
const NOT_WHOLE =
  "The provider's list does not have this task, but not all that the provider is known to have either. Say on the Tasks page what became of it.";
const CONTESTED =
  "A task of the provider's list may be this one or another lost one of yours. Choose on the Tasks page.";
const TOO_OLD = "Whether the provider took this task was never known, and by now the provider has forgotten it.";
const NEVER_ARRIVED = "The provider's list does not have this task: it never arrived there. Submit it again.";
const DECIDED = "The owner said that the provider never took this task.";
