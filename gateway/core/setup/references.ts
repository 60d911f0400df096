import { isRecord } from "../../lib/records.ts";

/** `${NAME}` in a text, and `$${`, which stands for the two characters themselves. */
const REFERENCE = /\$\$\{|\$\{([^{}\n]*)\}/g;
const OPENING = "${";
/** `$${` as replacement text. */
const ESCAPED = "$$$${";

/** `${secret:name}`: one of the file's own secrets. */
export const SECRET = "secret:";
/** `${file:/path}`: what is in a file, as those of `/run/secrets`. */
export const FILE = "file:";

/** The names between the braces, each once. Of a file that is not parsed yet they may be more than it means. */
export function findReferences(text: string): readonly string[] {
  const names = [...text.matchAll(REFERENCE)].flatMap(([, name]) => (name === undefined ? [] : [name]));
  return [...new Set(names)];
}

/** Every reference of a value, with the section and the item of a list that it stands in. */
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

/** A value whose texts have what their references stand for. Names of fields stay. */
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

/** A value whose texts mean themselves where references are looked for. Names of fields stay. */
export function literal(value: unknown): unknown {
  if (typeof value === "string") return value.replaceAll(OPENING, ESCAPED);
  if (Array.isArray(value)) return value.map(literal);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, literal(inner)]));
}
