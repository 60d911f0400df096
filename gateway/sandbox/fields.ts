/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** A JSON object whose fields have not been looked at yet. */
export type Fields = Readonly<Record<string, unknown>>;

/** `value` as a list; empty when it is none. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** `value` as text; undefined when it is none. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
