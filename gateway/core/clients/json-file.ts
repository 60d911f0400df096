import { getNodeValue, parseTree, printParseErrorCode } from "jsonc-parser";
import type { Node, ParseError } from "jsonc-parser";
import type { Data, Path } from "./data.ts";
import { endedLine, getLineEnding, computeLineStart } from "./file-format.ts";
import type { FileFormat } from "./file-format.ts";
import { getIndentUnit, insertInto, removeFrom } from "./json-members.ts";
import { readLine, createRefusal } from "./refused.ts";

/** JSON with comments and trailing commas. jsonc-parser provides the offsets. */
export const jsonFile: FileFormat = {
  parse(text) {
    const root = readRoot(text);
    return root === undefined ? {} : (getNodeValue(root) as Data);
  },

  set(text, path, value, source) {
    const root = readRoot(text);
    if (root === undefined) return createFile(text, nestValue(path, value));
    let at = root;
    for (const [index, name] of path.entries()) {
      if (at.type !== "object") throw notAnObject(path.slice(0, index));
      const member = readMember(at, name);
      if (member === undefined) {
        const rest = path.slice(index + 1);
        return insertInto(text, at, name, [nestValue(rest, value)], rest.length === 0 ? source : undefined);
      }
      at = member;
    }
    const indent = /^[ \t]*/.exec(text.slice(computeLineStart(text, at.offset)))?.[0] ?? "";
    const written =
      source ?? JSON.stringify(value, null, getIndentUnit(text)).replaceAll("\n", getLineEnding(text) + indent);
    return text.slice(0, at.offset) + written + text.slice(at.offset + at.length);
  },

  append(text, path, items) {
    const list = getNode(readRoot(text), path);
    if (list === undefined) return jsonFile.set(text, path, items);
    if (list.type !== "array")
      throw createRefusal(`${describePath(path)} is not a list in this file. Postern leaves it as it is.`);
    return insertInto(text, list, null, items);
  },

  remove(text, path, count) {
    const inside = getNode(readRoot(text), path.slice(0, -1));
    const last = path.at(-1);
    const index =
      typeof last === "number"
        ? last
        : (inside?.children ?? []).findIndex((property) => property.children?.[0]?.value === last);
    if (inside?.children?.[index] === undefined) return text;
    return removeFrom(text, inside, index, count);
  },

  source(text, path) {
    const node = getNode(readRoot(text), path);
    return node === undefined ? null : text.slice(node.offset, node.offset + node.length);
  },
};

function readRoot(text: string): Node | undefined {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  const [error] = errors;
  if (error !== undefined) {
    throw createRefusal(
      `This file is not valid JSON: ${printParseErrorCode(error.error)} in line ${readLine(text, error.offset)}. Mend it, and try again.`,
    );
  }
  if (root !== undefined && root.type !== "object" && root.type !== "array") throw notAnObject([]);
  return root;
}

/** @throws GatewayError if the name is duplicate, because programs differ in which one they use */
function readMember(object: Node, name: string): Node | undefined {
  const found = (object.children ?? []).filter((property) => property.children?.[0]?.value === name);
  if (found.length > 1) throw createRefusal(`This file says ${JSON.stringify(name)} twice. Remove one, and try again.`);
  return found[0]?.children?.[1];
}

function getNode(root: Node | undefined, path: Path): Node | undefined {
  let at = root;
  for (const step of path) {
    if (at === undefined) return undefined;
    at = typeof step === "number" ? at.children?.[step] : at.type === "object" ? readMember(at, step) : undefined;
  }
  return at;
}

/** Nests a value: `["a", "b"]` and 1 become `{"a": {"b": 1}}`. */
function nestValue(path: readonly string[], value: Data): Data {
  return path.reduceRight<Data>((inner, name) => ({ [name]: inner }), value);
}

function createFile(text: string, value: Data): string {
  const eol = getLineEnding(text);
  const start = text.trim() === "" ? "" : endedLine(text);
  return `${start}${JSON.stringify(value, null, 2).replaceAll("\n", eol)}${eol}`;
}

const describePath = (path: readonly string[]): string => (path.length === 0 ? "It" : JSON.stringify(path.join(".")));

function notAnObject(path: readonly string[]): Error {
  if (path.length === 0) return createRefusal("This file holds no JSON object. Postern leaves it as it is.");
  return createRefusal(`${describePath(path)} is not an object in this file. Postern leaves it as it is.`);
}
