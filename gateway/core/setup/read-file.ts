import { isNode } from "yaml";
import type { Document, LineCounter } from "yaml";
import { setupFileSchema, setupSchema } from "../../contract/setup.ts";
import type { Setup } from "../../contract/setup.ts";
import { isRecord } from "../../lib/records.ts";
import { messageOf } from "../../lib/message-of.ts";
import { redact } from "../../lib/redact.ts";
import { parseBoundedYaml } from "../yaml.ts";
import { FILE, SECRET, resolved } from "./references.ts";

/** What is wrong with a file, and where. */
export interface FileProblem {
  /** From 1; null where no line is meant. */
  readonly line: number | null;
  readonly message: string;
}

/** A file that is YAML, and no more is known of it. */
export interface ParsedFile {
  readonly tree: Readonly<Record<string, unknown>>;
  /** Its `secrets`, encrypted; null where it has none. */
  readonly secrets: string | null;
  /** The line of a value. */
  readonly lineOf: (path: readonly PropertyKey[]) => number | null;
}

/** Repeated nodes multiply: a small text could be a large tree. */
const MOST_ALIASES = 1_000;
const MOST_PROBLEMS = 10;

/** Reads YAML, and JSON, which is YAML too. */
export function parseFile(text: string): ParsedFile | readonly FileProblem[] {
  const broken = text.indexOf("\uFFFD");
  if (broken >= 0)
    return [{ line: text.slice(0, broken).split("\n").length, message: "It is not UTF-8. Save the file as UTF-8." }];
  let parsed: ReturnType<typeof parseBoundedYaml>;
  try {
    parsed = parseBoundedYaml(text);
  } catch (error) {
    return [{ line: null, message: messageOf(error) }];
  }
  const { document, lines } = parsed;
  const errors = document.errors.map(({ message, pos }) => ({ line: lines.linePos(pos[0]).line, message }));
  if (errors.length > 0) return errors.slice(0, MOST_PROBLEMS);
  let tree: unknown;
  try {
    tree = document.toJS({ maxAliasCount: MOST_ALIASES }) as unknown;
  } catch {
    return [{ line: null, message: "The file repeats itself too often (YAML aliases)." }];
  }
  if (tree === null || tree === undefined) tree = {};
  if (!isRecord(tree)) return [{ line: 1, message: "The file must be a mapping, as `connections:` and a list." }];
  const secrets = tree["secrets"];
  return {
    tree,
    secrets: typeof secrets === "string" ? secrets : null,
    lineOf: (path) => lineOf(path, document, lines),
  };
}

function lineOf(path: readonly PropertyKey[], document: Document, lines: LineCounter): number | null {
  // What is missing is told at what it is missing from.
  for (let end = path.length; end > 0; end--) {
    const node = document.getIn(path.slice(0, end), true);
    if (isNode(node) && node.range != null) return lines.linePos(node.range[0]).line;
  }
  return null;
}

/**
 * The set-up that a file is, with what its references stand for.
 * @param values by what is between the braces
 * @param secrets the file's own, opened; null where they are not
 */
export function readFile(
  { tree, lineOf: line }: ParsedFile,
  values: Readonly<Record<string, string>>,
  secrets: Readonly<Record<string, string>> | null,
): Setup | readonly FileProblem[] {
  const problems: FileProblem[] = [];
  const valueOf = (name: string, path: readonly PropertyKey[]): string => {
    const value = name.startsWith(SECRET) ? own(secrets ?? {}, name.slice(SECRET.length)) : own(values, name);
    if (value === undefined) problems.push({ line: line(path), message: unknownReference(name, secrets === null) });
    return value ?? "";
  };
  const { secrets: _encrypted, version: _version, ...sections } = tree;
  const setup = resolved(sections, valueOf);
  if (problems.length > 0) return problems.slice(0, MOST_PROBLEMS);
  const whole = setupFileSchema.safeParse({ ...tree, ...(setup as object) });
  if (whole.success) return setupSchema.parse(setup);
  return whole.error.issues.slice(0, MOST_PROBLEMS).map(({ path, message }) => {
    const place = path.length === 0 ? "" : `${pathText(path)}: `;
    return { line: line(path), message: redact(`${place}${message}`) };
  });
}

const own = (values: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.hasOwn(values, name) ? values[name] : undefined;

function unknownReference(name: string, isLocked: boolean): string {
  if (name.startsWith(SECRET) && isLocked)
    return `\${${name}} is encrypted in the file's 'secrets': give the passphrase.`;
  if (name.startsWith(SECRET)) return `\${${name}} is not among the file's 'secrets'.`;
  if (name.startsWith(FILE))
    return `\${${name}} cannot be read here: name a regular file of at most 64 KiB with one name, outside the data folder of Postern.`;
  return `\${${name}} stands for nothing here. Set that variable, or write $\${ where the characters themselves are meant.`;
}

/** `connections[0].base_url` */
function pathText(path: readonly PropertyKey[]): string {
  return path
    .map((part, index) => (typeof part === "number" ? `[${part}]` : `${index === 0 ? "" : "."}${String(part)}`))
    .join("");
}
