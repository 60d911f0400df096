import type { Words } from "./words.ts";

/** How long crashes are counted together. */
export const CRASH_WINDOW_MS = 60_000;

/** Crashes within that time after which a reload is no longer done unasked. */
const UNASKED_RELOADS = 1;

export type CrashResponse = "ignore" | "reload" | "ask";

/**
 * What to do when the window's process is gone. The gateway runs elsewhere and is not touched. The first crash reloads
 * by itself; when it crashes again within a minute the owner is asked, so that a page that always crashes does not
 * spin. Ends that were wanted are ignored.
 * @param reason Electron's `RenderProcessGoneDetails.reason`.
 * @param earlier monotonic times of earlier crashes, ms.
 * @param now monotonic time, ms.
 */
export function crashResponse(reason: string, earlier: readonly number[], now: number): CrashResponse {
  if (reason === "clean-exit") return "ignore";
  const recent = earlier.filter((at) => now - at < CRASH_WINDOW_MS).length;
  return recent < UNASKED_RELOADS ? "reload" : "ask";
}

/** The question, with the buttons in order; the first reloads. */
export function crashQuestion(reason: string, url: string, { boxes }: Words) {
  return {
    type: "warning" as const,
    message: boxes.crashed,
    detail: boxes.crashedDetail(url, reason),
    buttons: [boxes.reloadWindow, boxes.keepHidden],
    defaultId: 0,
    cancelId: 1,
  };
}
