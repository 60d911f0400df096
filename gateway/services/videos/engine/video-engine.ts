import { isPollable, lost, addNote } from "../../../core/tasks/task-changes.ts";
import { isOver } from "../../../core/tasks/task.ts";
import type { TaskRecord } from "../../../core/tasks/task.ts";
import { getMessage } from "../../../lib/message-of.ts";
import { StoreWriteError } from "../../../store/store.ts";
import { Scheduler } from "../../scheduler.ts";
import type { Notices } from "../../notices.ts";
import type { ProviderResponse } from "../task-provider.ts";
import { CancelTask, notCancellable } from "./cancel-task.ts";
import { TaskResults } from "./fetch-result.ts";
import type { FetchDeps } from "./fetch-result.ts";
import { FindLost } from "./find-lost.ts";
import { PollQueue } from "./poll-queue.ts";
import { PollTask } from "./poll-task.ts";
import { PollPlan } from "./poll-plan.ts";
import type { TaskMoney } from "../task-money.ts";

export interface VideoEngineDeps extends FetchDeps {
  readonly money: TaskMoney;
  readonly notices: Pick<Notices, "add">;
  /** A number in [0, 1). */
  readonly random: () => number;
}

/** Milliseconds until the retry after a disk refusal, or without a connection. */
const LATER_MS = 5_000;
/** Poll gap in ms for a removed connection. */
const DEFAULT_GAP_MS = 250;

/**
 * Runs every task to its end: polls providers, fetches files, settles money, looks for lost tasks; also after a restart
 * or sleep. It schedules each step; core/tasks/task-changes.ts applies the transitions, one at a time per task, so that
 * no step runs twice.
 */
export class VideoEngine {
  readonly #deps: VideoEngineDeps;
  readonly #scheduler: Scheduler<string>;
  readonly #plan: PollPlan;
  readonly #poll: PollTask;
  readonly #find: FindLost;
  readonly #results: TaskResults;
  readonly #cancelling: CancelTask;
  readonly #pollQueues = new Map<string, PollQueue>();
  /** Tasks that something is being done for. */
  readonly #busy = new Map<string, Promise<TaskRecord>>();
  /** Tasks to be polled individually next time, because a list request did not return them. */
  readonly #alone = new Set<string>();

  constructor(deps: VideoEngineDeps) {
    this.#deps = deps;
    this.#scheduler = new Scheduler({ clock: deps.clock, later: deps.later, onDue: (id) => this.#due(id) });
    this.#plan = new PollPlan(deps);
    this.#poll = new PollTask(deps);
    this.#find = new FindLost(deps);
    this.#results = new TaskResults({ ...deps, putOff: (id, error) => this.#putOff(id, error) });
    this.#cancelling = new CancelTask(deps);
  }

  /** Aborted when Postern stops: requests that wait for a task then get its current state. */
  get stopping(): AbortSignal {
    return this.#deps.background.stopping;
  }

  /**
   * Resumes tasks of an earlier run, spread over time. Call it when connections are loaded, before the first request.
   */
  async start(): Promise<void> {
    const { repository, money } = this.#deps;
    for (const task of repository.live()) {
      money.resume(task);
      if (task.phase === "submitting") await this.#lose(task).catch((error: unknown) => this.#putOff(task.id, error));
      else this.#enter(task, true);
    }
  }

  /** Takes over a task that its provider has, or may have. */
  follow(task: TaskRecord): void {
    this.#enter(task, false);
  }

  /** Polls this task more often for a while, because a client waits for it. */
  watch(task: TaskRecord): void {
    if (!isPollable(task) || this.stopping.aborted) return;
    const at = this.#plan.watchTask(task);
    if (at !== null && !this.#busy.has(task.id)) this.#scheduler.set(task.id, at);
  }

  /** Asks for a task now. @returns it as it is then */
  async refresh(task: TaskRecord): Promise<TaskRecord> {
    const running = this.#busy.get(task.id);
    if (running !== undefined) return running;
    if (task.phase === "unknown") return this.#run(task.id, () => this.#look(task));
    return isPollable(task) ? this.#run(task.id, () => this.#ask(task)) : task;
  }

  /**
   * Cancels a task that still waits at its provider.
   * @throws GatewayError not_cancellable, or the provider's refusal
   */
  async cancel(task: TaskRecord): Promise<TaskRecord> {
    // Cancelling must not discard a result that the provider has completed meanwhile.
    const newest = await this.refresh(task);
    if (isOver(newest)) throw notCancellable(newest, `It is over: ${newest.phase}.`);
    return this.#run(task.id, () => this.#cancel(newest));
  }

  /** Applies the user's decision on an `unknown` task. @param providerTaskId null: the provider never accepted it */
  async decide(task: TaskRecord, providerTaskId: string | null): Promise<TaskRecord> {
    const after = await this.#run(task.id, () => this.#find.decide(task, providerTaskId));
    this.#enter(after, false);
    return after;
  }

  /** Called after the machine slept: overdue work runs now, one at a time. */
  check(): void {
    this.#scheduler.check();
  }

  /** Starts nothing more, and waits for running writes. Call it after `stopping` was aborted. */
  async stop(): Promise<void> {
    const { background } = this.#deps;
    this.#scheduler.stop();
    for (const queue of this.#pollQueues.values()) queue.stop();
    await Promise.all([background.idle(), ...this.#pollQueues.values().map((queue) => queue.idle())]);
    // Runs on demand are awaited too: their callers get the results.
    await Promise.allSettled(this.#busy.values());
  }

  /** Resolves when no work is running; everything else is scheduled. */
  async idle(): Promise<void> {
    for (const queue of this.#pollQueues.values()) await queue.idle();
    await Promise.allSettled(this.#busy.values());
    await this.#deps.background.idle();
  }

  /** Puts a task where it belongs now. @param resumed something was done for it before, by this run or an earlier one. */
  #enter(task: TaskRecord, resumed: boolean): void {
    if (this.stopping.aborted) return;
    const { background } = this.#deps;
    const { bill, phase } = task;
    if (bill !== null && !bill.counted) background.run("video.not_booked", () => this.#countReceipt(task, resumed));
    if (phase === "fetching" || (phase === "succeeded" && task.result?.saved === null))
      background.run("video.not_saved", () => this.#results.bring(task, resumed));
    else if (phase === "unknown") this.#scheduler.set(task.id, this.#plan.nextLook(task));
    else if (isPollable(task))
      this.#scheduler.set(task.id, resumed ? this.#plan.afterStart(task) : this.#plan.next(task));
    if (bill === null) return;
    this.#plan.forget(task.id);
    this.#alone.delete(task.id);
  }

  async #countReceipt(task: TaskRecord, unsure: boolean): Promise<void> {
    if (!(await this.#deps.money.countReceipt(task, unsure))) this.#later(task.id);
  }

  #due(id: string): void {
    const task = this.#deps.repository.get(id);
    if (task === undefined || this.stopping.aborted) return;
    if (task.bill !== null) return this.#enter(task, true);
    this.#getPollQueue(task).add(id);
  }

  /** Processes the tasks that a lane starts. */
  async #work(ids: readonly string[]): Promise<void> {
    const tasks = ids.flatMap((id) => this.#deps.repository.get(id) ?? []);
    if (this.stopping.aborted) return;
    if (tasks.length > 1) return this.#askTogether(tasks);
    for (const task of tasks) {
      // The running work may end without a new poll time.
      if (this.#busy.has(task.id)) this.#later(task.id);
      else await this.#run(task.id, () => this.#tend(task)).catch((error: unknown) => this.#putOff(task.id, error));
    }
  }

  /** Returns which tasks can be polled in one request with this one. */
  #together(id: string): { readonly group: string; readonly most: number } | null {
    const task = this.#deps.repository.get(id);
    if (task === undefined || !isPollable(task) || this.#busy.has(id) || this.#alone.has(id)) return null;
    return this.#poll.together(task);
  }

  async #askTogether(tasks: readonly TaskRecord[]): Promise<void> {
    const asking = this.#poll.askAll(tasks);
    const learning = tasks.map((task) => {
      const learn = async (): Promise<TaskRecord> => {
        const listed = (await asking).get(task.operation?.id ?? "");
        if (listed !== undefined) return this.#ask(task, listed);
        this.#alone.add(task.id);
        this.#scheduler.set(task.id, 0);
        return task;
      };
      return this.#run(task.id, learn).catch((error: unknown) => this.#putOff(task.id, error));
    });
    await Promise.all(learning);
  }

  /** Schedules a retry of unfinished work. @param error the failure; null: none */
  #putOff(id: string, error: unknown): void {
    // The store reports disk refusals itself.
    if (error !== null && !(error instanceof StoreWriteError))
      this.#deps.log.warn("video.put_off", { task: id, message: getMessage(error) });
    this.#later(id);
  }

  #later(id: string): void {
    this.#scheduler.set(id, this.#deps.clock.now() + LATER_MS);
  }

  #tend(task: TaskRecord): Promise<TaskRecord> {
    if (task.phase === "submitting") return this.#lose(task);
    return task.phase === "unknown" ? this.#look(task) : this.#ask(task);
  }

  /** An earlier run was killed in the middle of its submission. @throws StoreWriteError */
  async #lose(task: TaskRecord): Promise<TaskRecord> {
    const { repository, clock } = this.#deps;
    const changed = await repository.change(task.id, (newest) => lost(newest, CRASHED, clock.now()));
    const after = changed?.task ?? task;
    this.#enter(after, true);
    return after;
  }

  /** Runs the work for each task one after another. */
  #run(id: string, work: () => Promise<TaskRecord>): Promise<TaskRecord> {
    const before = this.#busy.get(id) ?? Promise.resolve();
    const run = before.then(work, work).finally(() => {
      if (this.#busy.get(id) === run) this.#busy.delete(id);
    });
    this.#busy.set(id, run);
    return run;
  }

  /** @param listed the provider's response to a batch with this task */
  async #ask(task: TaskRecord, listed?: ProviderResponse): Promise<TaskRecord> {
    const { repository, clock } = this.#deps;
    const outcome = await this.#poll.poll(task, listed);
    this.#alone.delete(task.id);
    this.#plan.recordPoll(task, outcome);
    if (outcome.kind === "nothing") {
      const shown = this.#plan.problem(task, outcome.why);
      if (shown) await repository.change(task.id, (newest) => addNote(newest, outcome.why, clock.now()));
    }
    this.#enter(outcome.task, false);
    return outcome.task;
  }

  async #look(task: TaskRecord): Promise<TaskRecord> {
    const after = await this.#find.find(task, this.#plan.looks(task));
    this.#plan.markRead(task);
    this.#enter(after, false);
    return after;
  }

  async #cancel(task: TaskRecord): Promise<TaskRecord> {
    const after = await this.#cancelling.cancel(task);
    this.#enter(after, false);
    if (after.phase !== "cancelled") throw notCancellable(after, `It is over: ${after.phase}.`);
    return after;
  }

  #getPollQueue({ connection }: TaskRecord): PollQueue {
    const known = this.#pollQueues.get(connection);
    if (known !== undefined) return known;
    const gap = this.#deps.connections.get(connection)?.provider.videos?.pace.gap ?? DEFAULT_GAP_MS;
    const { clock, later } = this.#deps;
    const work = (ids: readonly string[]): Promise<void> => this.#work(ids);
    const queue = new PollQueue({ clock, later, work, together: (id) => this.#together(id) }, gap);
    this.#pollQueues.set(connection, queue);
    return queue;
  }
}

const CRASHED =
  "Postern ended while this task was on its way to the provider. It is looked for there, and not sent again.";
