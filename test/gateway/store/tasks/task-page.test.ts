import { describe, expect, it } from "vitest";
import fc from "fast-check";
import { getEntry } from "../../../../gateway/core/tasks/task-entry.ts";
import type { TaskRecord } from "../../../../gateway/core/tasks/task.ts";
import { TaskIndex } from "../../../../gateway/store/tasks/task-index.ts";
import { getPage, type ListVideoTasks } from "../../../../gateway/store/tasks/task-search.ts";
import { TASK_AT, taskId, taskRecord } from "../../../support/tasks.ts";

/** Tasks 1 to `count`, each a second after the one before. */
function tasks(count: number, changes: (number: number) => Partial<TaskRecord> = () => ({})): TaskRecord[] {
  return Array.from({ length: count }, (_, index) => {
    const created = TASK_AT + index * 1_000;
    return taskRecord({ id: taskId(index + 1, created), created_at: created, ...changes(index + 1) });
  });
}

function indexOf(records: readonly TaskRecord[]): TaskIndex {
  const index = new TaskIndex();
  for (const record of records) index.put(getEntry(record));
  return index;
}

/** All pages of a query, one after another. */
function pagesOf(index: TaskIndex, query: ListVideoTasks): string[][] {
  const pages: string[][] = [];
  let after = query.after;
  for (;;) {
    const { ids, hasMore } = getPage(index, { ...query, ...(after === undefined ? {} : { after }) });
    pages.push(ids);
    if (!hasMore) return pages;
    after = ids.at(-1) as string;
  }
}

describe("a page of tasks", () => {
  const records = tasks(5);
  const ids = records.map(({ id }) => id);
  const index = indexOf(records);

  it.each([
    ["newest first unless told otherwise", undefined, ids.toReversed()],
    ["newest first", false, ids.toReversed()],
    ["oldest first", true, ids],
  ])("is %s", (_words, oldestFirst, expected) => {
    const order = oldestFirst === undefined ? {} : { oldestFirst };
    expect(getPage(index, { key: "key_1", limit: 10, ...order })).toEqual({ ids: expected, hasMore: false });
    expect(pagesOf(index, { key: "key_1", limit: 2, ...order }).map((page) => page.length)).toEqual([2, 2, 1]);
    expect(pagesOf(index, { key: "key_1", limit: 2, ...order }).flat()).toEqual(expected);
    expect(getPage(index, { key: "key_1", limit: 5, ...order }).hasMore).toBe(false);
  });

  it("goes on after a task by our id or by the provider's, in both orders", () => {
    const named = indexOf(tasks(3, (number) => ({ operation: { id: `cgt-${number}` } })));
    for (const after of ["cgt-2", taskId(2, TASK_AT + 1_000)]) {
      expect(getPage(named, { key: "key_1", limit: 9, after }).ids).toEqual([taskId(1, TASK_AT)]);
      expect(getPage(named, { key: "key_1", limit: 9, after, oldestFirst: true }).ids).toEqual([
        taskId(3, TASK_AT + 2_000),
      ]);
    }
  });

  it("is empty after a task that is nobody's or another key's", () => {
    const others = indexOf(tasks(4, (number) => ({ key: number === 2 ? "key_2" : "key_1" })));
    for (const oldestFirst of [false, true]) {
      for (const after of ["vt_nothing", taskId(2, TASK_AT + 1_000)]) {
        expect(getPage(others, { key: "key_1", limit: 9, after, oldestFirst })).toEqual({ ids: [], hasMore: false });
      }
    }
  });

  it("goes on after a task that its client has deleted", () => {
    const deleted = indexOf(tasks(3, (number) => ({ deleted_at: number === 2 ? TASK_AT : null })));
    const after = taskId(2, TASK_AT + 1_000);
    expect(getPage(deleted, { key: "key_1", limit: 9 }).ids).not.toContain(after);
    expect(getPage(deleted, { key: "key_1", limit: 9, after }).ids).toEqual([taskId(1, TASK_AT)]);
    expect(getPage(deleted, { key: "key_1", limit: 9, after, oldestFirst: true }).ids).toEqual([
      taskId(3, TASK_AT + 2_000),
    ]);
  });

  it("has each matching task once, in one order or in the other, whatever the size of a page", () => {
    const record = fc.record({
      key: fc.constantFrom("key_1", "key_2"),
      phase: fc.constantFrom("running" as const, "failed" as const),
      model: fc.constantFrom("alpha2.6-t2v", "alpha2.7-t2v"),
      deleted_at: fc.constantFrom(null, TASK_AT),
      second: fc.integer({ min: 0, max: 3 }),
    });
    fc.assert(
      fc.property(fc.array(record, { maxLength: 30 }), fc.integer({ min: 1, max: 7 }), (drawn, limit) => {
        const all = drawn.map(({ second, ...changes }, number) => {
          const created = TASK_AT + second * 1_000;
          return taskRecord({ id: taskId(number + 1, created), created_at: created, ...changes });
        });
        const query: ListVideoTasks = { key: "key_1", limit, status: "running", models: ["alpha2.7-t2v"] };
        const wanted = all
          .filter(({ key, phase, model, deleted_at }) => {
            return key === "key_1" && phase === "running" && model === "alpha2.7-t2v" && deleted_at === null;
          })
          .map(({ id }) => id)
          .toSorted();
        const drawnIndex = indexOf(all);
        expect(pagesOf(drawnIndex, { ...query, oldestFirst: true }).flat()).toEqual(wanted);
        expect(pagesOf(drawnIndex, query).flat()).toEqual(wanted.toReversed());
      }),
    );
  });
});
