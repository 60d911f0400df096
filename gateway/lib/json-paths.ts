import {
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COMMA,
  OPEN_BRACE,
  OPEN_BRACKET,
  afterSpace,
  endOfText,
  endOfValue,
} from "./json-splice.ts";

/** Names of members and places in arrays, from the outermost on. */
export type JsonPath = readonly (string | number)[];

/** Start and end of a value in a JSON text, in bytes. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

interface OpenPath {
  readonly path: JsonPath;
  readonly place: number;
}

/**
 * Finds the values at these paths in one pass over the text.
 * @param json valid JSON in UTF-8 without duplicate names.
 * @returns a span for each path, in the order of the paths; null if the path has no value.
 */
export function getSpans(json: Buffer, paths: readonly JsonPath[]): readonly (Span | null)[] {
  const found: (Span | null)[] = paths.map(() => null);
  const open = paths.map((path, place) => ({ path, place }));
  walk(json, afterSpace(json, 0), open, 0, found);
  return found;
}

/** @returns the end offset of the value that starts at `start` */
function walk(json: Buffer, start: number, open: readonly OpenPath[], depth: number, found: (Span | null)[]): number {
  const deeper = open.filter(({ path }) => path.length > depth);
  const end = deeper.length === 0 ? endOfValue(json, start) : walkInto(json, start, deeper, depth, found);
  for (const { path, place } of open) if (path.length === depth) found[place] = { start, end };
  return end;
}

function walkInto(
  json: Buffer,
  start: number,
  open: readonly OpenPath[],
  depth: number,
  found: (Span | null)[],
): number {
  const isObject = json[start] === OPEN_BRACE;
  if (!isObject && json[start] !== OPEN_BRACKET) return endOfValue(json, start);
  let at = afterSpace(json, start + 1);
  for (let index = 0; json[at] !== CLOSE_BRACE && json[at] !== CLOSE_BRACKET; index += 1) {
    let name: string | number = index;
    if (isObject) {
      const nameEnd = endOfText(json, at);
      name = JSON.parse(json.toString("utf8", at, nameEnd)) as string;
      at = afterSpace(json, afterSpace(json, nameEnd) + 1);
    }
    const here = open.filter(({ path }) => path[depth] === name);
    const end = here.length === 0 ? endOfValue(json, at) : walk(json, at, here, depth + 1, found);
    at = afterSpace(json, end);
    if (json[at] === COMMA) at = afterSpace(json, at + 1);
  }
  return at + 1;
}
