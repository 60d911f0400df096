import type { Receipt } from "../../contract/receipt.ts";
import { markCounted } from "../../core/tasks/task-changes.ts";
import type { Hold } from "../../core/money/hold.ts";
import type { TaskRecord } from "../../core/tasks/task.ts";
import type { Log } from "../../lib/log.ts";
import { getMessage } from "../../lib/message-of.ts";
import type { Store } from "../../store/store.ts";
import type { Admission } from "../calls/admission.ts";
import type { Events } from "../events.ts";
import type { KeyRing } from "../keys/key-ring.ts";
import type { TaskRepository } from "../../store/tasks/task-repository.ts";

export interface TaskMoneyDeps {
  readonly store: Store;
  readonly repository: TaskRepository;
  readonly admission: Admission;
  readonly keyRing: KeyRing;
  readonly events: Events;
  readonly log: Log;
}

/**
 * Money of tasks: held from submission on, also over restarts, and charged once. The transition that ends a task
 * decides the charge and stores it; this class writes it to the usage log, once per run. After a crash it may already
 * be there, so the log is checked first.
 */
export class TaskMoney {
  readonly #deps: TaskMoneyDeps;
  readonly #holds = new Map<string, Hold>();
  /** Receipts that are being booked. */
  readonly #booking = new Map<string, Promise<boolean>>();
  /** Tasks whose receipt was handed to the usage log in this run, which keeps it until it is written. */
  readonly #handed = new Set<string>();

  constructor(deps: TaskMoneyDeps) {
    this.#deps = deps;
  }

  /** Transfers the hold of a submission to its task. */
  keep(task: Pick<TaskRecord, "id">, hold: Hold): void {
    this.#holds.set(task.id, hold);
  }

  /** Nano USD that are held for a task now. */
  getHold(id: string): number {
    return this.#holds.get(id)?.amount ?? 0;
  }

  /** Restores the hold of a task after a start, whatever its key may spend now. */
  resume(task: TaskRecord): void {
    if (task.bill !== null || this.#holds.has(task.id)) return;
    const { admission, keyRing } = this.#deps;
    this.#holds.set(task.id, admission.resume(keyRing.get(task.key), task.hold_nano, task.sandbox, task));
  }

  /**
   * Writes the receipt of a task that has one. Call it after the change that made the receipt is durable.
   * @param unsure an earlier run may have written it, so the usage log is checked.
   * @returns false if the disk refuses: call again later.
   */
  countReceipt(task: TaskRecord, unsure: boolean): Promise<boolean> {
    if (task.bill === null || task.bill.counted) return Promise.resolve(true);
    const running = this.#booking.get(task.id);
    if (running !== undefined) return running;
    const booking = this.#countReceipt(task, unsure).finally(() => this.#booking.delete(task.id));
    this.#booking.set(task.id, booking);
    return booking;
  }

  async #countReceipt(task: TaskRecord, unsure: boolean): Promise<boolean> {
    const { store, repository, events, log } = this.#deps;
    const receipt = task.bill?.receipt;
    if (receipt === undefined) return true;
    try {
      if (!this.#handed.has(task.id) && !(unsure && (await store.usage.has(receipt)))) {
        await this.#settle(task.id, receipt);
        this.#handed.add(task.id);
        if (events.hears("request.settled")) events.emit({ type: "request.settled", receipt });
      }
      this.#holds.get(task.id)?.release();
      this.#holds.delete(task.id);
      await store.usage.sync();
      await repository.change(task.id, markCounted);
      this.#handed.delete(task.id);
      return true;
    } catch (error) {
      log.warn("video.not_booked", { task: task.id, message: getMessage(error) });
      return false;
    }
  }

  /** @throws when the usage log is closed: then it has not taken it */
  #settle(id: string, receipt: Receipt): Promise<void> {
    let pending: Promise<void> = Promise.resolve();
    const settle = (): void => {
      pending = this.#deps.store.usage.settle(receipt);
    };
    if (this.#holds.get(id)?.settle(settle) !== true) settle();
    return pending;
  }
}
