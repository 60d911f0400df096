import { rm } from "node:fs/promises";
import type { GatewayEvent } from "../../../../gateway/contract/events.ts";
import type { TaskRecord } from "../../../../gateway/core/tasks/task.ts";
import { silentLog } from "../../../../gateway/lib/log.ts";
import { Events } from "../../../../gateway/services/events.ts";
import { TaskRepository } from "../../../../gateway/store/tasks/task-repository.ts";
import type { OpenedStore } from "../../../../gateway/store/open-store.ts";
import type { StoreFs } from "../../../../gateway/store/disk/store-fs.ts";
import { temporaryFolder } from "../../../support/running-gateway.ts";
import { TestClock } from "../../../support/test-clock.ts";
import { open } from "../fixtures.ts";
import { LocalLedger } from "../ledger/local-ledger.ts";

/** A repository of tasks over a data folder, whose timers the test holds in its hands. */
export class RepositoryHarness {
  readonly dir: string;
  readonly clock = new TestClock();
  readonly reports: string[] = [];
  readonly emitted: GatewayEvent[] = [];
  readonly changes: TaskRecord[] = [];
  events = new Events();
  readonly #fs: StoreFs | null;
  readonly #stored: number | null;
  /** Of processes that were killed: their files are closed in the end. */
  readonly #left: { store: OpenedStore; repository: TaskRepository }[] = [];
  #timers = new Map<() => void, number>();
  ledger!: LocalLedger;
  store!: OpenedStore;
  repository!: TaskRepository;

  private constructor(dir: string, fs: StoreFs | null, stored: number | null) {
    this.dir = dir;
    this.#fs = fs;
    this.#stored = stored;
  }

  /**
   * @param simulated a disk in memory, with a folder `/data`
   * @param stored closed tasks that stay in the document
   */
  static async make(simulated: StoreFs | null = null, stored: number | null = null): Promise<RepositoryHarness> {
    const bench = new RepositoryHarness(simulated === null ? await temporaryFolder() : "/data", simulated, stored);
    await bench.begin();
    return bench;
  }

  /** What a start does. */
  async begin(): Promise<void> {
    const fs = this.#fs === null ? {} : { fs: this.#fs };
    const stored = this.#stored === null ? {} : { retained: this.#stored };
    this.#timers = new Map();
    this.ledger = new LocalLedger(this.dir, this.#fs ?? undefined);
    this.store = (await open({ dir: this.dir, ledger: this.ledger, ...fs })).store;
    this.repository = new TaskRepository({
      dataDir: this.dir,
      store: this.store,
      clock: this.clock,
      log: silentLog,
      events: this.events,
      notices: { add: (_level, message) => void this.reports.push(message) },
      later: (ms, work) => {
        this.#timers.set(work, ms);
        return () => void this.#timers.delete(work);
      },
      ...fs,
      ...stored,
    });
    this.repository.onChange((task) => this.changes.push(task));
  }

  listen(): void {
    this.events.subscribe((event) => this.emitted.push(event));
  }

  /** Starts again: after a clean end, or as after a kill. */
  async restart(how: "closed" | "killed" = "closed"): Promise<void> {
    if (how === "closed") {
      await this.repository.close();
      await this.store.close();
    } else {
      await this.ledger.close();
      this.#left.push({ store: this.store, repository: this.repository });
    }
    await this.begin();
  }

  /** Waits until the archive is open. */
  async ready(): Promise<void> {
    this.repository.start();
    await this.repository.find("nothing", null);
  }

  /** How many timers wait for their time. */
  get waiting(): number {
    return this.#timers.size;
  }

  /** Lets the time of everything that waits come. */
  passTime(): void {
    const due = [...this.#timers.keys()];
    this.#timers.clear();
    for (const work of due) work();
  }

  async end(): Promise<void> {
    for (const { repository, store } of [{ repository: this.repository, store: this.store }, ...this.#left.splice(0)]) {
      await repository.close();
      await store.close();
    }
    if (this.#fs === null) await rm(this.dir, { recursive: true, force: true });
  }
}
