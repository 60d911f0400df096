import { LineCounter, YAMLParseError, isScalar, parseDocument, visit } from "yaml";
import type { Document, Range } from "yaml";

/** Max line ends and commas of a file: each entry takes some 15 microseconds to parse. */
const MAX_ENTRIES = 20_000;
const ENTRY_ENDS = ["\n", ","] as const;
/** Uses of anchors. Repeated nodes multiply, so that a small text could be a large tree. */
export const MAX_ALIASES = 1_000;
/** Max open brackets at a time. */
const MAX_OPEN = 200;

/**
 * Parses YAML within bounds, with merge keys. Duplicate keys are detected here, because the parser compares each with
 * all others.
 * @throws RangeError for a text that would keep the parser busy
 */
export function parseBoundedYaml(text: string): { readonly document: Document.Parsed; readonly lines: LineCounter } {
  refuseLarge(text);
  const lines = new LineCounter();
  const options = {
    lineCounter: lines,
    uniqueKeys: false,
    prettyErrors: false,
    merge: true,
    logLevel: "error",
  } as const;
  const document = parseDocument(text, options);
  let aliases = 0;
  const addError = (range: Range | null | undefined, message: string): void => {
    const [start, end] = range ?? [0, 0];
    document.errors.push(new YAMLParseError([start, end], "IMPOSSIBLE", message));
  };
  visit(document, {
    Alias(_, { range }) {
      aliases += 1;
      if (aliases === MAX_ALIASES + 1) addError(range, `Anchors are used more than ${MAX_ALIASES} times`);
    },
    Map(_, { items }) {
      const names = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        if (names.has(key.value)) addError(key.range, "Map keys must be unique");
        names.add(key.value);
      }
    },
  });
  for (const error of document.errors) error.linePos = [lines.linePos(error.pos[0])];
  return { document, lines };
}

function refuseLarge(text: string): void {
  refuseNested(text);
  let entries = 0;
  for (const sign of ENTRY_ENDS)
    for (let at = text.indexOf(sign); at >= 0; at = text.indexOf(sign, at + 1)) entries += 1;
  if (entries > MAX_ENTRIES)
    throw new RangeError(`The file has more than ${MAX_ENTRIES} lines and list entries. Split it into several files.`);
}

/** @throws RangeError for JSON or YAML text with brackets nested too deep for a parser */
export function refuseNested(text: string): void {
  let open = 0;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (sign === "[" || sign === "{") open += 1;
    else if ((sign === "]" || sign === "}") && open > 0) open -= 1;
    if (open > MAX_OPEN) throw new RangeError(`The file is nested more than ${MAX_OPEN} levels deep.`);
  }
}
