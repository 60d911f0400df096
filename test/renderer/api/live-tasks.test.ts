import { QueryClient } from "@tanstack/react-query";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createLive } from "../../../renderer/api/live.ts";
import type { CachedTaskPage } from "../../../renderer/api/task-pages.ts";
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

const page = (...indexes: number[]): CachedTaskPage => ({
  data: indexes.map((index) => taskRow(index)),
  total: indexes.length,
  complete: true,
  active: indexes.length,
});

describe("a changed task", () => {
  it("is put once per frame into every list that it belongs to, and nothing is asked for", () => {
    const { cache, renewed, frames, feed } = live();
    cache.setQueryData(["tasks", {}, 0], page(3, 2, 1));
    cache.setQueryData(["tasks", { model: "m2" }, 0], page());
    for (let progress = 1; progress <= 50; progress += 1)
      feed.receive({ type: "task.changed", task: taskRow(2, { progress }) });
    feed.receive({ type: "task.changed", task: taskRow(4) });
    expect(frames).toHaveLength(1);
    frames[0]?.();
    const rows = cache.getQueryData<CachedTaskPage>(["tasks", {}, 0]);
    expect(rows?.data.map((row) => [row?.id, row?.progress])).toEqual([
      [taskRow(4).id, null],
      [taskRow(3).id, null],
      [taskRow(2).id, 50],
      [taskRow(1).id, null],
    ]);
    expect([rows?.total, rows?.active, renewed]).toEqual([4, 4, []]);
    expect(cache.getQueryData<CachedTaskPage>(["tasks", { model: "m2" }, 0])?.total).toBe(0);
  });

  it("changes what is open of it, and has the rest asked for again at most once a second", () => {
    const { cache, renewed, frames, feed } = live();
    cache.setQueryData(["task", taskRow(2).id], { ...taskRow(2), timeline: ["kept"] });
    for (const progress of [1, 2, 3]) {
      feed.receive({ type: "task.changed", task: taskRow(2, { progress }) });
      frames.pop()?.();
    }
    expect(cache.getQueryData(["task", taskRow(2).id])).toMatchObject({ progress: 3, timeline: ["kept"] });
    expect(renewed).toEqual(["task"]);
    vi.advanceTimersByTime(1_000);
    expect(renewed).toEqual(["task", "task"]);
    vi.advanceTimersByTime(10_000);
    expect(renewed).toHaveLength(2);
  });

  it("has lists asked for again that only the gateway can sort", () => {
    const { cache, renewed, frames, feed } = live();
    cache.setQueryData(["tasks", { status: "running" }, 0], page(1));
    feed.receive({ type: "task.changed", task: taskRow(1, { status: "succeeded" }) });
    frames.pop()?.();
    expect(renewed).toEqual(["tasks"]);
  });

  it("that comes before the first response has that response asked for once more", async () => {
    const { cache, frames, feed, invalidate } = live();
    let response: (page: CachedTaskPage) => void = () => undefined;
    const queryKey = ["tasks", {}, 0];
    const asked = cache.fetchQuery({
      queryKey,
      queryFn: () => new Promise<CachedTaskPage>((resolve) => (response = resolve)),
    });
    feed.receive({ type: "task.changed", task: taskRow(2) });
    frames.pop()?.();
    await vi.advanceTimersByTimeAsync(0);
    invalidate.mockClear();
    response(page(1));
    await asked;
    await vi.advanceTimersByTimeAsync(0);
    expect(invalidate.mock.calls).toEqual([[{ queryKey, exact: true }]]);
  });
});

it("asks for callbacks again when the gateway says that they moved", () => {
  const { renewed, feed } = live();
  feed.receive({ type: "webhooks.changed" });
  expect(renewed).toEqual(["webhooks", "task"]);
});
