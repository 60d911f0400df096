import type { Words } from "./words.ts";

/** How long crashes are counted together. */
export const CRASH_WINDOW_MS = 60_000;

/** Crashes within that time after which a reload is no longer done unasked. */
const UNASKED_RELOADS = 1;

/** Ends of the graphics process within that time after which the window is no longer drawn unasked. */
const UNASKED_REDRAWS = 5;

export type CrashResponse = "ignore" | "reload" | "ask";

const recent = (earlier: readonly number[], now: number): number =>
  earlier.filter((at) => now - at < CRASH_WINDOW_MS).length;

/**
 * Decides what happens after the window's process has crashed. The gateway runs in another process. The first crash
 * reloads automatically; after another crash within a minute the user is asked, so that a crashing page does not loop.
 * Intended exits are ignored.
 * @param reason Electron's `RenderProcessGoneDetails.reason`.
 * @param earlier monotonic times of earlier crashes, ms.
 * @param now monotonic time, ms.
 */
export function createCrashResponse(reason: string, earlier: readonly number[], now: number): CrashResponse {
  if (reason === "clean-exit") return "ignore";
  return recent(earlier, now) < UNASKED_RELOADS ? "reload" : "ask";
}

export type GraphicsResponse = "fall-back" | "draw-again" | "ask";

/**
 * Decides what happens after the graphics process has crashed. Chromium restarts it, after three crashes without the
 * graphics card, and after three more crashes it ends the whole app, gateway included. So its limit is kept only while
 * a graphics card is in use; after that the window is closed before the app would end.
 * @param compositing Electron's `getGPUFeatureStatus().gpu_compositing`.
 * @param earlier monotonic times of earlier crashes without a graphics card, ms.
 * @param now monotonic time, ms.
 */
export function graphicsResponse(compositing: string, earlier: readonly number[], now: number): GraphicsResponse {
  if (compositing.startsWith("enabled")) return "fall-back";
  return recent(earlier, now) < UNASKED_REDRAWS ? "draw-again" : "ask";
}

/** The question, with the buttons in order; the first reloads. */
export function createCrashQuestion(reason: string, url: string, { boxes }: Words) {
  return {
    type: "warning" as const,
    message: boxes.crashed,
    detail: boxes.crashedDetail(url, reason),
    buttons: [boxes.reloadWindow, boxes.keepHidden],
    defaultId: 0,
    cancelId: 1,
  };
}
