import { isNode } from "yaml";
import { isRecord } from "../../lib/records.ts";
import { getMessage } from "../../lib/message-of.ts";
import { MAX_ALIASES, parseBoundedYaml } from "../yaml.ts";

/** A problem of a file, with its line. */
export interface FileProblem {
  /** Line number from 1; null without one. */
  readonly line: number | null;
  readonly message: string;
}

/** A file that is valid YAML, not validated further. */
export interface ParsedFile {
  readonly tree: Readonly<Record<string, unknown>>;
  /** The encrypted `secrets`; null without them. */
  readonly secrets: string | null;
}

export const MOST_PROBLEMS = 10;

/** Reads YAML, and JSON, which is YAML too. */
export function parseFile(text: string): ParsedFile | readonly FileProblem[] {
  const broken = text.indexOf("\uFFFD");
  if (broken >= 0)
    return [{ line: text.slice(0, broken).split("\n").length, message: "It is not UTF-8. Save the file as UTF-8." }];
  let parsed: ReturnType<typeof parseBoundedYaml>;
  try {
    parsed = parseBoundedYaml(text);
  } catch (error) {
    return [{ line: null, message: getMessage(error) }];
  }
  const { document, lines } = parsed;
  const errors = document.errors.map(({ message, pos }) => ({ line: lines.linePos(pos[0]).line, message }));
  if (errors.length > 0) return errors.slice(0, MOST_PROBLEMS);
  let tree: unknown;
  try {
    tree = document.toJS({ maxAliasCount: MAX_ALIASES }) as unknown;
  } catch {
    return [{ line: null, message: "The file repeats itself too often (YAML aliases)." }];
  }
  if (tree === null || tree === undefined) tree = {};
  if (!isRecord(tree)) return [{ line: 1, message: "The file must be a mapping, as `connections:` and a list." }];
  const secrets = tree["secrets"];
  return { tree, secrets: typeof secrets === "string" ? secrets : null };
}

/**
 * Returns the lines of values in a text that `parseFile` has read. It parses again, which only a file with problems
 * needs.
 */
export function findLines(text: string, paths: readonly (readonly PropertyKey[])[]): readonly (number | null)[] {
  const { document, lines } = parseBoundedYaml(text);
  return paths.map((path) => {
    // A missing field is reported at its nearest parent.
    for (let end = path.length; end > 0; end--) {
      const node = document.getIn(path.slice(0, end), true);
      if (isNode(node) && node.range != null) return lines.linePos(node.range[0]).line;
    }
    return null;
  });
}
