import { useLayoutEffect, useRef, type ReactNode } from "react";
import { createPortal } from "react-dom";
import type { PlotModel, PlotWords, PlotWriting } from "./plot-model.ts";
import { listEarlier, sortFigures, getTotal } from "./plot-model.ts";
import { getColour, usePaint } from "./plot-paint.ts";
import { Swatch } from "./plot-swatch.tsx";

/** Max series in the tooltip; the total includes all of them. */
const MOST_ROWS = 12;
const GAP_PX = 14;
const EDGE_PX = 8;

/** Position of the crosshair in window pixels. */
export interface TipAnchor {
  readonly x: number;
  readonly y: number;
}

export interface PlotTipProps {
  readonly model: PlotModel;
  readonly writing: PlotWriting;
  readonly words: PlotWords;
  readonly place: number;
  /** The series under the pointer. */
  readonly hit: number | null;
  /** Effect of a press; null without one. */
  readonly hint: string | null;
  /** Read after each drawing and by `follow`. */
  readonly anchorOf: () => TipAnchor | null;
  /** Registers a function that moves the tooltip without rendering; null on unmount. */
  readonly follow: (move: (() => void) | null) => void;
}

/**
 * The figures of one bucket next to the crosshair, inside the window. It repeats the slider's value text, so it is hidden
 * from assistive technology.
 */
export function PlotTip(props: PlotTipProps): ReactNode {
  const { model, writing, words, place, hit, hint, anchorOf, follow } = props;
  const paint = usePaint();
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const move = (): void => {
      const anchor = anchorOf();
      if (box.current !== null && anchor !== null) placeNextTo(box.current, anchor);
    };
    move();
    follow(move);
    return () => follow(null);
  });
  const figures = sortFigures(model, place);
  const total = getTotal(model, place);
  const say = (value: number | null): string => (value === null ? words.none : writing.value(value));
  return createPortal(
    <div
      ref={box}
      aria-hidden
      data-plot-tip
      className="overlay pointer-events-none fixed top-0 left-0 z-40 w-max max-w-[min(420px,calc(100vw-16px))] px-2.5 py-1.5 text-meta"
    >
      <p className="numeric text-muted">{writing.when(model.at[place] ?? 0)}</p>
      <div className="mt-0.5 grid grid-cols-[auto_minmax(0,1fr)_auto] items-baseline gap-x-1.5">
        {figures.slice(0, MOST_ROWS).map(({ series, index, value }) => (
          <div key={series.id} className={`col-span-3 grid grid-cols-subgrid ${index === hit ? "font-semibold" : ""}`}>
            <Swatch
              colour={getColour(paint, series, index)}
              dashed={model.kind === "lines" && (series.hue ?? index) > 0}
            />
            <span className="truncate">{series.label}</span>
            <span className="numeric pl-3 text-right">{say(value)}</span>
          </div>
        ))}
        {total !== null && (
          <div className="col-span-3 mt-0.5 grid grid-cols-subgrid border-t border-line pt-0.5 font-medium">
            <span className="col-span-2">{words.total}</span>
            <span className="numeric pl-3 text-right">{say(total)}</span>
          </div>
        )}
        {listEarlier(model, place).map((value) => (
          <div key="before" className="col-span-3 grid grid-cols-subgrid text-muted">
            <span className="col-span-2">{model.before?.label}</span>
            <span className="numeric pl-3 text-right">{say(value)}</span>
          </div>
        ))}
      </div>
      {hint !== null && <p className="mt-0.5 truncate text-faint">{hint}</p>}
    </div>,
    document.body,
  );
}

/** Placed to the right of the crosshair, or to the left at the window's edge. */
function placeNextTo(box: HTMLElement, { x, y }: TipAnchor): void {
  const { clientWidth: width, clientHeight: height } = document.documentElement;
  const { offsetWidth, offsetHeight } = box;
  const right = x + GAP_PX;
  const left = right + offsetWidth + EDGE_PX <= width ? right : x - GAP_PX - offsetWidth;
  box.style.left = `${Math.max(EDGE_PX, Math.min(left, width - offsetWidth - EDGE_PX))}px`;
  box.style.top = `${Math.max(EDGE_PX, Math.min(y - offsetHeight / 2, height - offsetHeight - EDGE_PX))}px`;
}
