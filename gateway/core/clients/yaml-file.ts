import { isMap, isNode, isScalar, isSeq, parseAllDocuments, stringify } from "yaml";
import type { Document, Pair, YAMLMap, YAMLSeq } from "yaml";
import { isRecord } from "../../lib/records.ts";
import type { Data } from "./data.ts";
import { endedLine, computeLineEnd, getLineEnding, computeLineStart, findNextLine } from "./file-format.ts";
import type { FileFormat } from "./file-format.ts";
import { readLine, createRefusal } from "./refused.ts";

/**
 * YAML, as far as clients need it: pairs of mappings, and elements of top-level lists of a single document. The library
 * only provides offsets; it does not write, because it would reformat the rest of the file.
 */
export const yamlFile: FileFormat = {
  parse(text) {
    const data: unknown = readDocument(text)?.toJS({ maxAliasCount: 1_000 }) ?? {};
    if (!isRecord(data)) throw createRefusal("This file holds no YAML mapping. Postern leaves it as it is.");
    return data;
  },

  set(text, path, value, source) {
    const { map, pair, depth } = findPair(text, path);
    const name = path[depth] ?? "";
    const nested = path.slice(depth + 1).reduceRight<Data>((inner, step) => ({ [step]: inner }), value);
    const yaml = stringify({ [name]: nested }, { lineWidth: 0 });
    if (pair === undefined) return addPair(text, map, yaml);
    const { start, end } = readRegion(text, pair);
    const indent = text.slice(start, computeKeyStart(pair));
    const eol = getLineEnding(text);
    const written = indentLines(yaml, indent, eol) + (text[end - 1] === "\n" ? eol : "");
    return text.slice(0, start) + (source ?? written) + text.slice(end);
  },

  append(text, path, items) {
    const [name = ""] = path;
    const eol = getLineEnding(text);
    const root = readRoot(text);
    const pair = readPair(root, name);
    if (path.length !== 1) throw createRefusal("Postern adds to lists at the top of YAML files only.");
    if (pair === undefined) return atEnd(text, `${name}:\n${getElements(items, "  ", "\n")}`);
    const { value } = pair;
    const indent = `${getRootIndent(text, root)}  `;
    if (value === null || (isScalar(value) && value.value === null && (value.source ?? "") === "")) {
      const end = computeLineEnd(text, computeKeyStart(pair));
      return `${text.slice(0, end)}${eol}${getElements(items, indent, eol)}${text.slice(end)}`;
    }
    if (!isSeq(value) || value.range == null) throw notAList(name);
    if (value.items.length === 0) {
      const [start, end] = value.range;
      return `${text.slice(0, start)}${eol}${getElements(items, indent, eol)}${text.slice(end)}`;
    }
    if (value.flow === true) throw notAList(name);
    const own = dashIndent(text, value);
    const end = endOfLast(text, value);
    return text[end - 1] === "\n"
      ? `${text.slice(0, end)}${getElements(items, own, eol)}${eol}${text.slice(end)}`
      : `${text.slice(0, end)}${eol}${getElements(items, own, eol)}${text.slice(end)}`;
  },

  remove(text, path, count = 1) {
    const [name, index] = path;
    if (typeof index !== "number") {
      const { map, pair, depth } = findPair(text, path.map(String));
      if (pair === undefined || depth < path.length - 1) return text;
      if (map?.items.length === 1 && path.length > 1) return yamlFile.set(text, path.slice(0, -1).map(String), {});
      const { start, end } = readRegion(text, pair);
      return text.slice(0, start) + text.slice(end);
    }
    const pair = readPair(readRoot(text), String(name));
    if (pair === undefined) return text;
    const { value } = pair;
    if (!isSeq(value) || value.flow === true || value.range == null) throw notAList(String(name));
    if (value.items.length === count) {
      const end = endOfLast(text, value);
      const stop = text[end - 1] === "\n" ? end - (text[end - 2] === "\r" ? 2 : 1) : end;
      const colon = text.indexOf(":", computeKeyStart(pair) + String(name).length) + 1;
      return `${text.slice(0, colon)} []${text.slice(stop)}`;
    }
    const start = computeItemLine(text, value, index);
    const stop =
      index + count < value.items.length
        ? computeItemLine(text, value, index + count)
        : findNextLine(text, endOfLast(text, value) - 1);
    return text.slice(0, start) + text.slice(stop);
  },

  source(text, path) {
    const { pair, depth } = findPair(text, path);
    if (pair === undefined || depth < path.length - 1) return null;
    const { start, end } = readRegion(text, pair);
    return text.slice(start, end);
  },
};

function readDocument(text: string): Document.Parsed | undefined {
  const documents = parseAllDocuments(text, { uniqueKeys: true, logLevel: "silent" });
  if (!Array.isArray(documents)) return undefined;
  const [first, second] = documents as Document.Parsed[];
  const error = first?.errors[0];
  if (error !== undefined)
    throw createRefusal(
      `This file is not valid YAML, in line ${readLine(text, error.pos[0])}. Mend it, and try again.`,
    );
  if (second !== undefined) throw createRefusal("This file holds several YAML documents. Postern leaves it as it is.");
  return first;
}

function readRoot(text: string): YAMLMap | null {
  const contents = readDocument(text)?.contents ?? null;
  if (contents === null || (isScalar(contents) && contents.value === null)) return null;
  if (!isMap(contents) || contents.flow === true)
    throw createRefusal("This file is written in YAML's short form. Postern leaves it as it is.");
  return contents;
}

function readPair(root: YAMLMap | null, name: string): Pair | undefined {
  return root?.items.find((pair) => isScalar(pair.key) && pair.key.value === name);
}

function computeKeyStart(pair: Pair): number {
  return isScalar(pair.key) ? (pair.key.range?.[0] ?? 0) : 0;
}

interface FoundPair {
  /** The mapping with the pair, or for the new pair; null for an empty file. */
  readonly map: YAMLMap | null;
  readonly pair: Pair | undefined;
  /** Index of the path step of the pair; smaller than the last one if the pair's value is empty. */
  readonly depth: number;
}

/**
 * Finds the pair at a path of names, or the mapping in which it is missing. @throws GatewayError if a different kind of
 * node is there
 */
function findPair(text: string, path: readonly string[]): FoundPair {
  let map = readRoot(text);
  for (let depth = 0; ; depth++) {
    const pair = readPair(map, path[depth] ?? "");
    if (pair === undefined || depth === path.length - 1) return { map, pair, depth };
    const { value } = pair;
    const isEmpty =
      value === null || (isScalar(value) && value.value === null) || (isMap(value) && value.items.length === 0);
    if (isEmpty) return { map, pair, depth };
    if (!isMap(value) || value.flow === true)
      throw createRefusal(
        `"${path.slice(0, depth + 1).join(".")}" of this file is no mapping with a line for each name.`,
      );
    map = value;
  }
}

/** Adds a pair at the end of a mapping, with its indentation; or at the end of the file. */
function addPair(text: string, map: YAMLMap | null, yaml: string): string {
  const last = map?.items.at(-1);
  if (last === undefined || computeKeyStart(last) === computeKeyStart(readRoot(text)?.items.at(-1) ?? last))
    return atEnd(text, yaml);
  const { start, end } = readRegion(text, last);
  const eol = getLineEnding(text);
  const added = indentLines(yaml, text.slice(start, computeKeyStart(last)), eol);
  return text[end - 1] === "\n" ? `${text.slice(0, end)}${added}${eol}${text.slice(end)}` : `${text}${eol}${added}`;
}

/** The lines of a pair. @throws GatewayError for one that shares its line with others */
function readRegion(text: string, pair: Pair): { readonly start: number; readonly end: number } {
  const key = computeKeyStart(pair);
  const start = computeLineStart(text, key);
  if (text.slice(start, key).trim() !== "")
    throw createRefusal("A mapping of this file is written in a way that Postern does not edit.");
  const stop = computeStop(pair);
  return { start, end: text[stop - 1] === "\n" ? stop : findNextLine(text, stop) };
}

/** Returns where the last node below a pair ends, without trailing comments. */
function computeStop({ key, value }: Pair): number {
  const keyEnd = isNode(key) ? (key.range?.[1] ?? 0) : 0;
  if (isMap(value) && value.flow !== true) return Math.max(keyEnd, ...value.items.slice(-1).map(computeStop));
  if (isSeq(value) && value.flow !== true)
    return Math.max(keyEnd, ...value.items.slice(-1).map((last) => computeStop({ key: null, value: last } as Pair)));
  return isNode(value) ? (value.range?.[1] ?? keyEnd) : keyEnd;
}

function getRootIndent(text: string, root: YAMLMap | null): string {
  const first = root?.items[0];
  if (first === undefined) return "";
  const start = computeKeyStart(first);
  return text.slice(computeLineStart(text, start), start);
}

/** Appends after everything, at the existing indentation. `yaml` has `\n` as its line ending. */
function atEnd(text: string, yaml: string): string {
  if (/^\.\.\.[ \t]*\r?$/m.test(text)) throw createRefusal("This file marks its end. Postern leaves it as it is.");
  const indent = getRootIndent(text, readRoot(text));
  const eol = getLineEnding(text);
  return `${endedLine(text)}${indentLines(yaml, indent, eol)}${eol}`;
}

/** Re-indents the library's output, without a final line ending. */
function indentLines(yaml: string, indent: string, eol: string): string {
  const lines = yaml.replace(/\n$/, "").split("\n");
  return lines.map((line) => (line === "" ? "" : indent + line)).join(eol);
}

/** Formats elements of a block list, without a final line ending. */
function getElements(items: readonly Data[], indent: string, eol: string): string {
  return indentLines(stringify(items, { lineWidth: 0 }), indent, eol);
}

function dashIndent(text: string, list: YAMLSeq): string {
  const start = list.range?.[0] ?? 0;
  const indent = text.slice(computeLineStart(text, start), start);
  if (indent.trim() !== "" || text[start] !== "-")
    throw createRefusal("A list of this file is written in a way that Postern does not edit.");
  return indent;
}

/** Returns the end of the last element: the end of its last line, or the offset after its line ending. */
function endOfLast(text: string, list: YAMLSeq): number {
  const last = list.items.at(-1);
  const range = isMap(last) || isScalar(last) || isSeq(last) ? last.range : undefined;
  if (range == null) throw createRefusal("A list of this file is written in a way that Postern does not edit.");
  const end = range[1];
  return text[end - 1] === "\n" ? end : computeLineEnd(text, end);
}

function computeItemLine(text: string, list: YAMLSeq, index: number): number {
  const item = list.items[index];
  const start = isMap(item) || isScalar(item) ? item.range?.[0] : undefined;
  const line = computeLineStart(text, start ?? 0);
  if (start === undefined || !/^[ \t]*-[ \t]+$/.test(text.slice(line, start)))
    throw createRefusal("A list of this file is written in a way that Postern does not edit.");
  return line;
}

function notAList(name: string): Error {
  return createRefusal(
    `"${name}" is not a list with one line for each element in this file. Postern leaves it as it is.`,
  );
}
