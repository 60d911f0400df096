import { getHeapStatistics } from "node:v8";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { collectWhenCalm } from "../../../gateway/lib/collect-when-calm.ts";

vi.mock("node:v8", { spy: true });

const LOOK_MS = 750;
const FIRST_LOOK_MS = 250;
/** After the start: so long nothing is done before it collects. */
const CALM_MS = 16 * LOOK_MS;
/** Of the processor, in milliseconds. */
let received = 0;
let stop: () => void;
const collect = vi.fn<() => void>();
const MIB = 1_024 * 1_024;
/** Bytes of V8's heap and of what hangs on it. */
let used = 0;
let calls = 0;

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(process, "cpuUsage").mockImplementation(() => ({ user: received * 1_000, system: 0 }));
  collect.mockReset().mockImplementation(() => void (used = 30 * MIB));
  used = 30 * MIB;
  calls = 0;
  const real = getHeapStatistics();
  vi.mocked(getHeapStatistics).mockImplementation(() => ({
    ...real,
    used_heap_size: used / 2,
    external_memory: used / 2,
  }));
  stop = collectWhenCalm(() => calls, collect);
  // What the start leaves behind is collected first.
  vi.advanceTimersByTime(FIRST_LOOK_MS);
  expect(collect).toHaveBeenCalledOnce();
  collect.mockClear();
});

afterEach(() => {
  stop();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

function burst(): void {
  used += 40 * MIB;
}

it("collects once when much has been left behind and little is done", () => {
  vi.advanceTimersByTime(CALM_MS / 2);
  burst();
  received += LOOK_MS;
  vi.advanceTimersByTime(CALM_MS);
  expect(collect).not.toHaveBeenCalled();
  vi.advanceTimersByTime(LOOK_MS);
  expect(collect).toHaveBeenCalledOnce();
  vi.advanceTimersByTime(CALM_MS * 3);
  expect(collect).toHaveBeenCalledOnce();
});

it("leaves alone who is busy, until that is over", () => {
  burst();
  for (let look = 0; look < 3; look += 1) {
    received += LOOK_MS / 20;
    vi.advanceTimersByTime(LOOK_MS);
  }
  vi.advanceTimersByTime(CALM_MS - LOOK_MS);
  expect(collect).not.toHaveBeenCalled();
  vi.advanceTimersByTime(LOOK_MS);
  expect(collect).toHaveBeenCalledOnce();
});

it("does nothing where little was left behind", () => {
  used += 8 * MIB;
  vi.advanceTimersByTime(CALM_MS * 2);
  expect(collect).not.toHaveBeenCalled();
});

it("forgets what was in use once, when V8 has collected that by itself", () => {
  // Much is in use when it is calm, as with many open streams, and then it is not.
  collect.mockImplementation(() => void (used = 200 * MIB));
  used = 300 * MIB;
  vi.advanceTimersByTime(CALM_MS);
  used = 30 * MIB;
  vi.advanceTimersByTime(LOOK_MS);
  collect.mockReset();
  burst();
  vi.advanceTimersByTime(CALM_MS);
  expect(collect).toHaveBeenCalledOnce();
});

it("ends", () => {
  stop();
  burst();
  vi.advanceTimersByTime(LOOK_MS * 2);
  expect(collect).not.toHaveBeenCalled();
});

it("does not wait where a hundred calls are under way and silent", () => {
  burst();
  calls = 99;
  vi.advanceTimersByTime(LOOK_MS);
  expect(collect).not.toHaveBeenCalled();
  calls = 100;
  vi.advanceTimersByTime(LOOK_MS);
  expect(collect).toHaveBeenCalledOnce();
});

it("waits as after a burst where calls came before the start was calm", () => {
  stop();
  used = 60 * MIB;
  stop = collectWhenCalm(() => calls, collect);
  for (let look = 0; look < 5; look += 1) {
    received += FIRST_LOOK_MS;
    vi.advanceTimersByTime(FIRST_LOOK_MS);
  }
  vi.advanceTimersByTime(CALM_MS - LOOK_MS);
  expect(collect).not.toHaveBeenCalled();
  vi.advanceTimersByTime(LOOK_MS * 2);
  expect(collect).toHaveBeenCalledOnce();
});
