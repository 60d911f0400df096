import { delivered, isAsked, lost, noted, savedLate } from "../../core/tasks/task-changes.ts";
import { isOver } from "../../core/tasks/task.ts";
import type { TaskRecord } from "../../core/tasks/task.ts";
import { newId } from "../../lib/ids.ts";
import { messageOf } from "../../lib/message-of.ts";
import { Agenda } from "../agenda.ts";
import type { Notices } from "../notices.ts";
import { CancelTask, notCancellable } from "./cancel-task.ts";
import { FetchResult } from "./fetch-result.ts";
import type { FetchDeps } from "./fetch-result.ts";
import { FindLost } from "./find-lost.ts";
import { PacedLane } from "./paced-lane.ts";
import { PollTask } from "./poll-task.ts";
import { PollPlan } from "./poll-plan.ts";
import type { TaskMoney } from "./task-money.ts";

export interface VideoEngineDeps extends FetchDeps {
  readonly money: TaskMoney;
  readonly notices: Pick<Notices, "add">;
  /** A number in [0, 1). */
  readonly random: () => number;
}

/** A file that takes longer is shown by its vendor's address meanwhile. */
const FETCH_PATIENCE_MS = 10 * 60_000;
/** What the disk refused, or what has no connection yet, is tried again. */
const LATER_MS = 5_000;
/** For a connection that is gone. */
const DEFAULT_GAP_MS = 250;

/**
 * Sees every task through: asks vendors, brings files home, books money, looks for what was lost; after a restart and
 * after sleep too. It decides when something is done; what it changes is in core/task-changes.ts, one change at a time
 * for each task, so that nothing is done twice whoever asks.
 */
export class VideoEngine {
  readonly #deps: VideoEngineDeps;
  readonly #agenda: Agenda<string>;
  readonly #plan: PollPlan;
  readonly #poll: PollTask;
  readonly #find: FindLost;
  readonly #fetch: FetchResult;
  readonly #cancelling: CancelTask;
  readonly #lanes = new Map<string, PacedLane>();
  /** Tasks that something is being done for. */
  readonly #busy = new Map<string, Promise<TaskRecord>>();
  readonly #fetching = new Set<string>();
  readonly #stopping = new AbortController();

  constructor(deps: VideoEngineDeps) {
    this.#deps = deps;
    this.#agenda = new Agenda({ clock: deps.clock, later: deps.later, onDue: (id) => this.#due(id) });
    this.#plan = new PollPlan(deps);
    this.#poll = new PollTask(deps);
    this.#find = new FindLost(deps);
    this.#fetch = new FetchResult(deps);
    this.#cancelling = new CancelTask(deps);
  }

  /** Aborted when Postern stops: whoever waits for a task is told how far it has come. */
  get stopping(): AbortSignal {
    return this.#stopping.signal;
  }

  /** Takes up what an earlier run left, spread out. Call it when connections are known, before the first request. */
  async start(): Promise<void> {
    const { book, money } = this.#deps;
    for (const task of book.live()) {
      money.resume(task);
      // A disk that refuses to take that down is tried again.
      if (task.phase === "submitting") await this.#lose(task).catch(() => this.#later(task.id));
      else this.#enter(task, true);
    }
  }

  /** Takes over a task that its vendor has, or may have. */
  follow(task: TaskRecord): void {
    this.#enter(task, false);
  }

  /** Somebody waits for this task: for a while it is asked for more often. */
  watch(task: TaskRecord): void {
    if (!isAsked(task) || this.stopping.aborted) return;
    const at = this.#plan.watched(task);
    if (at !== null && !this.#busy.has(task.id)) this.#agenda.set(task.id, at);
  }

  /** Asks for a task now. @returns it as it is then */
  async refresh(task: TaskRecord): Promise<TaskRecord> {
    const running = this.#busy.get(task.id);
    if (running !== undefined) return running;
    if (task.phase === "unknown") return this.#run(task.id, () => this.#look(task));
    return isAsked(task) ? this.#run(task.id, () => this.#ask(task)) : task;
  }

  /**
   * Cancels a task that still waits at its vendor.
   * @throws GatewayError not_cancellable, or the vendor's refusal
   */
  async cancel(task: TaskRecord): Promise<TaskRecord> {
    // What the vendor has finished meanwhile must not be thrown away there.
    const newest = await this.refresh(task);
    if (isOver(newest)) throw notCancellable(newest, `It is over: ${newest.phase}.`);
    return this.#run(task.id, () => this.#cancel(newest));
  }

  /** What the owner knows of a task that is `unknown`. @param vendorTaskId null: the vendor never took it */
  async decide(task: TaskRecord, vendorTaskId: string | null): Promise<TaskRecord> {
    const after = await this.#run(task.id, () => this.#find.decide(task, vendorTaskId));
    this.#enter(after, false);
    return after;
  }

  /** After the machine slept: whatever became due meanwhile is done now, one after another. */
  look(): void {
    this.#agenda.look();
  }

  /** Starts nothing more, and waits for what is being written down. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#agenda.stop();
    this.#fetch.stop();
    for (const lane of this.#lanes.values()) lane.stop();
    await Promise.allSettled(this.#busy.values());
  }

  /** Puts a task where it belongs now. @param resumed something was done for it before, by this run or an earlier one. */
  #enter(task: TaskRecord, resumed: boolean): void {
    if (this.stopping.aborted) return;
    const { bill, phase } = task;
    if (bill !== null && !bill.counted) void this.#book(task, resumed);
    if (phase === "fetching" || (phase === "succeeded" && task.result?.saved === null))
      void this.#bringHome(task, resumed);
    else if (phase === "unknown") this.#agenda.set(task.id, this.#plan.nextLook(task));
    else if (isAsked(task)) this.#agenda.set(task.id, resumed ? this.#plan.afterStart(task) : this.#plan.next(task));
    if (bill !== null) this.#plan.forget(task.id);
  }

  async #book(task: TaskRecord, unsure: boolean): Promise<void> {
    if (!(await this.#deps.money.book(task, unsure))) this.#later(task.id);
  }

  #due(id: string): void {
    const task = this.#deps.book.get(id);
    if (task === undefined || this.stopping.aborted) return;
    if (task.bill !== null) return this.#enter(task, true);
    this.#laneOf(task).run(id, async () => {
      const newest = this.#deps.book.get(id);
      if (newest === undefined || this.stopping.aborted) return;
      // What is being done for it may end without a word of when it is to be asked next.
      if (this.#busy.has(id)) return this.#later(id);
      await this.#run(id, () => this.#tend(newest)).catch(() => this.#later(id));
    });
  }

  #later(id: string): void {
    this.#agenda.set(id, this.#deps.clock.now() + LATER_MS);
  }

  #tend(task: TaskRecord): Promise<TaskRecord> {
    if (task.phase === "submitting") return this.#lose(task);
    return task.phase === "unknown" ? this.#look(task) : this.#ask(task);
  }

  /** An earlier run was killed in the middle of its submission. @throws StoreWriteError */
  async #lose(task: TaskRecord): Promise<TaskRecord> {
    const { book, clock } = this.#deps;
    const changed = await book.change(task.id, (newest) => lost(newest, CRASHED, clock.now()));
    const after = changed?.task ?? task;
    this.#enter(after, true);
    return after;
  }

  /** One thing at a time for each task. */
  #run(id: string, work: () => Promise<TaskRecord>): Promise<TaskRecord> {
    const before = this.#busy.get(id) ?? Promise.resolve();
    const run = before.then(work, work).finally(() => {
      if (this.#busy.get(id) === run) this.#busy.delete(id);
    });
    this.#busy.set(id, run);
    return run;
  }

  async #ask(task: TaskRecord): Promise<TaskRecord> {
    const { book, clock } = this.#deps;
    const outcome = await this.#poll.poll(task);
    this.#plan.asked(task.id, outcome);
    if (outcome.kind === "nothing") {
      const shown = this.#plan.problem(task.id, outcome.why);
      if (shown) await book.change(task.id, (newest) => noted(newest, outcome.why, clock.now()));
    }
    this.#enter(outcome.task, false);
    return outcome.task;
  }

  async #look(task: TaskRecord): Promise<TaskRecord> {
    const after = await this.#find.find(task, this.#plan.looks(task.id));
    this.#plan.looked(task.id);
    this.#enter(after, false);
    return after;
  }

  async #cancel(task: TaskRecord): Promise<TaskRecord> {
    const after = await this.#cancelling.cancel(task);
    this.#enter(after, false);
    if (after.phase !== "cancelled") throw notCancellable(after, `It is over: ${after.phase}.`);
    return after;
  }

  /** Fetches the file; its task ends when it is there, or when it takes too long to wait for. */
  async #bringHome(task: TaskRecord, resumed: boolean): Promise<void> {
    const { id } = task;
    if (this.#fetching.has(id)) return;
    this.#fetching.add(id);
    const { later, log } = this.#deps;
    const cancel = later(FETCH_PATIENCE_MS, () => void this.#arrived(id, null, SLOW_FILE).catch(() => undefined));
    try {
      const saved = await this.#fetch.fetch(task, resumed);
      if (saved === null) this.#later(id);
      else await this.#arrived(id, saved, saved ? null : NO_FILE);
    } catch (error) {
      log.warn("video.not_saved", { task: id, message: messageOf(error) });
      this.#later(id);
    } finally {
      cancel();
      this.#fetching.delete(id);
    }
  }

  /** The file is there, or is not (false), or is not waited for any longer (null). @throws StoreWriteError */
  async #arrived(id: string, saved: boolean | null, note: string | null): Promise<void> {
    const { book, clock } = this.#deps;
    await book.change(id, (newest) => {
      const now = clock.now();
      const end = delivered(newest, saved, note, { at: now, eventId: newId("evt") });
      return end ?? (saved === null ? null : savedLate(newest, saved, now));
    });
  }

  #laneOf({ connection }: TaskRecord): PacedLane {
    const known = this.#lanes.get(connection);
    if (known !== undefined) return known;
    const gap = this.#deps.connections.get(connection)?.vendor.videos?.pace.gap ?? DEFAULT_GAP_MS;
    const lane = new PacedLane(this.#deps, gap);
    this.#lanes.set(connection, lane);
    return lane;
  }
}

const CRASHED =
  "Postern ended while this task was on its way to the vendor. It is looked for there, and not sent again.";
const SLOW_FILE = "The file takes long to fetch. Until it is here, the vendor's address is all there is.";
const NO_FILE = "The file could not be fetched from the vendor. Its address may still work for a while.";
