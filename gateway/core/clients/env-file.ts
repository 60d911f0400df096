import type { Data } from "./data.ts";
import { endedLine, findNextLine, getLineEnding } from "./file-format.ts";
import type { FileFormat } from "./file-format.ts";
import { createRefusal } from "./refused.ts";

/** A `.env` file: lines `NAME=value`; the last line of a name wins (README of dotenv 17, npm, read 2026-11-29). */
export const envFile: FileFormat = {
  parse(text) {
    return Object.fromEntries(readLines(text).map(({ name, value }) => [name, value]));
  },

  set(text, path, value, source) {
    const [name = ""] = path;
    const line = source ?? `${name}=${writeValue(value)}`;
    const known = findLine(text, name);
    if (known === undefined) return `${endedLine(text)}${line}${getLineEnding(text)}`;
    return text.slice(0, known.start) + line + text.slice(known.end);
  },

  append() {
    throw createRefusal("A file of variables has no lists.");
  },

  remove(text, path) {
    const known = findLine(text, String(path[0]));
    return known === undefined ? text : text.slice(0, known.start) + text.slice(findNextLine(text, known.end));
  },

  source(text, path) {
    const known = findLine(text, path[0] ?? "");
    return known === undefined ? null : text.slice(known.start, known.end);
  },
};

interface Line {
  readonly name: string;
  readonly value: string;
  /** Offsets of the line, without its line ending. */
  readonly start: number;
  readonly end: number;
}

function readLines(text: string): readonly Line[] {
  const lines: Line[] = [];
  let start = 0;
  for (const line of text.split("\n")) {
    const end = start + line.length - (line.endsWith("\r") ? 1 : 0);
    const at = line.indexOf("=");
    const name = line
      .slice(0, Math.max(at, 0))
      .trim()
      .replace(/^export\s/, "")
      .trim();
    if (/^[\w.-]+$/.test(name)) lines.push({ name, value: readValue(name, line.slice(at + 1).trim()), start, end });
    start += line.length + 1;
  }
  return lines;
}

/** Reads what follows the `=`, without quotes and a comment. @throws GatewayError for a text over several lines */
function readValue(name: string, rest: string): string {
  const [quote = ""] = rest;
  if (quote === "" || !"\"'`".includes(quote)) return (rest.split("#", 1)[0] ?? "").trim();
  const end = rest.indexOf(quote, 1);
  if (end === -1)
    throw createRefusal(`The value of ${name} in this file goes over several lines. Postern leaves it as it is.`);
  return rest.slice(1, end);
}

const findLine = (text: string, name: string): Line | undefined =>
  readLines(text).findLast((line) => line.name === name);

/** Keys, URLs and most model ids need no quotes. */
function writeValue(value: Data): string {
  const text = String(value);
  return /^[\w.:/@+-]*$/.test(text) ? text : `"${text}"`;
}
