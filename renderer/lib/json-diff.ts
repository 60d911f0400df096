/** Differences of two JSON documents, as lines to be read next to each other. Pure. */

export type DiffKind = "same" | "changed" | "removed" | "added";

/** A line of both sides; null where a side has none. */
export interface DiffRow {
  readonly kind: DiffKind;
  readonly left: string | null;
  readonly right: string | null;
}

type Fields = Readonly<Record<string, unknown>>;

/** Characters of one text that are compared and shown. */
const MAX_TEXT = 600;
/** Items of two lists that are matched with each other; longer lists are compared place by place. */
const MAX_MATCHED = 300;

/** Compares two documents. Fields are in the order of the left one, then those that only the right one has. */
export function diffJson(left: unknown, right: unknown): DiffRow[] {
  const rows: DiffRow[] = [];
  addDiff(rows, { left, right }, "", "", "");
  return rows;
}

/** Names of fields at the top that only one side has, and of those that differ. */
export interface FieldChanges {
  readonly removed: readonly string[];
  readonly added: readonly string[];
  readonly changed: readonly string[];
}

export function listFieldChanges(left: unknown, right: unknown): FieldChanges {
  const [before, after] = [isFields(left) ? left : {}, isFields(right) ? right : {}];
  const both = Object.keys(before).filter((name) => Object.hasOwn(after, name));
  return {
    removed: Object.keys(before).filter((name) => !Object.hasOwn(after, name)),
    added: Object.keys(after).filter((name) => !Object.hasOwn(before, name)),
    changed: both.filter((name) => !isEqual(before[name], after[name])),
  };
}

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function isEqual(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (Array.isArray(left) && Array.isArray(right))
    return left.length === right.length && left.every((item, index) => isEqual(item, right[index]));
  if (!isFields(left) || !isFields(right)) return false;
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => Object.hasOwn(right, name) && isEqual(left[name], right[name]))
  );
}

interface Both {
  readonly left: unknown;
  readonly right: unknown;
}

/** @param name before the value, with its colon; empty for items @param end after the value: a comma, or nothing */
function addDiff(rows: DiffRow[], { left, right }: Both, indent: string, name: string, end: string): void {
  if (isFields(left) && isFields(right)) addFields(rows, left, right, indent, name, end);
  else if (Array.isArray(left) && Array.isArray(right)) addItems(rows, left, right, indent, name, end);
  else {
    const [before, after] = [writeLines(left, indent, name, end), writeLines(right, indent, name, end)];
    const kind = isEqual(left, right) ? "same" : "changed";
    for (let index = 0; index < Math.max(before.length, after.length); index += 1)
      rows.push({ kind, left: before[index] ?? null, right: after[index] ?? null });
  }
}

function addFields(rows: DiffRow[], left: Fields, right: Fields, indent: string, name: string, end: string): void {
  addSame(rows, `${indent}${name}{`);
  const inner = `${indent}  `;
  const names = [...Object.keys(left), ...Object.keys(right).filter((one) => !Object.hasOwn(left, one))];
  for (const one of names) {
    const label = `${JSON.stringify(one)}: `;
    if (!Object.hasOwn(right, one)) addOne(rows, "removed", writeLines(left[one], inner, label, ","));
    else if (!Object.hasOwn(left, one)) addOne(rows, "added", writeLines(right[one], inner, label, ","));
    else addDiff(rows, { left: left[one], right: right[one] }, inner, label, ",");
  }
  addSame(rows, `${indent}}${end}`);
}

function addItems(
  rows: DiffRow[],
  left: readonly unknown[],
  right: readonly unknown[],
  indent: string,
  name: string,
  end: string,
): void {
  addSame(rows, `${indent}${name}[`);
  const inner = `${indent}  `;
  for (const [before, after] of matchItems(left, right)) {
    if (after === null) addOne(rows, "removed", writeLines(left[before as number], inner, "", ","));
    else if (before === null) addOne(rows, "added", writeLines(right[after], inner, "", ","));
    else addDiff(rows, { left: left[before], right: right[after] }, inner, "", ",");
  }
  addSame(rows, `${indent}]${end}`);
}

function addSame(rows: DiffRow[], line: string): void {
  rows.push({ kind: "same", left: line, right: line });
}

function addOne(rows: DiffRow[], kind: "removed" | "added", lines: readonly string[]): void {
  for (const line of lines)
    rows.push({ kind, left: kind === "removed" ? line : null, right: kind === "added" ? line : null });
}

type Pair = readonly [left: number | null, right: number | null];

/** Pairs the items of two lists in their order: those of the same kind that have the same text, else by their place. */
function matchItems(left: readonly unknown[], right: readonly unknown[]): Pair[] {
  if (left.length > MAX_MATCHED || right.length > MAX_MATCHED || left.length === right.length) {
    return Array.from({ length: Math.max(left.length, right.length) }, (_, index) => [
      index < left.length ? index : null,
      index < right.length ? index : null,
    ]);
  }
  const [before, after] = [left.map(nameItem), right.map(nameItem)];
  // Lengths of the longest common subsequences of the rests of both lists.
  const lengths = Array.from({ length: before.length + 1 }, () => new Uint16Array(after.length + 1));
  const at = (i: number, j: number): number => lengths[i]?.[j] ?? 0;
  for (let i = before.length - 1; i >= 0; i -= 1)
    for (let j = after.length - 1; j >= 0; j -= 1)
      (lengths[i] as Uint16Array)[j] =
        before[i] === after[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const pairs: Pair[] = [];
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    if (i < before.length && j < after.length && before[i] === after[j]) pairs.push([i++, j++]);
    else if (j === after.length || (i < before.length && at(i + 1, j) >= at(i, j + 1))) pairs.push([i++, null]);
    else pairs.push([null, j++]);
  }
  return pairs;
}

/** Names an item by its role and the beginning of its text, which survive a translation. */
function nameItem(item: unknown): string {
  if (!isFields(item)) return JSON.stringify(item);
  const role = item["role"] ?? item["type"] ?? item["name"];
  return `${JSON.stringify(role)} ${findText(item).slice(0, 80)}`;
}

function findText(value: unknown): string {
  if (typeof value === "string") return value;
  const inner = Array.isArray(value) ? value : isFields(value) ? [value["content"], value["text"], value["parts"]] : [];
  for (const one of inner) {
    const text = findText(one);
    if (text !== "") return text;
  }
  return "";
}

/** Writes a value as lines, as `JSON.stringify` does with two spaces, but for long texts, which are cut. */
function writeLines(value: unknown, indent: string, name: string, end: string): string[] {
  if (value === undefined) return [];
  if (typeof value !== "object" || value === null) return [`${indent}${name}${writeValue(value)}${end}`];
  const isList = Array.isArray(value);
  const [open, close] = isList ? ["[", "]"] : ["{", "}"];
  const inner = `${indent}  `;
  const lines = isList
    ? (value as readonly unknown[]).flatMap((item) => writeLines(item, inner, "", ","))
    : Object.entries(value).flatMap(([one, field]) => writeLines(field, inner, `${JSON.stringify(one)}: `, ","));
  if (lines.length === 0) return [`${indent}${name}${open}${close}${end}`];
  return [`${indent}${name}${open}`, ...lines, `${indent}${close}${end}`];
}

function writeValue(value: unknown): string {
  if (typeof value !== "string" || value.length <= MAX_TEXT) return JSON.stringify(value);
  return `${JSON.stringify(value.slice(0, MAX_TEXT).toWellFormed())} … ${value.length - MAX_TEXT}`;
}

/** A run of lines: shown, or folded because both sides are the same. */
export interface DiffRun {
  readonly folded: boolean;
  readonly rows: readonly DiffRow[];
}

/** Lines of the same that stay around a difference. */
const CONTEXT = 3;

/** Folds runs of lines that are the same on both sides. */
export function foldSame(rows: readonly DiffRow[]): DiffRun[] {
  const runs: DiffRun[] = [];
  let shown: DiffRow[] = [];
  for (let index = 0; index < rows.length;) {
    let end = index;
    while (end < rows.length && rows[end]?.kind === "same") end += 1;
    const from = index === 0 ? index : index + CONTEXT;
    const to = end === rows.length ? end : end - CONTEXT;
    if (to - from > CONTEXT) {
      shown.push(...rows.slice(index, from));
      if (shown.length > 0) runs.push({ folded: false, rows: shown });
      runs.push({ folded: true, rows: rows.slice(from, to) });
      shown = rows.slice(to, end);
    } else shown.push(...rows.slice(index, end));
    while (end < rows.length && rows[end]?.kind !== "same") shown.push(rows[end++] as DiffRow);
    index = end;
  }
  if (shown.length > 0) runs.push({ folded: false, rows: shown });
  return runs;
}
