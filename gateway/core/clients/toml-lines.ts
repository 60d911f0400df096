import { findNextLine } from "./file-format.ts";
import { readLine, createRefusal } from "./refused.ts";

/** A part of a TOML file: the range of a table's header, or of a key and its value. */
export type TomlPart =
  | { readonly kind: "table"; readonly path: readonly string[]; readonly start: number; readonly end: number }
  | {
      readonly kind: "pair";
      readonly path: readonly string[];
      readonly start: number;
      readonly end: number;
      /** Range of the value, without a trailing comment. */
      readonly valueStart: number;
      readonly valueEnd: number;
    };

/**
 * Lists tables and pairs of a valid TOML file in order, with whole lines as `start` and `end`. Blank lines and comments
 * lie between them.
 */
export function listTomlParts(text: string): readonly TomlPart[] {
  const parts: TomlPart[] = [];
  let at = 0;
  while (at < text.length) {
    const start = at;
    at = skip(text, at, /[ \t]/);
    const head = text[at];
    if (head === "[") {
      const double = text[at + 1] === "[";
      const key = readKey(text, at + (double ? 2 : 1));
      const end = findNextLine(text, key.end);
      parts.push({ kind: "table", path: key.path, start, end });
      at = end;
    } else if (head === undefined || head === "#" || head === "\n" || head === "\r") {
      at = findNextLine(text, at);
    } else {
      const key = readKey(text, at);
      if (text[key.end] !== "=") throw notUnderstood(text, key.end);
      const valueStart = skip(text, key.end + 1, /[ \t]/);
      const valueEnd = endOfValue(text, valueStart);
      const end = findNextLine(text, valueEnd);
      parts.push({ kind: "pair", path: key.path, start, end, valueStart, valueEnd });
      at = end;
    }
  }
  return parts;
}

/** Reads a key with dots and quotes, up to the `=` or `]` after it. */
function readKey(text: string, from: number): { path: readonly string[]; end: number } {
  const path: string[] = [];
  let at = from;
  for (;;) {
    at = skip(text, at, /[ \t]/);
    const quote = text[at];
    if (quote === '"' || quote === "'") {
      const end = endOfLine(text, at, quote);
      const inner = text.slice(at + 1, end - 1);
      path.push(quote === '"' && inner.includes("\\") ? (JSON.parse(`"${inner}"`) as string) : inner);
      at = end;
    } else {
      const end = skip(text, at, /[A-Za-z0-9_-]/);
      if (end === at) throw notUnderstood(text, at);
      path.push(text.slice(at, end));
      at = end;
    }
    at = skip(text, at, /[ \t]/);
    if (text[at] !== ".") return { path, end: at };
    at++;
  }
}

/** Returns the end of a value that may span lines: strings, lists and inline tables, with comments within lists. */
function endOfValue(text: string, from: number): number {
  let depth = 0;
  let at = from;
  let end = from;
  while (at < text.length) {
    const char = text[at] ?? "";
    if (char === '"' || char === "'") {
      const long = text.startsWith(char.repeat(3), at);
      at = long ? endOfLong(text, at, char) : endOfLine(text, at, char);
      end = at;
      continue;
    }
    if (char === "#" || char === "\n") {
      if (depth === 0) return end;
      at = char === "#" ? endOfComment(text, at) : at + 1;
      continue;
    }
    if (char === "[" || char === "{") depth++;
    if (char === "]" || char === "}") depth--;
    at++;
    if (!/\s/.test(char)) end = at;
  }
  return end;
}

function endOfLine(text: string, from: number, quote: string): number {
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === "\\" && quote === '"') at++;
    else if (text[at] === quote) return at + 1;
    else if (text[at] === "\n") break;
  }
  throw notUnderstood(text, from);
}

function endOfLong(text: string, from: number, quote: string): number {
  for (let at = from + 3; at < text.length; at++) {
    if (text[at] === "\\" && quote === '"') at++;
    else if (text.startsWith(quote.repeat(3), at)) {
      let end = at + 3;
      // Up to two quotes may precede the closing three.
      while (end < at + 5 && text[end] === quote) end++;
      return end;
    }
  }
  throw notUnderstood(text, from);
}

function endOfComment(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end === -1 ? text.length : end;
}

function skip(text: string, from: number, what: RegExp): number {
  let at = from;
  while (at < text.length && what.test(text[at] ?? "")) at++;
  return at;
}

function notUnderstood(text: string, at: number): Error {
  return createRefusal(`Line ${readLine(text, at)} of this file is written in a way that Postern does not edit.`);
}
