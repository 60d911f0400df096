import type { ReactNode } from "react";
import type { PlotModel, PlotWords, PlotWriting } from "./plot-model.ts";
import { figuresAt, headsOf } from "./plot-model.ts";
import { colourOf, usePaint } from "./plot-paint.ts";

export interface PlotReadoutProps {
  readonly model: PlotModel;
  readonly writing: PlotWriting;
  readonly words: PlotWords;
  readonly place: number | null;
  /** What the figures are of while there is no crosshair, as "30 days". */
  readonly period: string;
  /** Figures of the whole period, in the order of the series; of bars also their total. */
  readonly whole: readonly (number | null)[];
}

/** The legend, with the figures under the crosshair or, without one, of the whole period. */
export function PlotReadout({ model, writing, words, place, period, whole }: PlotReadoutProps): ReactNode {
  const paint = usePaint();
  const figures = place === null || place >= model.at.length ? whole : figuresAt(model, place);
  const when = place === null ? undefined : model.at[place];
  return (
    <div className="flex min-h-9 flex-wrap content-start items-baseline gap-x-4 gap-y-0.5 px-3.5 text-meta">
      <span className="numeric w-full text-muted">{when === undefined ? period : writing.when(when)}</span>
      {headsOf(model, words).map((head, index) => {
        const series = model.series[index];
        const figure = figures[index] ?? null;
        return (
          <span key={series?.id ?? "total"} className="inline-flex max-w-full min-w-0 items-baseline gap-1.5">
            {series !== undefined && (
              <Swatch colour={colourOf(paint, index, series.rest)} dashed={model.kind === "lines" && index > 0} />
            )}
            <span className={`truncate ${series === undefined ? "font-medium" : "text-muted"}`} title={head}>
              {head}
            </span>
            <span className="numeric min-w-12 shrink-0">{figure === null ? words.none : writing.value(figure)}</span>
          </span>
        );
      })}
    </div>
  );
}

function Swatch({ colour, dashed }: { readonly colour: string; readonly dashed: boolean }): ReactNode {
  return (
    <svg
      aria-hidden
      width={dashed ? 14 : 9}
      height={9}
      viewBox={dashed ? "0 0 14 9" : "0 0 9 9"}
      className="shrink-0 self-center forced-color-adjust-none"
    >
      {dashed ? (
        <path d="M0 4.5h5M9 4.5h5" stroke={colour} strokeWidth="2" />
      ) : (
        <rect width="9" height="9" rx="2" fill={colour} />
      )}
    </svg>
  );
}
