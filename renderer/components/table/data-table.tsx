/* oxlint-disable jsx-a11y/prefer-tag-over-role -- A windowed grid: table elements cannot have rows left out, and lose their roles when they are laid out as a grid. */
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import type { KeyboardEvent, ReactNode } from "react";
import { useHiddenColumns, useShownColumns, useWidth } from "./column.ts";
import type { AcrossCells, Column } from "./column.ts";
import { getPlaces } from "../../lib/row-list.ts";
import type { RowList } from "../../lib/row-list.ts";
import { useFreshRows } from "./fresh-rows.ts";
import { findNeighbor } from "./row-controls.ts";
import { TableHeader } from "./table-header.tsx";
import type { Sorting } from "./table-header.tsx";
import { TableRow, WaitingRow } from "./table-row.tsx";
import { countRowsAbove, useWindow, type GridSize } from "./use-window.ts";

export interface DataTableProps<Row> {
  /** Id under which the table's hidden columns are stored. */
  readonly id: string;
  readonly label: string;
  /** Keep it stable between renders: rows are drawn again when it changes. */
  readonly columns: readonly Column<Row>[];
  /** All rows, or a list that fetches visible ones. */
  readonly rows: RowList<Row>;
  readonly rowKey: (row: Row) => string;
  readonly onOpen: (row: Row) => void;
  /** Rows that arrive after the first ones, and are not too many at a time, are marked for a moment. */
  readonly live?: boolean;
  readonly sorting?: Sorting;
  /**
   * Key of the row shown in the detail panel: it is highlighted, kept visible, and keyboard moves open the next one.
   */
  readonly shown?: string | null;
  /** Keep it stable, like the columns. */
  readonly across?: AcrossCells<Row>;
  /** Whether columns have less spacing: for tables with many columns. */
  readonly dense?: boolean;
}

const ROWS: GridSize = { columns: 1, pitch: 32, header: 32, step: 16, wholeBelow: 100 };

/** The row in the tab order: tracked by key, and by index while it is not loaded. */
interface Active {
  readonly index: number;
  readonly key: string | undefined;
}

/**
 * Rows of 32 px under a sticky header. A row is rendered again only when its own data changes; only visible rows are
 * mounted and loaded. Keyboard: Tab stops at one row and its controls; j and k or the arrows move between and within
 * rows, Enter opens, Space opens the row's menu.
 */
export function DataTable<Row>({
  id,
  label,
  columns,
  rows,
  rowKey,
  onOpen,
  live = false,
  sorting,
  shown: opened = null,
  across,
  dense = false,
}: DataTableProps<Row>): ReactNode {
  const [grid, setGrid] = useState<HTMLDivElement | null>(null);
  const { hidden } = useHiddenColumns(id);
  const { shown, template } = useShownColumns(columns, hidden, useWidth(grid));
  const { first, last, before, after, whole, inSight, show } = useWindow(grid, rows.length, ROWS);
  const [current, setCurrent] = useState<Active>(() => ({ index: 0, key: getKey(rows, 0, rowKey) }));
  const fresh = useFreshRows(rows, rowKey, live);
  const moving = useRef(false);
  /** Enter was pressed before the row was loaded: it opens on arrival. */
  const opening = useRef(false);
  const focused = useRef(false);
  useSteadyRows(grid, rows, rowKey, live || !whole);

  // Keyboard focus continues from the shown row, once it is loaded. From then on both move together.
  const [reachedFor, setReachedFor] = useState<string | null>(null);
  if (opened !== reachedFor) {
    const index = opened === null ? -1 : rows.findIndex((row) => rowKey(row) === opened);
    if (opened === null) setReachedFor(null);
    else if (index !== -1) {
      setReachedFor(opened);
      if (current.key !== opened) setCurrent({ index, key: opened });
    }
  }

  const followed = current.key === undefined ? -1 : rows.findIndex((row) => rowKey(row) === current.key);
  const active = followed === -1 ? Math.min(current.index, rows.length - 1) : followed;

  // Column visibility depends on the element's width, so rows are rendered only after it is known.
  const places = grid === null ? [] : getPlaces(rows, first, last, rowKey);
  const drawn = active >= first && active < last;
  const reached = drawn ? active : inSight;

  useEffect(() => rows.want?.(first, last));
  // A new row on top moves all others. Their places are written without React, which would render every row for that.
  useLayoutEffect(() => {
    if (whole) return;
    const elements = grid?.querySelectorAll("[role=rowgroup]:last-child > [role=row]") ?? [];
    for (const [place, element] of [...elements].entries()) {
      const index = String(first + place + 2);
      if (element.getAttribute("aria-rowindex") !== index) element.setAttribute("aria-rowindex", index);
    }
  });

  useLayoutEffect(() => {
    if (!moving.current || !drawn) return;
    const row = grid?.querySelector<HTMLElement>("[data-active]");
    if (row === null || row === undefined) return;
    moving.current = false;
    // A row may come after a while: the focus is not taken from what got it meanwhile.
    const elsewhere = document.activeElement !== document.body && grid?.contains(document.activeElement) === false;
    if (elsewhere) return;
    row.focus({ preventScroll: true });
    row.scrollIntoView({ block: "nearest" });
  });

  // Scrolls the shown row into view, also if it was selected elsewhere.
  const inView = useRef<string | null>(null);
  useLayoutEffect(() => {
    if (grid === null || inView.current === reachedFor) return;
    if (reachedFor !== null && !drawn) return show(active);
    inView.current = reachedFor;
    if (reachedFor !== null) grid.querySelector("[data-active]")?.scrollIntoView({ block: "nearest" });
  });

  useLayoutEffect(() => {
    // A removed row takes the focus with it, and keys would be lost. No event reports that.
    if (!focused.current || document.activeElement !== document.body) return;
    if (moving.current) grid?.focus({ preventScroll: true });
    else if (followed === -1) grid?.querySelector<HTMLElement>("[data-active]")?.focus({ preventScroll: true });
  });

  useLayoutEffect(() => {
    const row = opening.current && drawn ? rows.at(active) : undefined;
    if (row === undefined) return;
    opening.current = false;
    onOpen(row);
  });

  const moveTo = (target: number): void => {
    const index = Math.min(rows.length - 1, Math.max(0, target));
    if (index < 0) return;
    moving.current = true;
    opening.current = false;
    setCurrent({ index, key: getKey(rows, index, rowKey) });
    show(index);
    // It is opened when it is drawn: it may have to be fetched first.
    if (opened !== null && index !== active) opening.current = true;
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { target } = event;
    // Keys of a menu or dialog that a row has opened come by as well: they are its own.
    if (!(target instanceof HTMLElement) || grid?.contains(target) !== true) return;
    const within = target.closest<HTMLElement>("[data-row]");
    // On its way to a row that is not drawn yet, the focus is with the table.
    const onWay = target === grid && moving.current;
    const onRow = target === within || onWay;
    const from = within === null && !onWay ? null : active;
    const row = rows.at(active);
    if (event.key === "j" || event.key === "ArrowDown") moveTo(from === null ? active : from + 1);
    else if (event.key === "k" || event.key === "ArrowUp") moveTo(from === null ? active : from - 1);
    else if (event.key === "Home") moveTo(0);
    else if (event.key === "End") moveTo(rows.length - 1);
    else if (event.key === "Enter" && onRow && row === undefined) opening.current = true;
    else if (event.key === "Enter" && onWay && row !== undefined) onOpen(row);
    else if (within === null || row === undefined) return;
    else if (event.key === "ArrowRight") findNeighbor(within, target, 1)?.focus();
    else if (event.key === "ArrowLeft") findNeighbor(within, target, -1)?.focus();
    else if (!onRow) return;
    else if (event.key === "Enter") onOpen(row);
    else if (event.key === " ") {
      const menu = within.querySelector<HTMLElement>("[aria-haspopup=menu]");
      if (menu === null) onOpen(row);
      else menu.click();
    } else return;
    event.preventDefault();
  };

  return (
    <div
      ref={setGrid}
      role="grid"
      tabIndex={-1}
      aria-label={label}
      aria-rowcount={rows.length + 1}
      aria-colcount={columns.length}
      onKeyDown={onKeyDown}
      onFocus={() => (focused.current = true)}
      onBlur={() => (focused.current = false)}
      className="relative outline-none [overflow-anchor:none]"
    >
      <TableHeader columns={shown} template={template} sorting={sorting} dense={dense} />
      <div role="rowgroup" style={{ paddingTop: before, paddingBottom: after }}>
        {places.map(({ index, key, row }) =>
          row === undefined ? (
            <WaitingRow key={key} index={index} />
          ) : (
            <TableRow
              key={key}
              name={key}
              row={row}
              columns={shown}
              across={across}
              template={template}
              dense={dense}
              active={index === reached}
              index={whole ? undefined : index}
              fresh={fresh.has(key)}
              shown={opened === null ? undefined : key === opened}
              onOpen={onOpen}
              onFocus={() => setCurrent({ index, key })}
            />
          ),
        )}
      </div>
    </div>
  );
}

function getKey<Row>(rows: RowList<Row>, index: number, rowKey: (row: Row) => string): string | undefined {
  const row = index < rows.length ? rows.at(index) : undefined;
  return row === undefined ? undefined : rowKey(row);
}

/**
 * Keeps the scroll position relative to the first visible row while rows are added or removed above it. At the top
 * nothing is held, so that new rows are visible.
 */
function useSteadyRows<Row>(
  table: HTMLElement | null,
  rows: RowList<Row>,
  rowKey: (row: Row) => string,
  steady: boolean,
): void {
  const shown = useRef(rows);
  useLayoutEffect(() => {
    const before = shown.current;
    shown.current = rows;
    if (!steady || before === rows) return;
    const above = countRowsAbove(table, ROWS);
    if (above === 0) return;
    const index = Math.ceil(above);
    const row = before.at(index);
    if (row === undefined) return;
    const key = rowKey(row);
    const now = rows.findIndex((each) => rowKey(each) === key);
    if (now === -1 || now === index) return;
    table?.closest("main")?.scrollBy({ top: (now - index) * ROWS.pitch, behavior: "instant" });
  });
}
