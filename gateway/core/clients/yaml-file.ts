import { isMap, isScalar, isSeq, parseAllDocuments, stringify } from "yaml";
import type { Document, Pair, YAMLMap, YAMLSeq } from "yaml";
import { isRecord } from "../../lib/records.ts";
import type { Data } from "./data.ts";
import { endedLine, computeLineEnd, getLineEnding, computeLineStart, findNextLine } from "./file-format.ts";
import type { FileFormat } from "./file-format.ts";
import { readLine, createRefusal } from "./refused.ts";

/**
 * YAML, as far as clients need it: elements of lists at the top of one document. The library says where things stand;
 * it is not asked to write, because it would lay out again what is not ours.
 */
export const yamlFile: FileFormat = {
  parse(text) {
    const data: unknown = readDocument(text)?.toJS({ maxAliasCount: 1_000 }) ?? {};
    if (!isRecord(data)) throw createRefusal("This file holds no YAML mapping. Postern leaves it as it is.");
    return data;
  },

  set(text, path, value) {
    const [name = ""] = path;
    if (path.length !== 1 || readPair(readRoot(text), name) !== undefined)
      throw createRefusal(`This file has "${path.join(".")}" already. Postern leaves it as it is.`);
    return atEnd(text, stringify({ [name]: value }, { lineWidth: 0 }));
  },

  append(text, path, item) {
    const [name = ""] = path;
    const eol = getLineEnding(text);
    const root = readRoot(text);
    const pair = readPair(root, name);
    if (path.length !== 1) throw createRefusal("Postern adds to lists at the top of YAML files only.");
    if (pair === undefined) return atEnd(text, `${name}:\n${getElement(item, "  ", "\n")}`);
    const { value } = pair;
    const indent = `${getRootIndent(text, root)}  `;
    if (value === null || (isScalar(value) && value.value === null && (value.source ?? "") === "")) {
      const end = computeLineEnd(text, computeKeyStart(pair));
      return `${text.slice(0, end)}${eol}${getElement(item, indent, eol)}${text.slice(end)}`;
    }
    if (!isSeq(value) || value.range == null) throw notAList(name);
    if (value.items.length === 0) {
      const [start, end] = value.range;
      return `${text.slice(0, start)}${eol}${getElement(item, indent, eol)}${text.slice(end)}`;
    }
    if (value.flow === true) throw notAList(name);
    const own = dashIndent(text, value);
    const end = endOfLast(text, value);
    return text[end - 1] === "\n"
      ? `${text.slice(0, end)}${getElement(item, own, eol)}${eol}${text.slice(end)}`
      : `${text.slice(0, end)}${eol}${getElement(item, own, eol)}${text.slice(end)}`;
  },

  remove(text, path) {
    const [name, index] = path;
    const pair = readPair(readRoot(text), String(name));
    if (pair === undefined) return text;
    const { value } = pair;
    if (typeof index !== "number") {
      const start = computeLineStart(text, computeKeyStart(pair));
      const stop =
        isSeq(value) && value.items.length > 0 ? endOfLast(text, value) : computeLineEnd(text, computeValueEnd(pair));
      return text.slice(0, start) + text.slice(text[stop - 1] === "\n" ? stop : findNextLine(text, stop));
    }
    if (!isSeq(value) || value.flow === true || value.range == null) throw notAList(String(name));
    if (value.items.length === 1) {
      const end = endOfLast(text, value);
      const stop = text[end - 1] === "\n" ? end - (text[end - 2] === "\r" ? 2 : 1) : end;
      const colon = text.indexOf(":", computeKeyStart(pair) + String(name).length) + 1;
      return `${text.slice(0, colon)} []${text.slice(stop)}`;
    }
    const start = computeItemLine(text, value, index);
    const stop =
      index + 1 < value.items.length
        ? computeItemLine(text, value, index + 1)
        : findNextLine(text, endOfLast(text, value) - 1);
    return text.slice(0, start) + text.slice(stop);
  },

  source() {
    return null;
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

function computeValueEnd(pair: Pair): number {
  const { value } = pair;
  const range = isScalar(value) || isSeq(value) || isMap(value) ? value.range : undefined;
  return range?.[1] ?? computeKeyStart(pair);
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
  const lines = yaml.replace(/\n$/, "").split("\n");
  return `${endedLine(text)}${lines.map((line) => indent + line).join(eol)}${eol}`;
}

/** An element of a block list, without a line ending at its end. */
function getElement(item: Data, indent: string, eol: string): string {
  const lines = stringify(item, { lineWidth: 0 }).replace(/\n$/, "").split("\n");
  return lines.map((line, index) => `${indent}${index === 0 ? "- " : "  "}${line}`).join(eol);
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
