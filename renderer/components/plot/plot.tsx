import { ChartColumn, Download, Table2 } from "lucide-react";
import { useCallback, useMemo, useRef, useState, type ReactNode } from "react";
import { toCsv, toTsv } from "../../lib/csv.ts";
import { download, downloadText, fileName } from "../../lib/download.ts";
import { useMessages } from "../../lib/i18n.tsx";
import { IconButton } from "../ui/button.tsx";
import { useCopy } from "../ui/copy.tsx";
import { Menu, MenuItem } from "../ui/menu.tsx";
import { useNotify } from "../ui/toasts.tsx";
import { PlotCanvas, type PlotOpening } from "./plot-canvas.tsx";
import { useCursorPlace, usePlotCursor, type PlotCursor } from "./plot-cursor.ts";
import { isEmpty, listPlotRows, visible, type PlotModel, type PlotWords, type PlotWriting } from "./plot-model.ts";
import { usePaint } from "./plot-paint.ts";
import { getPlotPicture } from "./plot-picture.ts";
import { PlotLegend, type PlotLegendProps } from "./plot-legend.tsx";
import { PlotTable } from "./plot-table.tsx";

export interface PlotProps {
  readonly title: string;
  readonly model: PlotModel;
  readonly writing: PlotWriting;
  /** Period as text, e.g. "1 to 30 Nov 2026, UTC". */
  readonly period: string;
  /** Figures of the whole period, in the order of the series; of bars also their total. */
  readonly whole: readonly (number | null)[];
  /** Text shown in place of the plot if all values are zero. */
  readonly empty: string;
  /** Action of a press on a bar. */
  readonly opening?: PlotOpening;
  /** Controls of the plot, between its title and its menu. */
  readonly children?: ReactNode;
}

/**
 * A plot over time: a canvas with a crosshair, the same figures as a table, and both as files. All plots of the pages
 * are this one; those within one `SharedCursor` show the same time.
 */
export function Plot({ title, model, writing, period, whole, empty, opening, children }: PlotProps): ReactNode {
  const t = useMessages();
  const [asTable, setAsTable] = useState(false);
  const [shown, setShown] = useState<ReadonlySet<string> | null>(null);
  const canvas = useRef<HTMLCanvasElement | null>(null);
  const keepCanvas = useCallback((one: HTMLCanvasElement | null) => {
    canvas.current = one;
  }, []);
  const cursor = usePlotCursor();
  const words: PlotWords = t.plot;
  const nothing = isEmpty(model);
  // An isolated series may no longer exist.
  const chosen = shown !== null && model.series.some(({ id }) => shown.has(id)) ? shown : null;
  const drawn = useMemo(() => visible(model, chosen), [model, chosen]);
  return (
    <section className="panel min-w-0 pb-2" aria-label={title}>
      <div className="flex min-h-10 flex-wrap items-center gap-x-1 gap-y-1 py-1 pr-1.5 pl-3.5">
        <h2 className="min-w-0 grow basis-20 truncate font-semibold">{title}</h2>
        {/* These move below in a narrow window, so that title and tools share a line. */}
        <div className="max-wide:order-last max-wide:w-full">{children}</div>
        <IconButton
          label={asTable ? t.plot.showPlot(title) : t.plot.showTable(title)}
          disabled={nothing}
          onClick={() => setAsTable(!asTable)}
        >
          {asTable ? <ChartColumn size={15} aria-hidden /> : <Table2 size={15} aria-hidden />}
        </IconButton>
        <PlotMenu
          {...{ title, model, writing, words, period, disabled: nothing }}
          legend={drawn.series}
          canvasOf={() => canvas.current}
        />
      </div>
      {nothing ? (
        <p className="flex h-50 items-center justify-center px-6 text-center text-muted">{empty}</p>
      ) : asTable ? (
        <PlotTable label={t.plot.tableOf(title)} rows={listPlotRows(model, writing, words, false)} />
      ) : (
        <>
          <Legend {...{ cursor, model, drawn, writing, words, period, whole }} shown={chosen} onShown={setShown} />
          <div className="px-2">
            <PlotCanvas label={title} model={drawn} {...{ cursor, writing, words, opening }} onCanvas={keepCanvas} />
          </div>
        </>
      )}
    </section>
  );
}

/** Follows the crosshair separately, so that the rest of the plot is not rendered again. */
function Legend({ cursor, ...props }: Omit<PlotLegendProps, "place"> & { readonly cursor: PlotCursor }): ReactNode {
  return <PlotLegend {...props} place={useCursorPlace(cursor).place} />;
}

interface PlotMenuProps {
  readonly title: string;
  readonly model: PlotModel;
  readonly writing: PlotWriting;
  readonly words: PlotWords;
  readonly period: string;
  readonly disabled: boolean;
  /** The series that are drawn, for pictures. */
  readonly legend: PlotModel["series"];
  /** Null while the table is shown in its place. */
  readonly canvasOf: () => HTMLCanvasElement | null;
}

function PlotMenu({ title, model, writing, words, period, disabled, legend, canvasOf }: PlotMenuProps): ReactNode {
  const t = useMessages();
  const notify = useNotify();
  const { copy } = useCopy();
  const paint = usePaint();
  const plain = (): string[][] => listPlotRows(model, writing, words, true);
  const name = (ending: string): string => fileName(["postern", title, period], ending);
  const copyRows = async (): Promise<void> => {
    const rows = plain();
    if (await copy(toTsv(rows))) notify.confirm(t.table.copiedRows(rows.length - 1));
  };
  const savePicture = async (canvas: HTMLCanvasElement): Promise<void> => {
    try {
      download(name("png"), await getPlotPicture({ canvas, title, period, legend, paint }));
    } catch (error) {
      notify.showError(error);
    }
  };
  return (
    <Menu
      trigger={
        <IconButton label={t.plot.exportOf(title)} disabled={disabled}>
          <Download size={15} aria-hidden />
        </IconButton>
      }
    >
      <MenuItem onSelect={() => void copyRows()}>{t.table.copyTsv}</MenuItem>
      <MenuItem onSelect={() => downloadText(name("csv"), toCsv(plain()))}>{t.plot.csv}</MenuItem>
      <MenuItem
        onSelect={() => {
          const canvas = canvasOf();
          if (canvas === null) notify.confirm(t.plot.pngOfPlot);
          else void savePicture(canvas);
        }}
      >
        {t.plot.png}
      </MenuItem>
    </Menu>
  );
}
