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
 * Decides what follows when the window's process is gone. The gateway runs elsewhere and is not touched. The first crash reloads
 * by itself; when it crashes again within a minute the owner is asked, so that a page that always crashes does not
 * spin. Ends that were wanted are ignored.
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
 * Chooses what to do when the graphics process is gone. Chromium starts it again by itself, after three crashes without
 * the graphics card, and when it crashes three times more, it ends the whole app, gateway included. So its limit holds only
 * as long as there is a card to do without; then the window is given up before the app is.
 * @param compositing Electron's `getGPUFeatureStatus().gpu_compositing`.
 * @param earlier monotonic times of earlier ends without a graphics card, ms.
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
