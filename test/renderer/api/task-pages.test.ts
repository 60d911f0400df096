import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { TaskRow } from "../../../gateway/contract/tasks.ts";
import { PAGE_ROWS } from "../../../renderer/api/paged-rows.ts";
import type { TaskFilter } from "../../../renderer/api/query-names.ts";
import { letsIn, withTask, type CachedTaskPage, type TaskPages } from "../../../renderer/api/task-pages.ts";
import { taskRow } from "./task-rows.ts";

const isOver = ({ status }: TaskRow): boolean => ["succeeded", "failed", "cancelled"].includes(status);

/** What the gateway answers: `tasks` are newest first. */
function pageOf(tasks: readonly TaskRow[], page: number, filter: TaskFilter = {}): CachedTaskPage {
  const found = tasks.filter((task) => letsIn(task, filter));
  return {
    data: found.slice(page * PAGE_ROWS, (page + 1) * PAGE_ROWS),
    total: found.length,
    complete: true,
    active: tasks.filter((task) => !isOver(task)).length,
  };
}
const pagesOf = (tasks: readonly TaskRow[], pages: readonly number[], filter: TaskFilter = {}): TaskPages =>
  new Map(pages.map((page) => [page, pageOf(tasks, page, filter)]));
const newestFirst = (count: number): TaskRow[] => Array.from({ length: count }, (_, index) => taskRow(count - index));

describe("a changed task", () => {
  it("changes its row and no other object, nor another page", () => {
    const tasks = newestFirst(250);
    const before = pagesOf(tasks, [0, 1, 2]);
    const changed = { ...(tasks[130] ?? taskRow(0)), progress: 40 };
    const { pages, stale } = withTask(before, changed, {});
    expect(stale).toBe(false);
    expect([pages.get(0), pages.get(2)]).toEqual([before.get(0), before.get(2)]);
    expect(pages.get(0)).toBe(before.get(0));
    expect(pages.get(1)?.data[30]).toBe(changed);
    expect(pages.get(1)?.data.filter((row, index) => row !== before.get(1)?.data[index])).toEqual([changed]);
  });

  it("that ends is no longer active, on whatever page one looks", () => {
    const tasks = newestFirst(150);
    const { pages } = withTask(pagesOf(tasks, [0, 1]), { ...(tasks[3] ?? taskRow(0)), status: "failed" }, {});
    expect([pages.get(0)?.active, pages.get(1)?.active]).toEqual([149, 149]);
  });

  it.each<[string, TaskFilter, Partial<TaskRow>, boolean]>([
    ["leaves a list of those that run", { status: "running" }, { status: "succeeded" }, true],
    ["stays in it while it runs", { status: "running" }, { progress: 3 }, false],
    ["moves where it ends, in a list by its end", { sort: "finished_at" }, { finished_at: 9 }, true],
    ["moves where it is charged, in a list by cost", { sort: "nano" }, { nano: 9 }, true],
    ["keeps its place in a list by cost while it runs", { sort: "nano" }, { progress: 9 }, false],
    ["keeps its place in a list of the newest", {}, { status: "succeeded", nano: 5, finished_at: 9 }, false],
  ])("%s", (_, filter, change, stale) => {
    const tasks = newestFirst(5);
    expect(withTask(pagesOf(tasks, [0]), { ...(tasks[2] ?? taskRow(0)), ...change }, filter).stale).toBe(stale);
  });
});

it.each<[TaskFilter, Partial<TaskRow>, boolean]>([
  [{}, {}, true],
  [{ since: 100, until: 101 }, { created_at: 100 }, true],
  [{ since: 101 }, { created_at: 100 }, false],
  [{ until: 100 }, { created_at: 100 }, false],
  [{ min_nano: 5 }, { nano: 5 }, true],
  [{ min_nano: 5 }, { nano: 4 }, false],
  [{ min_nano: 0 }, { nano: null }, false],
  [{ model: "m1" }, { model: "m2" }, false],
  [{ key: "k1" }, { key: "k2" }, false],
  [{ status: "failed" }, { status: "running" }, false],
])("the filter %j lets in a task with %j: %j", (filter, task, isLetIn) => {
  expect(letsIn({ ...taskRow(1), ...task }, filter)).toBe(isLetIn);
});

describe("a new task", () => {
  it("stands on top, and pushes a row from each page to the next", () => {
    const tasks = newestFirst(350);
    const fresh = taskRow(999);
    const { pages, stale } = withTask(pagesOf(tasks, [0, 1, 2, 3]), fresh, {});
    expect(stale).toBe(false);
    expect(pages).toEqual(pagesOf([fresh, ...tasks], [0, 1, 2, 3]));
  });

  it("leaves a gap where the page before is not here", () => {
    const tasks = newestFirst(350);
    const { pages } = withTask(pagesOf(tasks, [0, 2]), taskRow(999), {});
    expect(pages.get(2)?.data.slice(0, 2)).toEqual([undefined, tasks[200]]);
    expect(pages.get(2)?.total).toBe(351);
  });

  it("is the first of an empty list", () => {
    const { pages } = withTask(pagesOf([], [0]), taskRow(1), {});
    expect(pages).toEqual(pagesOf([taskRow(1)], [0]));
  });

  it.each<[string, TaskFilter, boolean]>([
    ["is kept out by a filter of another model", { model: "m2" }, false],
    ["may have the words that are searched: the gateway knows", { q: "fox" }, true],
    ["has its place elsewhere in a list by cost", { sort: "nano" }, true],
    ["comes last in a list of the oldest", { sort: "created_at", order: "asc" }, true],
  ])("%s", (_, filter, stale) => {
    const before = pagesOf(newestFirst(5), [0]);
    const after = withTask(before, taskRow(999), filter);
    expect([after.pages, after.stale]).toEqual([before, stale]);
  });
});

it("agrees with the gateway after any events, wherever it does not ask again", () => {
  expect.hasAssertions();
  const filters: readonly TaskFilter[] = [{}, { model: "m1" }, { key: "k2" }, { since: 1_100, until: 100_000 }];
  const event = fc.record({
    isNew: fc.boolean(),
    which: fc.nat(400),
    status: fc.constantFrom("running", "succeeded", "failed"),
    model: fc.constantFrom("m1", "m2"),
    key: fc.constantFrom("k1", "k2"),
  });
  fc.assert(
    fc.property(fc.constantFrom(...filters), fc.array(event, { maxLength: 12 }), (filter, events) => {
      let tasks = newestFirst(330);
      let pages = pagesOf(tasks, [0, 1, 2, 3], filter);
      let next = 1_000;
      for (const { isNew, which, ...change } of events) {
        const old = tasks[which % tasks.length] ?? taskRow(0);
        // What a task is made of does not change later.
        const task = isNew ? taskRow((next += 1), change) : { ...old, status: change.status };
        tasks = isNew ? [task, ...tasks] : tasks.map((each) => (each.id === task.id ? task : each));
        const result = withTask(pages, task, filter);
        const fresh = pagesOf(tasks, [0, 1, 2, 3], filter);
        if (!result.stale)
          for (const [number, page] of result.pages)
            expect([number, page.data, page.total]).toEqual([
              number,
              fresh.get(number)?.data,
              fresh.get(number)?.total,
            ]);
        pages = result.stale ? fresh : result.pages;
      }
    }),
    { numRuns: 60 },
  );
});
