import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { ConnectionView } from "../../gateway/contract/connection.ts";
import { Events } from "../../gateway/services/events.ts";
import type { Notice } from "../../main/policy/notice.ts";
import { english } from "../../main/policy/words.ts";
import { watchForNotices } from "../../main/user-notices.ts";
import { memoryOf } from "./fakes/memory.ts";
import { connectionInStates, stateWith, taskRow } from "./fakes/rows.ts";

const NOW = 1_000_000;
let events: Events;
let spent = 0;
let connections: ConnectionView[] = [];
let memory = memoryOf();
let shown: Notice[] = [];
let end = (): void => undefined;

function start(): void {
  end = watchForNotices({
    gateway: {
      events,
      state: () => stateWith(spent, 100),
      connections: () => connections,
      keys: () => [],
      budgets: () => [],
    },
    memory,
    words: english,
    clock: { now: () => NOW, monotonic: () => NOW },
    show: (notice) => shown.push(notice),
  });
}
const titles = (): string[] => shown.map(({ title }) => title);
const ended = (id: string) => events.emit({ type: "task.changed", task: taskRow({ id, finished_at: NOW }) });

beforeEach(() => {
  vi.useFakeTimers();
  events = new Events();
  spent = 0;
  connections = [];
  memory = memoryOf();
  shown = [];
});
afterEach(() => {
  end();
  vi.useRealTimers();
});

it("tells together what happens together, and each thing once", async () => {
  start();
  for (const id of ["vt_1", "vt_2", "vt_3", "vt_4", "vt_4"]) ended(id);
  expect(shown).toStrictEqual([]);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(titles()).toStrictEqual(["4 videos ended"]);
  ended("vt_1");
  await vi.advanceTimersByTimeAsync(10_000);
  expect(titles()).toHaveLength(1);
});

it("looks at budgets and connections when something may have changed them, and at the start", async () => {
  connections = [connectionInStates(["refused"])];
  spent = 85;
  start();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(titles()).toStrictEqual(["80 % of a budget is spent", "OpenAI does not respond"]);
  connections = [connectionInStates(["ready"])];
  spent = 100;
  events.emit({ type: "connections.changed" });
  await vi.advanceTimersByTimeAsync(2_000);
  expect(titles().slice(2)).toStrictEqual(["A budget is spent", "OpenAI can be used again"]);
});

it("remembers over a restart what of a budget was reported", async () => {
  spent = 85;
  start();
  await vi.advanceTimersByTimeAsync(2_000);
  end();
  start();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(titles()).toHaveLength(1);
});

it("says at the start that keys are locked", () => {
  connections = [connectionInStates(["locked"])];
  start();
  expect(titles()).toStrictEqual(["Provider keys are locked"]);
});

it("shows nothing while notices are off, and no old news when they are on again", async () => {
  memory = memoryOf({ notifications: false });
  connections = [connectionInStates(["open"])];
  spent = 100;
  start();
  ended("vt_1");
  await vi.advanceTimersByTimeAsync(2_000);
  expect(shown).toStrictEqual([]);
  memory.update({ notifications: true });
  ended("vt_1");
  events.emit({ type: "settings.changed" });
  await vi.advanceTimersByTimeAsync(2_000);
  expect(shown).toStrictEqual([]);
});

it("does not tell what ended while notices were off, however soon they are on again", async () => {
  memory = memoryOf({ notifications: false });
  start();
  ended("vt_1");
  memory.update({ notifications: true });
  ended("vt_2");
  await vi.advanceTimersByTimeAsync(2_000);
  expect(titles()).toStrictEqual(["Video ready"]);
});

it("ends", async () => {
  start();
  ended("vt_1");
  end();
  await vi.advanceTimersByTimeAsync(10_000);
  expect([shown, events.hears("task.changed")]).toStrictEqual([[], false]);
});
