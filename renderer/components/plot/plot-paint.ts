import { useSyncExternalStore } from "react";
import type { PlotSeries } from "./plot-model.ts";

/** The colours of plots as a canvas takes them: the tokens of the theme that is shown. */
export interface Paint {
  readonly series: readonly string[];
  readonly rest: string;
  readonly text: string;
  readonly faint: string;
  readonly line: string;
  readonly surface: string;
  readonly warning: string;
  readonly font: string;
}

const SERIES = 8;
const media = ["(prefers-color-scheme: dark)", "(forced-colors: active)", "(prefers-contrast: more)"] as const;
const listeners = new Set<() => void>();
let paint: Paint | undefined;
let stop: (() => void) | undefined;

function renew(): void {
  paint = undefined;
  for (const listener of listeners) listener();
}

function follow(): () => void {
  const queries = media.map((query) => window.matchMedia(query));
  const theme = new MutationObserver(renew);
  theme.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  for (const query of queries) query.addEventListener("change", renew);
  return () => {
    theme.disconnect();
    for (const query of queries) query.removeEventListener("change", renew);
    paint = undefined;
  };
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  stop ??= follow();
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    stop?.();
    stop = undefined;
  };
}

/** A property of the page's own tokens is a text that only an element's colour makes a colour of. */
function readPaint(): Paint {
  const probe = document.createElement("span");
  probe.className = "forced-color-adjust-none";
  document.body.append(probe);
  const colour = (name: string): string => {
    probe.style.color = `var(--${name})`;
    return getComputedStyle(probe).color;
  };
  const read: Paint = {
    series: Array.from({ length: SERIES }, (_, index) => colour(`plot-${index + 1}`)),
    rest: colour("plot-rest"),
    text: colour("text"),
    faint: colour("text-faint"),
    line: colour("line"),
    surface: colour("surface"),
    warning: colour("warning-text"),
    font: getComputedStyle(document.body).fontFamily,
  };
  probe.remove();
  return read;
}

const current = (): Paint => (paint ??= readPaint());

export function usePaint(): Paint {
  return useSyncExternalStore(subscribe, current);
}

/** Returns the colour of a series by its own or its model's index, cycling through the palette. */
export function getColour(paint: Paint, { hue, rest }: Pick<PlotSeries, "hue" | "rest">, place: number): string {
  return rest === true ? paint.rest : (paint.series[(hue ?? place) % paint.series.length] ?? paint.rest);
}
