import type { ReactNode } from "react";
import { useMessages } from "../../lib/i18n.tsx";
import { useRoving } from "../../lib/roving.ts";
import type { PlotModel, PlotWords, PlotWriting } from "./plot-model.ts";
import { formatBucketInShort, handlePress } from "./plot-model.ts";
import { getColour, usePaint } from "./plot-paint.ts";
import { BeforeSwatch, Swatch } from "./plot-swatch.tsx";

export interface PlotLegendProps {
  /** All series, shown or not. */
  readonly model: PlotModel;
  /** The visible part of the model. */
  readonly drawn: PlotModel;
  readonly writing: PlotWriting;
  readonly words: PlotWords;
  /** Bucket under the crosshair; null: none. */
  readonly place: number | null;
  /** Period of the figures, such as "30 days". */
  readonly period: string;
  /** Figures of the whole period, in the order of the series; of bars also their total. */
  readonly whole: readonly (number | null)[];
  /** The ids of the series that are drawn; null: all. */
  readonly shown: ReadonlySet<string> | null;
  readonly onShown: (shown: ReadonlySet<string> | null) => void;
}

/**
 * The series with their totals of the whole period, which stay fixed under the crosshair. A click shows only one of
 * them, a second click all; with Shift or Ctrl it adds or removes one.
 */
export function PlotLegend(props: PlotLegendProps): ReactNode {
  const { model, drawn, writing, words, place, period, whole, shown, onShown } = props;
  const t = useMessages();
  const paint = usePaint();
  const roving = useRoving<HTMLUListElement>();
  const ids = model.series.map(({ id }) => id);
  const say = (value: number | null): string => (value === null ? words.none : writing.value(value));
  const isShown = (id: string): boolean => shown === null || shown.has(id);
  // If series are hidden, the total is that of the others.
  const total =
    shown === null
      ? (whole[model.series.length] ?? null)
      : whole.slice(0, model.series.length).reduce<number>((sum, one, at) => {
          return isShown(ids[at] ?? "") ? sum + (one ?? 0) : sum;
        }, 0);
  return (
    <div className="px-3.5 text-meta">
      <p className="numeric truncate text-muted">
        {place === null || place >= model.at.length ? period : formatBucketInShort(drawn, writing, words, place)}
      </p>
      <ul ref={roving} className="-ml-1.5 flex min-h-6 flex-wrap items-center gap-x-1">
        {model.series.map((series, index) => (
          <li key={series.id} className="max-w-full min-w-0">
            <button
              type="button"
              aria-pressed={isShown(series.id)}
              title={t.plot.isolate(series.label)}
              onClick={(event) =>
                onShown(handlePress(shown, series.id, event.shiftKey || event.ctrlKey || event.metaKey, ids))
              }
              className={`inline-flex h-6 max-w-full items-baseline gap-1.5 rounded-sm px-1.5 leading-6 hover:bg-hover ${isShown(series.id) ? "" : "text-faint line-through"}`}
            >
              <Swatch
                colour={getColour(paint, series, index)}
                dashed={model.kind === "lines" && (series.hue ?? index) > 0}
              />
              <span className={`min-w-0 truncate ${isShown(series.id) ? "text-muted" : ""}`}>{series.label}</span>
              <span className="numeric shrink-0">{say(whole[index] ?? null)}</span>
            </button>
          </li>
        ))}
        {model.kind === "bars" && (
          <li className="inline-flex h-6 items-baseline gap-1.5 px-1.5 leading-6">
            <span className="font-medium">{words.total}</span>
            <span className="numeric">{say(total)}</span>
          </li>
        )}
        {drawn.before !== undefined && (
          <li className="inline-flex h-6 items-baseline gap-1.5 px-1.5 leading-6 text-muted">
            <BeforeSwatch />
            <span>{drawn.before.label}</span>
          </li>
        )}
      </ul>
    </div>
  );
}
