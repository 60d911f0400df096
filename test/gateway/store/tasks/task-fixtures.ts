import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect } from "vitest";
import { getEntry } from "../../../../gateway/core/tasks/task-entry.ts";
import type { TaskRecord } from "../../../../gateway/core/tasks/task.ts";
import { TaskArchive, type TaskArchiveOptions } from "../../../../gateway/store/tasks/task-archive.ts";
import { temporaryFolder } from "../../../support/running-gateway.ts";
import { TASK_AT, closedTask, taskId, taskOrder } from "../../../support/tasks.ts";
import { FixedClock } from "../fixtures.ts";

export const openTasks = (options: Partial<TaskArchiveOptions> & { dir: string }): Promise<TaskArchive> =>
  TaskArchive.open({ clock: new FixedClock(), log: () => undefined, readOnly: false, ...options });

const MONTH_MS = 31 * 86_400_000;

export const numberedTask = (number: number, changes: Partial<TaskRecord> = {}): TaskRecord =>
  closedTask({ id: taskId(number), request_id: `req_${number}`, ...changes });

/** Forty tasks of three months, the first of which is November 2026. */
export const threeMonths: readonly TaskRecord[] = Array.from({ length: 40 }, (_, number) =>
  numberedTask(number, {
    created_at: TASK_AT + (number % 3) * MONTH_MS,
    order: taskOrder({ prompt: `A boat ${number} 🚢` }),
  }),
);

/** All of them are listed, with what is known of them, and can be read whole. */
export async function expectAll(archive: TaskArchive, expected: readonly TaskRecord[]): Promise<void> {
  expect([...archive.entries.keys()].toSorted()).toEqual(expected.map(({ id }) => id).toSorted());
  for (const task of expected) expect(archive.entries.get(task.id)?.entry).toEqual(getEntry(task));
  expect(await archive.readAll(expected.map(({ id }) => id))).toEqual(expected);
}

/** A data folder for each test of a file; the archives that it opens are closed after it. */
export class ArchiveFolder {
  dir = "";
  readonly #opened: TaskArchive[] = [];

  constructor() {
    beforeEach(async () => {
      this.dir = await temporaryFolder();
    });
    afterEach(async () => {
      await Promise.all(this.#opened.splice(0).map((archive) => archive.close()));
      await rm(this.dir, { recursive: true, force: true });
    });
  }

  /** The archive that was opened last. */
  get newest(): TaskArchive | undefined {
    return this.#opened.at(-1);
  }

  readonly open = async (options: Partial<TaskArchiveOptions> = {}): Promise<TaskArchive> => {
    const archive = await openTasks({ dir: this.dir, ...options });
    this.#opened.push(archive);
    return archive;
  };

  readonly reopen = async (): Promise<TaskArchive> => {
    await this.newest?.close();
    return this.open();
  };

  /** Path of the list. */
  readonly index = (): string => join(this.dir, "tasks", "index.ndjson");
  /** Path of November 2026. */
  readonly month = (): string => join(this.dir, "tasks", "tasks-2026-11.ndjson");
}
