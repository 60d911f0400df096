import { TomlError, parse } from "smol-toml";
import { isRecord } from "../../lib/records.ts";
import { getValue } from "./data.ts";
import type { Data } from "./data.ts";
import { endedLine, getLineEnding } from "./file-format.ts";
import type { FileFormat } from "./file-format.ts";
import { readLine, createRefusal } from "./refused.ts";
import { listTomlParts } from "./toml-lines.ts";
import type { TomlPart } from "./toml-lines.ts";

/**
 * TOML, as far as clients need it: single values at the top and in tables, and tables `[a.b]`. No available library
 * keeps a file's layout, so lines are edited here, and smol-toml parses the text before and after to verify it.
 */
export const tomlFile: FileFormat = {
  parse(text) {
    try {
      return parse(text, { integersAsBigInt: "asNeeded" });
    } catch (error) {
      if (!(error instanceof TomlError)) throw error;
      throw createRefusal(`This file is not valid TOML, in line ${error.line}. Mend it, and try again.`);
    }
  },

  set(text, path, value, source) {
    const data = tomlFile.parse(text);
    const parts = listTomlParts(text);
    const known = getValue(data, path) !== undefined;
    const edited = isRecord(value)
      ? setTable(text, parts, path, source ?? getTable(path, value, getLineEnding(text)), known)
      : path.length === 1
        ? setTop(text, parts, path[0] ?? "", source ?? written(value), known)
        : setWithin(text, parts, path, source ?? written(value), known);
    try {
      parse(edited, { integersAsBigInt: "asNeeded" });
    } catch {
      // No table can be added to one that is written in a line.
      const line = readLine(text, parts.find((part) => part.kind === "pair" && part.path[0] === path[0])?.start ?? 0);
      const around = path.slice(0, -1).join(".");
      throw createRefusal(
        `Line ${line} of this file has "${around}" as an inline table, to which nothing can be added. Write it as tables, [${around}.NAME], and try again.`,
      );
    }
    return edited;
  },

  append() {
    throw createRefusal("Postern adds nothing to lists of TOML files.");
  },

  remove(text, path) {
    const names = path.map(String);
    const parts = listTomlParts(text);
    const pair = names.length > 1 ? findWithin(parts, names).pair : undefined;
    if (pair !== undefined) return text.slice(0, pair.start) + text.slice(pair.end);
    const below = parts.filter((part) => part.kind === "table" && samePath(part.path.slice(0, names.length), names));
    // A new top-level `a` is not written if only `[a.b]` exists.
    const range = readRange(parts, below.length === 1 ? (below[0]?.path ?? names) : names);
    if (range === null) return text;
    const { start, end } = range;
    // The blank line before the table is removed with it.
    const gap = text[start] === "[" ? (/\r?\n\r?\n$/.exec(text.slice(0, start))?.[0] ?? "") : "";
    const from = gap === "" ? start : start - gap.length + gap.indexOf("\n") + 1;
    return text.slice(0, from) + text.slice(end);
  },

  source(text, path) {
    const parts = listTomlParts(text);
    const found =
      path.length > 1
        ? findWithin(parts, path).pair
        : topPairs(parts).find((pair) => path.length === 1 && pair.path[0] === path[0]);
    if (found !== undefined) return text.slice(found.valueStart, found.valueEnd);
    const range = readRange(parts, path);
    return range === null ? null : text.slice(range.start, range.end);
  },
};

type Pair = Extract<TomlPart, { kind: "pair" }>;

/** The pairs before the first table, with plain names. */
function topPairs(parts: readonly TomlPart[]): readonly Pair[] {
  const firstTable = parts.findIndex(({ kind }) => kind === "table");
  return (firstTable === -1 ? parts : parts.slice(0, firstTable)).filter((part) => part.kind === "pair");
}

function setTop(text: string, parts: readonly TomlPart[], name: string, source: string, known: boolean): string {
  const pairs = topPairs(parts);
  const there = pairs.find((pair) => pair.path.length === 1 && pair.path[0] === name);
  if (there !== undefined) return text.slice(0, there.valueStart) + source + text.slice(there.valueEnd);
  if (known) throw elsewhere([name]);
  const eol = getLineEnding(text);
  const last = pairs.at(-1);
  if (last !== undefined)
    return `${endedLine(text.slice(0, last.end))}${name} = ${source}${eol}${text.slice(last.end)}`;
  const gap = text === "" || /^[ \t]*\r?\n/.test(text) ? "" : eol;
  return `${name} = ${source}${eol}${gap}${text}`;
}

/** Returns the pairs of the table with the last name of a path, and the pair of that name. */
function findWithin(parts: readonly TomlPart[], path: readonly string[]) {
  const head = parts.findIndex((part) => part.kind === "table" && samePath(part.path, path.slice(0, -1)));
  const next = parts.findIndex((part, index) => index > head && part.kind === "table");
  const own = head === -1 ? [] : parts.slice(head, next === -1 ? undefined : next);
  const pair = own.find((part): part is Pair => part.kind === "pair" && samePath(part.path, path.slice(-1)));
  return { last: own.at(-1), pair };
}

/** Sets a value in the table around it, which is made if it is missing. */
function setWithin(
  text: string,
  parts: readonly TomlPart[],
  path: readonly string[],
  source: string,
  known: boolean,
): string {
  const { last, pair } = findWithin(parts, path);
  if (pair !== undefined) return text.slice(0, pair.valueStart) + source + text.slice(pair.valueEnd);
  if (known) throw elsewhere(path);
  const line = `${path.at(-1) ?? ""} = ${source}${getLineEnding(text)}`;
  if (last !== undefined) return endedLine(text.slice(0, last.end)) + line + text.slice(last.end);
  const outer = path.slice(0, -1);
  return setTable(text, parts, outer, `[${outer.join(".")}]${getLineEnding(text)}${line}`, false);
}

function setTable(
  text: string,
  parts: readonly TomlPart[],
  path: readonly string[],
  source: string,
  known: boolean,
): string {
  const range = readRange(parts, path);
  if (range !== null) return text.slice(0, range.start) + endedLine(source) + text.slice(range.end);
  if (known) throw elsewhere(path);
  const gap = text.trim() === "" ? "" : getLineEnding(text);
  return endedLine(text) + gap + endedLine(source);
}

/**
 * Returns the lines of a top-level value, or of a table from its header to its last pair. @throws for tables with
 * subtables.
 */
function readRange(parts: readonly TomlPart[], path: readonly string[]): { start: number; end: number } | null {
  if (path.length === 1) {
    const pair = topPairs(parts).find((one) => one.path.length === 1 && one.path[0] === path[0]);
    if (pair !== undefined) return pair;
  }
  const head = parts.findIndex((part) => part.kind === "table" && samePath(part.path, path));
  const first = parts[head];
  if (first === undefined) return null;
  if (
    parts.some(
      (part) =>
        part.kind === "table" && part.path.length > path.length && samePath(part.path.slice(0, path.length), path),
    )
  )
    throw createRefusal(`[${path.join(".")}] has tables of its own in this file. Remove it, and try again.`);
  let end = first.end;
  for (const part of parts.slice(head + 1)) {
    if (part.kind === "table") break;
    end = part.end;
  }
  return { start: first.start, end };
}

const samePath = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((name, index) => name === b[index]);

function elsewhere(path: readonly string[]): Error {
  return createRefusal(
    `This file already has "${path.join(".")}", written in a way that Postern does not edit. Remove it, and try again.`,
  );
}

function getTable(path: readonly string[], value: Data, eol: string): string {
  const rows = Object.entries(isRecord(value) ? value : {}).map(([name, inner]) => `${name} = ${written(inner)}`);
  return [`[${path.join(".")}]`, ...rows].join(eol) + eol;
}

/** Strings of JSON are strings of TOML. */
function written(value: Data): string {
  if (isRecord(value)) {
    const pairs = Object.entries(value).map(([name, inner]) => `${JSON.stringify(name)} = ${written(inner)}`);
    return `{ ${pairs.join(", ")} }`;
  }
  return typeof value === "bigint" ? String(value) : JSON.stringify(value);
}
