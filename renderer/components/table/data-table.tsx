/* oxlint-disable jsx-a11y/prefer-tag-over-role -- A windowed grid: table elements cannot have rows left out, and lose their roles when they are laid out as a grid. */
import { useLayoutEffect, useRef, useState, type KeyboardEvent, type ReactNode } from "react";
import { useHiddenColumns, useShownColumns, useWidth, type Column } from "./column.ts";
import { TableRow } from "./table-row.tsx";
import { useWindow } from "./use-window.ts";

export interface DataTableProps<Row> {
  /** Names the table where its hidden columns are remembered. */
  readonly id: string;
  readonly label: string;
  /** Keep it stable between renders: rows are drawn again when it changes. */
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  readonly onOpen: (row: Row) => void;
  /** Rows that arrive after the first ones are marked for a moment. */
  readonly live?: boolean;
}

/**
 * Rows of 32 px under a sticky header. A row is drawn again only when its own data changes; of many rows only those
 * in sight exist. Keyboard: j and k or the arrows move, Enter opens, Space opens the row's menu.
 */
export function DataTable<Row>({
  id,
  label,
  columns,
  rows,
  rowKey,
  onOpen,
  live = false,
}: DataTableProps<Row>): ReactNode {
  const [grid, setGrid] = useState<HTMLDivElement | null>(null);
  const { hidden } = useHiddenColumns(id);
  const { shown, template } = useShownColumns(columns, hidden, useWidth(grid));
  const { first, last, before, after, whole, show } = useWindow(grid, rows.length);
  const [activeKey, setActiveKey] = useState(() => (rows[0] === undefined ? undefined : rowKey(rows[0])));
  const [known] = useState(() => new Set(rows.map(rowKey)));
  const moving = useRef(false);

  const active = Math.max(
    0,
    rows.findIndex((row) => rowKey(row) === activeKey),
  );

  useLayoutEffect(() => {
    if (!moving.current) return;
    const row = grid?.querySelector<HTMLElement>("[data-active]");
    if (row === null || row === undefined) return;
    moving.current = false;
    row.focus();
    row.scrollIntoView({ block: "nearest" });
  });

  const moveTo = (index: number): void => {
    const row = rows[Math.min(rows.length - 1, Math.max(0, index))];
    if (row === undefined) return;
    moving.current = true;
    setActiveKey(rowKey(row));
    show(index);
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const focused = event.target instanceof HTMLElement && event.target.matches("[data-row]") ? event.target : null;
    const onRow = focused !== null;
    const row = rows[active];
    if (event.key === "j" || event.key === "ArrowDown") moveTo(onRow ? active + 1 : active);
    else if (event.key === "k" || event.key === "ArrowUp") moveTo(onRow ? active - 1 : active);
    else if (event.key === "Home") moveTo(0);
    else if (event.key === "End") moveTo(rows.length - 1);
    else if (focused === null || row === undefined) return;
    else if (event.key === "Enter") onOpen(row);
    else if (event.key === " ") {
      const menu = focused.querySelector<HTMLElement>("[aria-haspopup=menu]");
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
      className="relative outline-none"
    >
      <div role="rowgroup" className="sticky top-0 z-10">
        <div
          role="row"
          aria-rowindex={1}
          className="grid h-8 items-center gap-x-3 border-b border-line bg-surface px-3 text-meta text-faint"
          style={{ gridTemplateColumns: template }}
        >
          {shown.map((column) => (
            <div key={column.id} role="columnheader" className={`truncate ${column.end === true ? "text-right" : ""}`}>
              {column.bare === true ? <span className="sr-only">{column.label}</span> : column.label}
            </div>
          ))}
        </div>
      </div>
      <div role="rowgroup" style={{ paddingTop: before, paddingBottom: after }}>
        {rows.slice(first, last).map((row, offset) => {
          const key = rowKey(row);
          return (
            <TableRow
              key={key}
              row={row}
              columns={shown}
              template={template}
              active={first + offset === active}
              index={whole ? undefined : first + offset}
              fresh={live && !known.has(key)}
              onOpen={onOpen}
              onFocus={() => setActiveKey(key)}
            />
          );
        })}
      </div>
    </div>
  );
}
