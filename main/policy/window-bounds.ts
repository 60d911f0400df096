import * as z from "zod";

/** Min window size in which every page works: the pages are designed for 360 px and more. */
export const SMALLEST = { width: 360, height: 420 } as const;

/** Size of the window on a first start: the sidebar, 1,080 px of content, and room for a table of 20 rows. */
export const FIRST_SIZE = { width: 1288, height: 832 } as const;

/** Display-independent pixels. Without `x` and `y` the window is centred. */
export interface Bounds {
  readonly width: number;
  readonly height: number;
  readonly x?: number;
  readonly y?: number;
}

/** The part of a display that windows may use, without menu bar, dock and panels. */
export interface WorkArea {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** How the window was left. */
export const windowStateSchema = z.object({
  x: z.number().int(),
  y: z.number().int(),
  width: z.number().int().positive(),
  height: z.number().int().positive(),
  maximized: z.boolean(),
});
export type WindowState = z.infer<typeof windowStateSchema>;

/** Part of the title bar that must be visible for the window to be reachable. */
const GRIP = { width: 120, height: 24 } as const;

const between = (low: number, value: number, high: number): number => Math.max(low, Math.min(value, high));

/** Returns a size that fits the display, or the pages' minimum if the display is smaller. */
function fit(size: { width: number; height: number }, area: WorkArea | undefined) {
  return {
    width: between(SMALLEST.width, size.width, Math.max(SMALLEST.width, area?.width ?? size.width)),
    height: between(SMALLEST.height, size.height, Math.max(SMALLEST.height, area?.height ?? size.height)),
  };
}

/** Width of the part of the window's title bar that lies on the display; 0 when the bar is above or below it. */
function reach(state: WindowState, area: WorkArea): number {
  const isTopOnDisplay = state.y >= area.y && state.y + GRIP.height <= area.y + area.height;
  const right = Math.min(state.x + fit(state, area).width, area.x + area.width);
  return isTopOnDisplay ? Math.max(0, right - Math.max(state.x, area.x)) : 0;
}

/**
 * Places the window: at its last bounds if the title bar is still reachable on a display, else centred on the first
 * display; never larger than the display and never smaller than the pages' minimum.
 * @param displays work areas, the primary display first; may be empty if the session has no display.
 */
export function restoreBounds(state: WindowState | null, displays: readonly WorkArea[]): Bounds {
  if (state === null) return fit(FIRST_SIZE, displays[0]);
  const [home] = displays.toSorted((one, other) => reach(state, other) - reach(state, one));
  if (home === undefined || reach(state, home) < GRIP.width) return fit(state, displays[0]);
  return { ...fit(state, home), x: state.x, y: state.y };
}
