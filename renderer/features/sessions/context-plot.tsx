import { useMemo, type ReactNode } from "react";
import type { ContextParts } from "../../../gateway/contract/context-parts.ts";
import type { PlotModel, PlotWriting } from "../../components/plot/plot-model.ts";
import { Plot } from "../../components/plot/plot.tsx";
import { formatCompact, formatCount, formatMoment } from "../../lib/format.ts";
import { useSpeech } from "../../lib/i18n.tsx";
import type { Messages } from "../../locales/messages.ts";
import type { NumberedTurn } from "./session-words.ts";

export const contextParts = [
  "system",
  "tools",
  "results",
  "messages",
] as const satisfies readonly (keyof ContextParts)[];

/** Builds the context plot: one bar per request that reports its parts, placed by the request's number. */
export function contextModel(turns: readonly NumberedTurn[], t: Messages): PlotModel {
  const measured = turns.filter(({ receipt }) => receipt.context !== undefined);
  return {
    kind: "bars",
    at: measured.map(({ number }) => number),
    series: contextParts.map((part) => ({
      id: part,
      label: t.sessions.context.parts[part],
      values: measured.map(({ receipt }) => receipt.context?.[part] ?? 0),
    })),
  };
}

/** Plot of the context of each request by its parts, in tokens. */
export function ContextPlot({ turns }: { readonly turns: readonly NumberedTurn[] }): ReactNode {
  const { t, language } = useSpeech();
  const words = t.sessions.context;
  const model = useMemo(() => contextModel(turns, t), [turns, t]);
  const writing = useMemo((): PlotWriting => {
    const moments = new Map(turns.map(({ number, receipt }) => [number, receipt.at]));
    return {
      tick: String,
      scale: (value) => (Number.isInteger(value) ? formatCompact(value) : ""),
      when: (number) => words.when(String(number), formatMoment(moments.get(number) ?? 0, language)),
      value: formatCount,
      plainWhen: String,
      plainValue: String,
      plainHead: (label) => label,
    };
  }, [turns, words, language]);
  // The newest bar shows the current context size.
  const last = model.at.length - 1;
  const figures = model.series.map(({ values }) => values[last] ?? null);
  const total = figures.reduce<number>((sum, value) => sum + (value ?? 0), 0);
  return (
    <Plot
      title={words.title}
      model={model}
      writing={writing}
      period={words.note}
      whole={[...figures, total]}
      empty={words.empty}
    />
  );
}
