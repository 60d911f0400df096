import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { onNextFrame } from "../../../renderer/lib/next-frame.ts";

const frames = new Map<number, () => void>();

beforeEach(() => {
  vi.useFakeTimers();
  frames.clear();
  vi.stubGlobal("requestAnimationFrame", (run: () => void) => frames.set(frames.size + 1, run).size);
  vi.stubGlobal("cancelAnimationFrame", (frame: number) => void frames.delete(frame));
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

it("runs with the next frame, and not again", () => {
  const run = vi.fn<() => void>();
  onNextFrame(run);
  expect(run).not.toHaveBeenCalled();
  for (const frame of frames.values()) frame();
  vi.runAllTimers();
  expect(run).toHaveBeenCalledOnce();
});

it("runs a second later in a page that has no frames, and not when they come back", () => {
  const run = vi.fn<() => void>();
  onNextFrame(run);
  vi.advanceTimersByTime(1_000);
  expect(run).toHaveBeenCalledOnce();
  expect(frames.size).toBe(0);
});
