/* oxlint-disable jsx-a11y/prefer-tag-over-role -- A range input could not hold the canvas; the role is what it is: a place among buckets, with its figures as its value. */
import { useRef, type KeyboardEvent, type ReactNode } from "react";
import type UPlot from "uplot";
import { bucketInWords, movedBy, type PlotModel, type PlotWords, type PlotWriting } from "./plot-model.ts";
import { PlotSurface } from "./plot-surface.tsx";

export interface PlotCanvasProps {
  readonly label: string;
  readonly model: PlotModel;
  readonly writing: PlotWriting;
  readonly words: PlotWords;
  /** The bucket under the crosshair; null: none. */
  readonly place: number | null;
  readonly onPlace: (place: number | null) => void;
  /** Told the canvas when it is drawn, for pictures of it. */
  readonly onCanvas: (canvas: HTMLCanvasElement | null) => void;
}

/** The plot with its crosshair, moved by the mouse or by the arrow keys. */
export function PlotCanvas(props: PlotCanvasProps): ReactNode {
  const { label, model, writing, words, place, onPlace, onCanvas } = props;
  const plot = useRef<UPlot | null>(null);
  const last = model.at.length - 1;
  // The buckets may have become fewer under the crosshair.
  const current = Math.min(place ?? last, last);
  const shape = `${model.kind} ${model.series.map(({ rest }) => (rest === true ? "r" : "s")).join("")}`;

  const moveTo = (next: number | null): void => {
    const one = plot.current;
    one?.setCursor(next === null ? { left: -10, top: -10 } : { left: one.valToPos(next, "x"), top: 1 });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const next = movedBy(event.key, place, model.at.length);
    const off = event.key === "Escape" && place !== null;
    if (next === null && !off) return;
    moveTo(next);
    event.preventDefault();
  };

  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-orientation="horizontal"
      aria-valuemin={1}
      aria-valuemax={last + 1}
      aria-valuenow={current + 1}
      aria-valuetext={bucketInWords(model, writing, words, current)}
      onKeyDown={onKeyDown}
      onBlur={() => moveTo(null)}
      className="rounded-sm"
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
    </div>
  );
}
