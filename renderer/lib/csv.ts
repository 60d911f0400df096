/**
 * Formats rows for spreadsheets. Names come from outside: a cell that a spreadsheet would run as a formula gets a
 * leading apostrophe, which it shows as text.
 */

/** Formats rows as a CSV file (RFC 4180). */
export function toCsv(rows: readonly (readonly string[])[]): string {
  // Without the mark Excel takes UTF-8 for something else.
  return `\uFEFF${rows.map((cells) => cells.map(formatCsvCell).join(",")).join("\r\n")}\r\n`;
}

function formatCsvCell(cell: string): string {
  const text = harmless(cell);
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Formats rows as lines to paste, with their cells separated by tabs. */
export function toTsv(rows: readonly (readonly string[])[]): string {
  return rows.map((cells) => cells.map(formatTsvCell).join("\t")).join("\n");
}

function formatTsvCell(cell: string): string {
  const text = harmless(cell).replace(/[\t\r\n]+/g, " ");
  // A pasted text with a quote in front loses its quotes: it could be a formula then, or take the next cells in.
  return text.startsWith('"') ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Returns the text, with a leading apostrophe if it starts like a formula and is not a plain number. */
export function harmless(cell: string): string {
  if (/^-?\d+(\.\d+)?$/.test(cell)) return cell;
  return /^[\s\u200B\uFEFF]*[=+\-@＝＋－＠]|^[\t\r\n]/.test(cell) ? `'${cell}` : cell;
}

const NANO_DIGITS = 9;

/** 10⁻⁹ USD as a plain number of USD with all nine digits: `0.000042000`. */
export function usdCell(nano: number): string {
  const digits = String(nano).padStart(NANO_DIGITS + 1, "0");
  return `${digits.slice(0, -NANO_DIGITS)}.${digits.slice(-NANO_DIGITS)}`;
}
