/* oxlint-disable jsx-a11y/prefer-tag-over-role -- A range input could not hold the canvas; the role is what it is: a place among buckets, with its figures as its value. */
import { useEffect, useId, useRef, useState, type KeyboardEvent, type MouseEvent, type ReactNode } from "react";
import type UPlot from "uplot";
import {
  formatBucketInWords,
  hasFigures,
  isDense,
  moveCrosshair,
  getSeries,
  type PlotModel,
  type PlotWords,
  type PlotWriting,
} from "./plot-model.ts";
import { useCursorPlace, type PlotCursor } from "./plot-cursor.ts";
import { PlotSurface } from "./plot-surface.tsx";
import { PlotTip, type TipAnchor } from "./plot-tip.tsx";

/** Action of a press on a bar. */
export interface PlotOpening {
  /** @param series null: all of the bucket */
  open(place: number, series: string | null): void;
  /** Returns the label of that action. */
  label(series: string | null): string;
}

export interface PlotCanvasProps {
  readonly label: string;
  readonly model: PlotModel;
  readonly writing: PlotWriting;
  readonly words: PlotWords;
  readonly cursor: PlotCursor;
  readonly opening?: PlotOpening | undefined;
  /** Told the canvas when it is drawn, for pictures of it. */
  readonly onCanvas: (canvas: HTMLCanvasElement | null) => void;
}

/** The plot with its crosshair and tooltip, moved by the mouse or by the arrow keys; Enter or a press opens a bucket. */
export function PlotCanvas(props: PlotCanvasProps): ReactNode {
  const { label, model, writing, words, cursor, opening, onCanvas } = props;
  const plot = useRef<UPlot | null>(null);
  const followed = useRef<(() => void) | null>(null);
  const touched = useRef<number | null>(null);
  const owner = useId();
  const now = useCursorPlace(cursor);
  const { place } = now;
  const pointed = now.owner === owner;
  const [hit, setHit] = useState<number | null>(null);
  const last = model.at.length - 1;
  // The buckets may have become fewer under the crosshair.
  const current = Math.min(place ?? last, last);
  // A different shape needs a new plot.
  const shape = `${model.kind} ${isDense(model) ? "d" : ""} ${model.before === undefined ? "" : "b"} ${model.series.map(({ hue, rest }) => (rest === true ? "r" : hue)).join(" ")}`;
  const alone = model.series.length === 1 ? 0 : null;
  const named = (index: number | null): string | null => {
    const series = index === null ? undefined : model.series[index];
    return series === undefined || series.rest === true ? null : series.id;
  };

  useEffect(() => () => cursor.leave(owner), [cursor, owner]);
  // Another plot has moved the crosshair that they share.
  useEffect(() => {
    const one = plot.current;
    if (one !== null && (one.cursor.idx ?? null) !== place) one.setCursor(whereIs(one, place), false);
  }, [place]);

  const onPlace = (next: number | null): void => {
    const one = plot.current;
    const { top = -1 } = one?.cursor ?? {};
    // Keyboard navigation places it above all bars.
    setHit(one === null || next === null || top <= 1 ? null : getSeries(model, next, one.posToVal(top, "y")));
    cursor.move(next, owner);
    followed.current?.();
  };
  const moveTo = (next: number | null): void => {
    const one = plot.current;
    one?.setCursor(whereIs(one, next));
  };
  const open = (at: number | null, series: number | null): void => {
    if (opening !== undefined && at !== null && at <= last && hasFigures(model, at)) opening.open(at, named(series));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const next = moveCrosshair(event.key, place, model.at.length);
    if (event.key === "Enter") open(current, alone);
    else if (next !== null) moveTo(next);
    else if (event.key === "Escape" && place !== null) moveTo(null);
    else return;
    event.preventDefault();
  };
  const onClick = ({ nativeEvent, target }: MouseEvent): void => {
    const one = plot.current;
    if (one === null || !one.over.contains(target as Node)) return;
    // A first touch selects, a second one opens.
    const byTouch = nativeEvent instanceof PointerEvent && nativeEvent.pointerType === "touch";
    if (byTouch && touched.current !== place) return;
    open(place, hit ?? alone);
  };
  const anchorOf = (): TipAnchor | null => {
    const one = plot.current;
    if (one === null) return null;
    const box = one.over.getBoundingClientRect();
    return { x: box.left + (one.cursor.left ?? 0), y: box.top + Math.max(box.height / 4, one.cursor.top ?? 0) };
  };

  const opens = opening !== undefined && hasFigures(model, current);
  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-orientation="horizontal"
      aria-valuemin={1}
      aria-valuemax={last + 1}
      aria-valuenow={current + 1}
      aria-valuetext={formatBucketInWords(model, writing, words, current)}
      onKeyDown={onKeyDown}
      onPointerDown={() => (touched.current = place)}
      onClick={onClick}
      onBlur={() => pointed && moveTo(null)}
      className={`rounded-sm ${opens && pointed ? "cursor-pointer" : ""}`}
    >
      <PlotSurface
        key={shape}
        model={model}
        writing={writing}
        onPlace={onPlace}
        onPlot={(one) => {
          plot.current = one;
          onCanvas(one?.ctx.canvas ?? null);
        }}
      />
      {pointed && place !== null && place <= last && (
        <PlotTip
          {...{ model, writing, words, place, hit, anchorOf }}
          hint={opens ? opening.label(named(hit ?? alone)) : null}
          follow={(one) => (followed.current = one)}
        />
      )}
    </div>
  );
}

/** Returns the crosshair's position for a bucket; null: out of sight. */
const whereIs = (plot: UPlot, place: number | null): { left: number; top: number } =>
  place === null ? { left: -10, top: -10 } : { left: plot.valToPos(place, "x"), top: 1 };
