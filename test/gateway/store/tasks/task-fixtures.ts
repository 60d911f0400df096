import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect } from "vitest";
import type { TaskRecord } from "../../../../gateway/core/tasks/task.ts";
import { nodeStoreFs, type StoreFs } from "../../../../gateway/store/disk/store-fs.ts";
import { TaskArchive } from "../../../../gateway/store/tasks/task-archive.ts";
import { temporaryFolder } from "../../../support/running-gateway.ts";
import { TASK_AT, closedTask, taskId, taskOrder } from "../../../support/tasks.ts";
import { FixedClock } from "../fixtures.ts";
import { LocalLedger } from "../ledger/local-ledger.ts";

const MONTH_MS = 31 * 86_400_000;
const ALL = {
  live: [],
  isListed: false,
  sort: "created_at",
  order: "asc",
  limit: 100_000,
  offset: 0,
  after: null,
} as const;

export const numberedTask = (number: number, changes: Partial<TaskRecord> = {}): TaskRecord =>
  closedTask({ id: taskId(number), request_id: `req_${number}`, ...changes });

/** Forty tasks of three months, the first of which is November 2026. */
export const threeMonths: readonly TaskRecord[] = Array.from({ length: 40 }, (_, number) =>
  numberedTask(number, {
    created_at: TASK_AT + (number % 3) * MONTH_MS,
    order: taskOrder({ prompt: `A boat ${number} 🚢` }),
  }),
);

/** An archive with its index. */
export class OpenedArchive {
  /** What the owner was informed. */
  readonly problems: string[] = [];
  readonly archive: TaskArchive;
  readonly #ledger: LocalLedger;

  constructor(dir: string, fs: StoreFs = nodeStoreFs, readOnly = false) {
    this.archive = new TaskArchive({
      fs,
      dir,
      readOnly,
      clock: new FixedClock(),
      log: () => undefined,
      notices: { add: (_level, message) => this.problems.push(message) },
    });
    this.#ledger = new LocalLedger(dir, fs);
    this.#ledger.onDamage("tasks", (damage) => this.archive.takeDamage(damage));
  }

  add(tasks: readonly TaskRecord[]): Promise<void> {
    return this.archive.add(tasks);
  }

  /** Every record that the index names, by its id; null where it is damaged. */
  async all(): Promise<Map<string, TaskRecord | null>> {
    const { response, rebuilding } = await this.#ledger.ask("tasks.list", ALL);
    expect(rebuilding).toBeNull();
    const records = await this.archive.read(response.tasks.flatMap(({ place }) => place ?? []));
    return new Map(response.tasks.map(({ id }, place) => [id, records[place] ?? null]));
  }

  async close(): Promise<void> {
    await this.archive.close();
    await this.#ledger.close();
  }
}

export async function openTasks(options: { dir: string; fs?: StoreFs; readOnly?: boolean }): Promise<OpenedArchive> {
  const opened = new OpenedArchive(options.dir, options.fs, options.readOnly);
  await opened.archive.open();
  return opened;
}

/** All of them are listed, and can be read whole. */
export async function expectAll(archive: OpenedArchive, expected: readonly TaskRecord[]): Promise<void> {
  const byId = (a: TaskRecord | null, b: TaskRecord | null): number => ((a?.id ?? "") < (b?.id ?? "") ? -1 : 1);
  expect([...(await archive.all()).values()].toSorted(byId)).toEqual(expected.toSorted(byId));
}

/** A data folder for each test of a file; the archives that it opens are closed after it. */
export class ArchiveFolder {
  dir = "";
  readonly #opened: OpenedArchive[] = [];

  constructor() {
    beforeEach(async () => {
      this.dir = await temporaryFolder();
    });
    afterEach(async () => {
      await Promise.all(this.#opened.splice(0).map((archive) => archive.close()));
      await rm(this.dir, { recursive: true, force: true });
    });
  }

  readonly open = async (options: { dir?: string; readOnly?: boolean } = {}): Promise<OpenedArchive> => {
    const archive = await openTasks({ dir: this.dir, ...options });
    this.#opened.push(archive);
    return archive;
  };

  readonly reopen = async (): Promise<OpenedArchive> => {
    await this.#opened.at(-1)?.close();
    return this.open();
  };

  /** Path of November 2026. */
  readonly month = (): string => join(this.dir, "tasks", "tasks-2026-11.ndjson");
}
