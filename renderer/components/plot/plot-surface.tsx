import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from "react";
import type UPlot from "uplot";
import { useWidth } from "../table/column.ts";
import { makePlot, getPlotData, type Shown } from "./make-plot.ts";
import type { PlotModel, PlotWriting } from "./plot-model.ts";
import { usePaint } from "./plot-paint.ts";
import "./plot.css";

const HEIGHT = 200;

export interface PlotSurfaceProps {
  /** Model of a constant shape for the component's lifetime: the same kind, and as many series. */
  readonly model: PlotModel;
  readonly writing: PlotWriting;
  readonly onPlace: (place: number | null) => void;
  /** Called with the plot on mount, and with null on unmount. */
  readonly onPlot: (plot: UPlot | null) => void;
}

/** Container of a plot. New data updates the existing plot; a new theme redraws it. */
export function PlotSurface({ model, writing, onPlace, onPlot }: PlotSurfaceProps): ReactNode {
  const [box, setBox] = useState<HTMLDivElement | null>(null);
  const width = useWidth(box);
  const paint = usePaint();
  const plot = useRef<UPlot | null>(null);
  const shown = useRef<Shown>({ model, writing });
  const placed = useEffectEvent(onPlace);
  const made = useEffectEvent(onPlot);
  const ready = width > 0;

  useEffect(() => {
    if (box === null || !ready) return;
    const setup = { paint, width: box.clientWidth, height: HEIGHT, shown: () => shown.current };
    const one = makePlot(box, { ...setup, onPlace: (place) => placed(place) });
    plot.current = one;
    made(one);
    return () => {
      one.destroy();
      plot.current = null;
      made(null);
    };
  }, [box, ready, paint]);

  useEffect(() => {
    const isWritten = shown.current.writing !== writing;
    shown.current = { model, writing };
    plot.current?.setData(getPlotData(model));
    // Axes of the same range keep their labels, in the language of before.
    if (isWritten) plot.current?.redraw(false, true);
  }, [model, writing]);

  useEffect(() => {
    if (width > 0) plot.current?.setSize({ width, height: HEIGHT });
  }, [width]);

  return <div ref={setBox} className="plot h-50 w-full overflow-hidden" />;
}
