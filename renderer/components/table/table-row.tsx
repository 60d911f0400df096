/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/click-events-have-key-events -- See data-table.tsx, which also handles the keys of all rows. */
import { memo, useLayoutEffect, useRef, type ReactNode } from "react";
import { useMessages } from "../../lib/i18n.tsx";
import type { Column } from "./column.ts";
import { letTabReach } from "./row-controls.ts";

export interface TableRowProps<Row> {
  readonly row: Row;
  readonly columns: readonly Column<Row>[];
  readonly template: string;
  /** The one row that Tab reaches, with its controls. */
  readonly active: boolean;
  /** Its place among all rows when it was drawn, where only a part of them is; the table keeps it right. */
  readonly index: number | undefined;
  readonly fresh: boolean;
  readonly onOpen: (row: Row) => void;
  readonly onFocus: () => void;
}

function Row<Item>({ row, columns, template, active, index, fresh, onOpen, onFocus }: TableRowProps<Item>): ReactNode {
  const element = useRef<HTMLDivElement>(null);
  // Beside React, which knows the controls only as parts of cells; it writes none of them again for that.
  useLayoutEffect(() => {
    if (element.current !== null) letTabReach(element.current, active);
  });
  return (
    <div
      ref={element}
      role="row"
      data-row
      data-active={active || undefined}
      aria-rowindex={index === undefined ? undefined : index + 2}
      tabIndex={active ? 0 : -1}
      onFocus={onFocus}
      onClick={(event) => {
        // A press on a control inside the row, or in a menu that belongs to it, is that control's own.
        if (event.target instanceof Element && event.target.closest("button, a, [role=menu], [role=dialog]") !== null)
          return;
        onOpen(row);
      }}
      className={`grid h-8 items-center gap-x-3 border-b border-line/60 px-3 last:border-transparent hover:bg-hover focus-visible:-outline-offset-2 ${fresh ? "fresh" : ""}`}
      style={{ gridTemplateColumns: template }}
    >
      {columns.map((column) => (
        <div
          key={column.id}
          role="gridcell"
          className={`${column.bare === true ? "" : "truncate"} ${column.end === true ? "numeric text-right" : ""}`}
        >
          {column.cell(row)}
        </div>
      ))}
    </div>
  );
}

/** A tick must not draw every row again: `onFocus` is new at each render, and a new row on top moves each `index`. */
export const TableRow = memo(
  Row,
  (before, after) =>
    before.row === after.row &&
    before.columns === after.columns &&
    before.active === after.active &&
    (before.index === undefined) === (after.index === undefined) &&
    before.fresh === after.fresh &&
    before.onOpen === after.onOpen,
) as typeof Row;

/** Stands for a row that is still being fetched. It shows itself only when that takes longer than 150 ms. */
export function WaitingRow({ index }: { readonly index: number }): ReactNode {
  const t = useMessages();
  return (
    <div role="row" aria-rowindex={index + 2} aria-busy="true" className="flex h-8 items-center gap-6 px-3">
      <div role="gridcell" className="flex grow items-center gap-6">
        <span className="sr-only">{t.app.loading}</span>
        <span className="skeleton h-2.5 w-20" />
        <span className="skeleton h-2.5 grow" />
        <span className="skeleton h-2.5 w-16" />
      </div>
    </div>
  );
}
