import { useCallback, useMemo, useRef, useSyncExternalStore, type ReactNode } from "react";
import { useStored } from "../../lib/stored.ts";

export interface Column<Row> {
  readonly id: string;
  readonly label: string;
  /** CSS grid track, such as `minmax(120px, 1fr)`. */
  readonly track: string;
  /** Whether it is right-aligned, like numbers. */
  readonly end?: boolean;
  /** Min width of the table in pixels for this column. */
  readonly from?: number;
  /** Whether its heading is for screen readers only; then it cannot be hidden or copied. */
  readonly bare?: boolean;
  /** Rows can be sorted by it: its heading is a button. */
  readonly sortable?: boolean;
  /** Whether it identifies the row: then it cannot be hidden. */
  readonly essential?: boolean;
  cell(row: Row): ReactNode;
  /** The cell as plain text, for copying. */
  text(row: Row): string;
}

/** A cell that spans several columns, for rows that have no values in them but another text. */
export interface AcrossCells<Row> {
  /** Ids of adjacent columns. */
  readonly columns: ReadonlySet<string>;
  /** Returns the spanning cell; null if the row has ordinary cells. */
  cell(row: Row): ReactNode;
}

/** The hidden columns of a table, remembered by the table's id. */
export function useHiddenColumns(table: string): {
  readonly hidden: ReadonlySet<string>;
  toggle(column: string): void;
} {
  const [stored, store] = useStored(`columns.${table}`);
  return useMemo(() => {
    const hidden = new Set((stored ?? "").split(",").filter((id) => id !== ""));
    return {
      hidden,
      toggle(column) {
        const next = new Set(hidden);
        if (!next.delete(column)) next.add(column);
        store(next.size === 0 ? null : [...next].join(","));
      },
    };
  }, [stored, store]);
}

/** Returns the enabled columns that fit, and the grid template of their tracks. */
export function useShownColumns<Row>(
  columns: readonly Column<Row>[],
  hidden: ReadonlySet<string>,
  width: number,
): { readonly shown: readonly Column<Row>[]; readonly template: string } {
  return useMemo(() => {
    const shown = columns.filter(
      ({ id, from, essential }) => (essential === true || !hidden.has(id)) && width >= (from ?? 0),
    );
    return { shown, template: shown.map(({ track }) => track).join(" ") };
  }, [columns, hidden, width]);
}

/** Tracks the width of an element in whole pixels. */
export function useWidth(element: HTMLElement | null): number {
  // Kept between two changes: reading it at each drawing would lay the page out in the middle of that.
  const measured = useRef<{ readonly element: HTMLElement | null; readonly width: number } | null>(null);
  const measure = useCallback(() => {
    measured.current = { element, width: element?.clientWidth ?? 0 };
    return measured.current.width;
  }, [element]);
  const subscribe = useCallback(
    (listener: () => void) => {
      const observer = new ResizeObserver(() => {
        measure();
        listener();
      });
      if (element !== null) observer.observe(element);
      return () => observer.disconnect();
    },
    [element, measure],
  );
  return useSyncExternalStore(subscribe, () =>
    measured.current?.element === element ? measured.current.width : measure(),
  );
}
