import { isScalar, parseDocument, visit } from "yaml";
import type { Document, LineCounter } from "yaml";

/** Max entries of a file: its line ends and commas. */
const MAX_ENTRIES = 50_000;
/** Max brackets that stand open at once. */
const MAX_OPEN = 200;

/** Why a text is not parsed, as a sentence; null where it may be. */
export function refuseLargeYaml(text: string): string | null {
  let entries = 0;
  let open = 0;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (sign === "\n" || sign === ",") entries += 1;
    else if (sign === "[" || sign === "{") open += 1;
    else if ((sign === "]" || sign === "}") && open > 0) open -= 1;
    if (open > MAX_OPEN) return `The file is nested more than ${MAX_OPEN} levels deep.`;
  }
  return entries > MAX_ENTRIES ? `The file has more than ${MAX_ENTRIES} entries. Split it into several files.` : null;
}

/** A document whose keys are unique: the parser's own check compares each key with all others. */
export function parseUniqueYaml(text: string, lineCounter?: LineCounter): Document.Parsed {
  const options = { uniqueKeys: false, prettyErrors: false, logLevel: "error" } as const;
  const document = parseDocument(text, lineCounter === undefined ? options : { ...options, lineCounter });
  visit(document, {
    Map(_, { items }) {
      const names = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        if (names.has(key.value)) {
          const [start, end] = key.range ?? [0, 0];
          document.errors.push(duplicateKey(start, end));
        }
        names.add(key.value);
      }
    },
  });
  return document;
}
