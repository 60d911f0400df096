import { formatMoment } from "../../lib/format.ts";
import { Moment, nothing } from "../ui/figures.tsx";
import type { Column } from "./column.ts";

type Head<Row> = Omit<Column<Row>, "cell" | "text">;

/** A column of quiet texts, whole on hover. */
export function quietColumn<Row>(head: Head<Row>, text: (row: Row) => string): Column<Row> {
  const cell = (row: Row) => (
    <span className="text-muted" title={text(row)}>
      {text(row)}
    </span>
  );
  return { ...head, cell, text };
}

/** A column of moments; null: it has not come. */
export function momentColumn<Row>(
  head: Head<Row>,
  language: string,
  momentOf: (row: Row) => number | null,
): Column<Row> {
  return {
    ...head,
    cell: (row) => {
      const at = momentOf(row);
      return at === null ? (
        nothing
      ) : (
        <span className="text-muted">
          <Moment at={at} />
        </span>
      );
    },
    text: (row) => {
      const at = momentOf(row);
      return at === null ? "" : formatMoment(at, language);
    },
  };
}
