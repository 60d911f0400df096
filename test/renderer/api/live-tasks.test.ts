import { QueryClient } from "@tanstack/react-query";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createLive } from "../../../renderer/api/live.ts";
import type { TaskListPage } from "../../../renderer/api/task-queries.ts";
import { taskRow } from "./task-rows.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function live() {
  const cache = new QueryClient();
  const renewed: unknown[] = [];
  const invalidate = vi.spyOn(cache, "invalidateQueries");
  invalidate.mockImplementation(async (filters) => void renewed.push(filters?.queryKey?.[0]));
  const frames: (() => void)[] = [];
  const feed = createLive(cache, (run) => frames.push(run));
  return { cache, renewed, frames, feed, invalidate };
}

const page = (...indexes: number[]): TaskListPage => ({
  data: indexes.map((index) => taskRow(index)),
  total: indexes.length,
  complete: true,
  active: indexes.length,
  cursor: null,
  rebuilding: null,
});

describe("a changed task", () => {
  it("is shown once per frame in every first page that has it, and lists are asked for again at most once a second", () => {
    const { cache, renewed, frames, feed } = live();
    cache.setQueryData(["tasks", {}], page(3, 2, 1));
    cache.setQueryData(["tasks", { model: "m2" }], page());
    for (let progress = 1; progress <= 50; progress += 1)
      feed.receive({ type: "task.changed", task: taskRow(2, { progress }) });
    expect(frames).toHaveLength(1);
    frames[0]?.();
    const rows = cache.getQueryData<TaskListPage>(["tasks", {}]);
    expect(rows?.data.map((row) => row.progress)).toEqual([null, 50, null]);
    for (let more = 0; more < 5; more += 1) {
      feed.receive({ type: "task.changed", task: taskRow(4) });
      frames.pop()?.();
    }
    expect(renewed).toEqual(["tasks"]);
    vi.advanceTimersByTime(10_000);
    expect(renewed).toEqual(["tasks", "tasks"]);
  });

  it("changes what is open of it, and has the rest asked for again at most once a second", () => {
    const { cache, renewed, frames, feed } = live();
    cache.setQueryData(["task", taskRow(2).id], { ...taskRow(2), timeline: ["kept"] });
    for (const progress of [1, 2, 3]) {
      feed.receive({ type: "task.changed", task: taskRow(2, { progress }) });
      frames.pop()?.();
    }
    expect(cache.getQueryData(["task", taskRow(2).id])).toMatchObject({ progress: 3, timeline: ["kept"] });
    expect(renewed.filter((name) => name === "task")).toHaveLength(1);
    vi.advanceTimersByTime(1_000);
    expect(renewed.filter((name) => name === "task")).toHaveLength(2);
    vi.advanceTimersByTime(10_000);
    expect(renewed).toHaveLength(4);
  });

  it("that comes before the first response has that response asked for again", async () => {
    const { cache, frames, feed, invalidate } = live();
    let response: (page: TaskListPage) => void = () => undefined;
    const queryKey = ["tasks", {}];
    const pending = cache.fetchQuery({
      queryKey,
      queryFn: () => new Promise<TaskListPage>((resolve) => (response = resolve)),
    });
    feed.receive({ type: "task.changed", task: taskRow(2) });
    frames.pop()?.();
    await vi.advanceTimersByTimeAsync(0);
    invalidate.mockClear();
    response(page(1));
    await pending;
    await vi.advanceTimersByTimeAsync(0);
    expect(invalidate.mock.calls).toEqual([[{ queryKey, exact: true }]]);
  });
});

it("asks for callbacks again when the gateway says that they moved", () => {
  const { renewed, feed } = live();
  feed.receive({ type: "webhooks.changed" });
  expect(renewed).toEqual(["webhooks", "task"]);
});
