import type { ReactNode } from "react";

/** The figures of a plot as a table, the newest last as in the plot. */
export function PlotTable({
  label,
  rows,
}: {
  readonly label: string;
  readonly rows: readonly (readonly string[])[];
}): ReactNode {
  const [heads = [], ...lines] = rows;
  return (
    // Reached by Tab, so that it can be scrolled by keys.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section tabIndex={0} aria-label={label} className="max-h-60 overflow-auto border-t border-line">
      <table className="numeric w-full text-meta">
        <thead className="sticky top-0 bg-surface text-faint">
          <tr>
            {heads.map((head, index) => (
              <th
                key={index}
                scope="col"
                className={`h-7 max-w-48 truncate px-3.5 font-normal whitespace-nowrap ${index === 0 ? "text-left" : "text-right"}`}
                title={head}
              >
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map((cells) => (
            <tr key={cells[0]} className="border-t border-line">
              {cells.map((cell, index) =>
                index === 0 ? (
                  <th key={index} scope="row" className="h-6 px-3.5 text-left font-normal whitespace-nowrap text-muted">
                    {cell}
                  </th>
                ) : (
                  <td key={index} className="h-6 px-3.5 text-right whitespace-nowrap">
                    {cell}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
