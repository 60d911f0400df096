/* oxlint-disable jsx-a11y/prefer-tag-over-role -- See data-table.tsx. */
import { ArrowDown, ArrowUp } from "lucide-react";
import type { ReactNode } from "react";
import type { Column } from "./column.ts";

/** How rows are sorted, by the gateway, and how that is changed. */
export interface Sorting {
  /** Id of a column with `sortable`. */
  readonly by: string;
  readonly order: "asc" | "desc";
  readonly onSort: (column: string) => void;
}

export interface TableHeaderProps<Row> {
  readonly columns: readonly Column<Row>[];
  readonly template: string;
  readonly sorting: Sorting | undefined;
  readonly dense: boolean;
}

export function TableHeader<Row>({ columns, template, sorting, dense }: TableHeaderProps<Row>): ReactNode {
  return (
    <div role="rowgroup" className="sticky top-0 z-10">
      <div
        role="row"
        aria-rowindex={1}
        className={`grid h-8 items-center border-b border-line bg-surface px-3 text-meta text-faint ${dense ? "gap-x-2" : "gap-x-3"}`}
        style={{ gridTemplateColumns: template }}
      >
        {columns.map((column) => (
          <div
            key={column.id}
            role="columnheader"
            aria-sort={sorting?.by === column.id ? (sorting.order === "asc" ? "ascending" : "descending") : undefined}
            className={`truncate ${column.end === true ? "text-right" : ""}`}
          >
            {column.bare === true ? (
              <span className="sr-only">{column.label}</span>
            ) : column.sortable === true && sorting !== undefined ? (
              <SortButton column={column} sorting={sorting} />
            ) : (
              column.label
            )}
          </div>
        ))}
      </div>
    </div>
  );
}

function SortButton<Row>({ column, sorting }: { readonly column: Column<Row>; readonly sorting: Sorting }): ReactNode {
  const sorted = sorting.by === column.id;
  const Arrow = sorting.order === "asc" ? ArrowUp : ArrowDown;
  return (
    <button
      type="button"
      onClick={() => sorting.onSort(column.id)}
      className={`inline-flex h-6 max-w-full items-center gap-1 rounded-sm -outline-offset-2 hover:text-text ${sorted ? "font-medium text-text" : ""}`}
    >
      <span className="truncate">{column.label}</span>
      {sorted && <Arrow size={12} aria-hidden className="shrink-0" />}
    </button>
  );
}
