import { moneyLabel } from "../policy/money-label.ts";

/** Text for terminals: columns, amounts and times. */

/** A cell or fact before it is written. */
export type Fact = string | number | boolean | null | undefined | readonly string[];

const NOTHING = "–";

/** Writes a value by the name of its field: money, moments and sizes as people read them. */
function formatFact(value: unknown, field: string): string {
  if (/(?:^|_)at$/.test(field)) return timeLabel(typeof value === "number" ? value : null);
  if (value === null || value === undefined) return NOTHING;
  if (typeof value === "number" && field.endsWith("nano")) return moneyLabel(value);
  if (typeof value === "number" && field === "bytes") return sizeLabel(value);
  if (Array.isArray(value)) return value.join(", ");
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** A row for each record. A column is a field, or what a function makes of the record. */
export function printTable<Row extends object>(
  rows: readonly Row[],
  columns: Readonly<Record<string, (keyof Row & string) | ((row: Row) => Fact)>>,
): string {
  const cells = rows.map((row) =>
    Object.values(columns).map((column) =>
      typeof column === "function" ? formatFact(column(row), "") : formatFact(row[column], column),
    ),
  );
  return table(Object.keys(columns), cells);
}

/** A line for each fact that is known. */
export function printFacts(facts: object): string {
  const known = Object.entries(facts).filter(([, value]) => value !== null && value !== undefined);
  const width = Math.max(...known.map(([name]) => name.length));
  return known.map(([name, value]) => `${name.padEnd(width)}  ${formatFact(value, name)}`).join("\n");
}

/**
 * Formats rows under headings, with columns two spaces apart. Columns whose heading starts with `>` are right-aligned.
 */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const flat = rows.map((row) => row.map((cell) => cell.replaceAll("\n", " ")));
  const lines = [headings.map((heading) => heading.replace(/^>/, "")), ...flat];
  const widths = headings.map((_, column) => Math.max(...lines.map((line) => (line[column] ?? "").length)));
  const format = (line: readonly string[]): string =>
    line
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return headings[column]?.startsWith(">") ? cell.padStart(width) : cell.padEnd(width);
      })
      .join("  ")
      .trimEnd();
  return lines.map(format).join("\n");
}

/** Unix milliseconds as `2026-11-20 14:05` UTC; "never" for null. */
export function timeLabel(at: number | null): string {
  return at === null ? "never" : new Date(at).toISOString().slice(0, 16).replace("T", " ");
}

/** Bytes as `3.4 MiB`. */
export function sizeLabel(bytes: number): string {
  const units = ["bytes", "KiB", "MiB", "GiB", "TiB"];
  let size = bytes;
  let unit = 0;
  while (size >= 1024 && unit < units.length - 1) {
    size /= 1024;
    unit++;
  }
  return unit === 0 ? `${bytes} bytes` : `${size.toFixed(1)} ${units[unit]}`;
}

/** Text without what terminals take for orders or for a change of direction; its lines stay lines. */
export function plainText(text: string): string {
  return text.replace(/[^\P{Cc}\n]+/gu, " ").replace(/[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g, "");
}
