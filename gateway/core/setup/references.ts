import { isRecord } from "../../lib/records.ts";

/** `${NAME}` in a text, and `$${`, the escape of `${`. */
const REFERENCE = /\$\$\{|\$\{([^{}\n]*)\}/g;
const OPENING = "${";
/** `$${` as replacement text. */
const ESCAPED = "$$$${";

/** `${secret:name}`: one of the file's own secrets. */
export const SECRET = "secret:";
/** `${file:/path}`: content of a file, e.g. of `/run/secrets`. */
export const FILE = "file:";

/** Returns the unique names between the braces. For a file that is not parsed yet this may include false matches. */
export function findReferences(text: string): readonly string[] {
  const names = [...text.matchAll(REFERENCE)].flatMap(([, name]) => (name === undefined ? [] : [name]));
  return [...new Set(names)];
}

/** Lists all references of a value, with their section and list index. */
export function listReferences(tree: Readonly<Record<string, unknown>>): readonly ReferencePlace[] {
  return Object.entries(tree).flatMap(([section, value]) =>
    (Array.isArray(value) ? value : [value]).flatMap((item: unknown, index) =>
      findReferences(JSON.stringify(item) ?? "").map((name) => ({ name, section, index })),
    ),
  );
}

export interface ReferencePlace {
  readonly name: string;
  readonly section: string;
  readonly index: number;
}

/** Replaces the references in all strings of a value. Field names are unchanged. */
export function resolveReferences(
  value: unknown,
  valueOf: (name: string, path: readonly PropertyKey[]) => string,
  path: readonly PropertyKey[] = [],
): unknown {
  if (typeof value === "string" && !value.includes(OPENING)) return value;
  if (typeof value === "string")
    return value.replaceAll(REFERENCE, (_all, name: string | undefined) =>
      name === undefined ? OPENING : valueOf(name, path),
    );
  if (Array.isArray(value)) return value.map((inner, index) => resolveReferences(inner, valueOf, [...path, index]));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, resolveReferences(inner, valueOf, [...path, name])]),
  );
}

/** Escapes all strings of a value so that they contain no references. Field names are unchanged. */
export function literal(value: unknown): unknown {
  if (typeof value === "string") return value.replaceAll(OPENING, ESCAPED);
  if (Array.isArray(value)) return value.map(literal);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, literal(inner)]));
}
