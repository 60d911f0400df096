import { redact } from "../../lib/redact.ts";

/** A line of a diff. Numbers start at 1; null if the line is not in that version. */
export interface DiffLine {
  readonly kind: "same" | "added" | "removed";
  readonly before: number | null;
  readonly after: number | null;
  readonly text: string;
}

/** Lines around a change that are shown with it. */
const CONTEXT = 3;
/** Max cells of the table that compares two ranges of lines; above it the whole range counts as changed. */
const MAX_CELLS = 4_000_000;

/**
 * Compares two texts line by line, with three lines around each change. Secrets of the file are hidden: the lines are for
 * people to read, not to be copied.
 */
export function createLineDiff(before: string, after: string): readonly DiffLine[] {
  const a = readLines(before);
  const b = readLines(after);
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  const all: DiffLine[] = [];
  const put = (kind: DiffLine["kind"], from: number | null, to: number | null, text: string): void => {
    all.push({ kind, before: from === null ? null : from + 1, after: to === null ? null : to + 1, text });
  };
  for (let index = 0; index < head; index++) put("same", index, index, a[index] ?? "");
  for (const [from, to] of pairLines(a.slice(head, a.length - tail), b.slice(head, b.length - tail))) {
    if (from !== null && to !== null) put("same", from + head, to + head, a[from + head] ?? "");
    else if (from !== null) put("removed", from + head, null, a[from + head] ?? "");
    else if (to !== null) put("added", null, to + head, b[to + head] ?? "");
  }
  for (let index = a.length - tail; index < a.length; index++)
    put("same", index, index - a.length + b.length, a[index] ?? "");
  return nearChanges(all);
}

function nearChanges(lines: readonly DiffLine[]): readonly DiffLine[] {
  const shown = new Set<number>();
  for (const [index, { kind }] of lines.entries()) {
    if (kind === "same") continue;
    for (let near = index - CONTEXT; near <= index + CONTEXT; near++) shown.add(near);
  }
  return lines.filter((_, index) => shown.has(index)).map((line) => ({ ...line, text: shownText(line.text) }));
}

const SECRET_NAME =
  /(["']?[\w.-]{0,64}(?:key|token|secret|password|authorization)[\w.-]{0,64}["']?\s{0,9}[:=]\s{0,9}["']?)([^"'\s,}{[\]]{12,})/gi;

/** Returns a line without secrets: values of secret-like names keep only their ends. */
function shownText(text: string): string {
  return redact(
    text.replaceAll(SECRET_NAME, (_all, name: string, value: string) =>
      // The name of an environment variable is not a secret.
      /^[A-Z][A-Z0-9_]*$/.test(value) ? name + value : name + getHint(value),
    ),
  );
}

const getHint = (value: string): string => `${value.slice(0, 5)}…${value.slice(-4)}`;

/** Lines without their endings. A last line without an ending is another line than one with it. */
function readLines(text: string): readonly string[] {
  if (text === "") return [];
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines.map((line) => line.replace(/\r$/, ""));
}

/** Indexes of lines in both, or in one: the longest common subsequence. */
function pairLines(a: readonly string[], b: readonly string[]): readonly (readonly [number | null, number | null])[] {
  const pairs: (readonly [number | null, number | null])[] = [];
  const width = b.length + 1;
  const fits = (a.length + 1) * width <= MAX_CELLS;
  const lengths = new Uint32Array(fits ? (a.length + 1) * width : 0);
  if (fits)
    for (let i = a.length - 1; i >= 0; i--)
      for (let j = b.length - 1; j >= 0; j--)
        lengths[i * width + j] =
          a[i] === b[j]
            ? (lengths[(i + 1) * width + j + 1] ?? 0) + 1
            : Math.max(lengths[(i + 1) * width + j] ?? 0, lengths[i * width + j + 1] ?? 0);
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    if (fits && i < a.length && j < b.length && a[i] === b[j]) pairs.push([i++, j++]);
    else if (
      i < a.length &&
      (j >= b.length || !fits || (lengths[(i + 1) * width + j] ?? 0) >= (lengths[i * width + j + 1] ?? 0))
    )
      pairs.push([i++, null]);
    else pairs.push([null, j++]);
  }
  return pairs;
}
