/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/click-events-have-key-events -- See data-table.tsx, which also handles the keys of all rows. */
import { memo, useLayoutEffect, useRef, type ReactNode } from "react";
import { useMessages } from "../../lib/i18n.tsx";
import type { AcrossCells, Column } from "./column.ts";
import { letTabReach } from "./row-controls.ts";

export interface TableRowProps<Row> {
  readonly row: Row;
  readonly name: string;
  readonly columns: readonly Column<Row>[];
  readonly across: AcrossCells<Row> | undefined;
  readonly template: string;
  readonly dense: boolean;
  /** Whether this is the one row in the tab order. */
  readonly active: boolean;
  /** Index among all rows at render time, if only a part is rendered; the table keeps it current. */
  readonly index: number | undefined;
  readonly fresh: boolean;
  /** Whether it is shown next to the table; undefined while no row is. */
  readonly shown: boolean | undefined;
  readonly onOpen: (row: Row) => void;
  readonly onFocus: () => void;
}

function Row<Item>(props: TableRowProps<Item>): ReactNode {
  const { row, name, columns, across, template, dense, active, index, fresh, shown, onOpen, onFocus } = props;
  const element = useRef<HTMLDivElement>(null);
  // Set without React, which renders the controls inside cells and does not overwrite these attributes.
  useLayoutEffect(() => {
    if (element.current !== null) letTabReach(element.current, active);
  });
  return (
    <div
      ref={element}
      role="row"
      data-row
      data-key={name}
      data-active={active || undefined}
      aria-rowindex={index === undefined ? undefined : index + 2}
      aria-selected={shown}
      tabIndex={active ? 0 : -1}
      onFocus={onFocus}
      onClick={(event) => {
        // A press on a control inside the row, or in a menu that belongs to it, is that control's own.
        if (event.target instanceof Element && event.target.closest("button, a, [role=menu], [role=dialog]") !== null)
          return;
        onOpen(row);
      }}
      className={`grid h-8 scroll-mt-8 items-center border-b border-line/60 px-3 last:border-transparent hover:bg-hover focus-visible:-outline-offset-2 ${dense ? "gap-x-2" : "gap-x-3"} ${fresh ? "fresh" : ""} ${shown === true ? "bg-accent-soft shadow-[inset_2px_0_0_var(--accent)] hover:bg-accent-soft forced-colors:outline" : ""}`}
      style={{ gridTemplateColumns: template }}
    >
      {getCells(columns, across?.cell(row) == null ? undefined : across).map(({ column, span }) =>
        span === 0 ? (
          <div
            key={column.id}
            role="gridcell"
            className={`${column.bare === true ? "" : "truncate"} ${column.end === true ? "numeric text-right" : ""}`}
          >
            {column.cell(row)}
          </div>
        ) : (
          <div
            key={column.id}
            role="gridcell"
            aria-colspan={span}
            className="truncate"
            style={{ gridColumn: `span ${span}` }}
          >
            {across?.cell(row)}
          </div>
        ),
      )}
    </div>
  );
}

interface Cell<Row> {
  readonly column: Column<Row>;
  /** Number of columns that the cell spans; 0 for the cell of its own column. */
  readonly span: number;
}

function getCells<Row>(columns: readonly Column<Row>[], across: AcrossCells<Row> | undefined): readonly Cell<Row>[] {
  if (across === undefined) return columns.map((column) => ({ column, span: 0 }));
  const spanned = columns.filter(({ id }) => across.columns.has(id));
  return columns.flatMap((column) => {
    if (!across.columns.has(column.id)) return [{ column, span: 0 }];
    return column === spanned[0] ? [{ column, span: spanned.length }] : [];
  });
}

/**
 * Memoized, so that a tick does not render every row: `onFocus` changes with each render, and a new row on top changes
 * each `index`.
 */
export const TableRow = memo(
  Row,
  (before, after) =>
    before.row === after.row &&
    before.columns === after.columns &&
    before.across === after.across &&
    before.active === after.active &&
    (before.index === undefined) === (after.index === undefined) &&
    before.fresh === after.fresh &&
    before.shown === after.shown &&
    before.onOpen === after.onOpen,
) as typeof Row;

/** Stands in for a row that is still loading, visible only after 150 ms. */
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
