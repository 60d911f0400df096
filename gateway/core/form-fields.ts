import { isRecord } from "../lib/records.ts";

/** Max nesting of field names. */
const DEEPEST = 8;

/**
 * Sets a form's field by its bracketed name: SDKs write nested objects as `parameters[size]`, and lists as
 * `media[][type]`, where a repeated name starts the next item.
 * @param fields the fields so far, modified in place. Names such as `__proto__` are treated as data.
 * @returns false if the name is duplicate or conflicts with earlier names
 */
export function putField(fields: Record<string, unknown>, name: string, value: unknown): boolean {
  return put(fields, getParts(name), value);
}

/** `a[b][][c]` in its parts, an empty one for a list; a name in another spelling is one part. */
function getParts(name: string): readonly string[] {
  const [, first, rest] = /^([^[\]]+)((?:\[[^[\]]*\])+)$/.exec(name) ?? [];
  if (first === undefined || rest === undefined) return [name];
  const inner = rest.slice(1, -1).split("][");
  return inner.length < DEEPEST ? [first, ...inner] : [name];
}

function put(target: Record<string, unknown>, [name = "", ...rest]: readonly string[], value: unknown): boolean {
  if (rest.length === 0) return !Object.hasOwn(target, name) && define(target, name, value);
  if (!Object.hasOwn(target, name)) define(target, name, rest[0] === "" ? [] : {});
  const inner = target[name];
  if (rest[0] !== "") return isRecord(inner) && put(inner, rest, value);
  return Array.isArray(inner) && putInList(inner, rest.slice(1), value);
}

function putInList(list: unknown[], rest: readonly string[], value: unknown): boolean {
  const [name] = rest;
  if (name === undefined) {
    list.push(value);
    return true;
  }
  // Nested lists have no names that could separate their items.
  if (name === "") return false;
  const last = list.at(-1);
  if (isRecord(last) && (rest.length > 1 || !Object.hasOwn(last, name))) return put(last, rest, value);
  const next: Record<string, unknown> = {};
  list.push(next);
  return put(next, rest, value);
}

/** Also for names that objects inherit. */
function define(target: Record<string, unknown>, name: string, value: unknown): true {
  Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
  return true;
}

/** A number in JSON's spelling or another decimal one (`0.0`, `.5`, `1.`, `+2`, `00`); null for other texts. */
export function readNumber(text: string): number | null {
  const number = /^[+-]?(\d+(?:\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(text.trim()) ? Number(text) : Number.NaN;
  return Number.isFinite(number) ? number : null;
}

const FLAGS: Readonly<Record<string, boolean>> = { true: true, "1": true, false: false, "0": false };

/** A boolean as JSON, Python (`True`) and PHP (`1`) write it into forms; null for other texts. */
export function readBoolean(text: string): boolean | null {
  return FLAGS[text.trim().toLowerCase()] ?? null;
}

/** Returns a form's text as the JSON type that it looks like, for fields of unknown type. */
export function typedText(text: string): string | number | boolean {
  if (/^(true|false)$/i.test(text)) return text.toLowerCase() === "true";
  const number = readNumber(text);
  // Values with a leading zero or plus are account numbers or dates, and long ids exceed the precision of numbers.
  const isText =
    number === null || /^\s|\s$|^\+|^-?0\d/.test(text) || (!/[.e]/i.test(text) && !Number.isSafeInteger(number));
  return isText ? text : number;
}
