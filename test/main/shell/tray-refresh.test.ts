import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Events } from "../../../gateway/services/events.ts";
import { refreshOnEvents } from "../../../main/shell/tray-refresh.ts";

const refresh = vi.fn<() => void>();

beforeEach(() => {
  vi.useFakeTimers();
  refresh.mockClear();
});
afterEach(() => vi.useRealTimers());

it("looks at most twice a second, and once after the last of many events", () => {
  const events = new Events();
  const stop = refreshOnEvents(events, refresh);
  for (let index = 0; index < 2_000; index++) {
    events.emit({ type: "traffic.changed", in_flight: index });
    vi.advanceTimersByTime(1);
  }
  vi.advanceTimersByTime(500);
  expect(refresh).toHaveBeenCalledTimes(5);
  vi.advanceTimersByTime(10_000);
  expect(refresh).toHaveBeenCalledTimes(5);
  stop();
});

it("looks at once after a quiet time, though not within the event", () => {
  const events = new Events();
  const stop = refreshOnEvents(events, refresh);
  for (const times of [1, 2]) {
    events.emit({ type: "keys.changed" });
    expect(refresh).toHaveBeenCalledTimes(times - 1);
    vi.advanceTimersByTime(1);
    expect(refresh).toHaveBeenCalledTimes(times);
    vi.advanceTimersByTime(600);
  }
  stop();
});

it("looks once a minute when nothing happens", () => {
  const stop = refreshOnEvents(new Events(), refresh);
  vi.advanceTimersByTime(180_000);
  expect(refresh).toHaveBeenCalledTimes(3);
  stop();
});

it("stops, also with a look still to come", () => {
  const events = new Events();
  const stop = refreshOnEvents(events, refresh);
  events.emit({ type: "keys.changed" });
  stop();
  events.emit({ type: "keys.changed" });
  vi.advanceTimersByTime(180_000);
  expect(refresh).not.toHaveBeenCalled();
  expect(events.hears("request.settled")).toBe(false);
});
