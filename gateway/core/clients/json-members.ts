import type { Node } from "jsonc-parser";
import type { Data } from "./data.ts";
import { getLineEnding, computeLineStart, findNextLine } from "./file-format.ts";

/**
 * Inserts and removes members of JSON objects and elements of lists. jsonc-parser's own edits put a comma after a
 * comment that belongs to the line before, and rewrite trailing commas; this code changes only the inserted text.
 */

/** How far this file moves in: as its first member does, else two spaces. */
export function getIndentUnit(text: string): string {
  return /\{[^\S\n]*\r?\n([ \t]+)\S/.exec(text)?.[1] ?? "  ";
}

/** Inserts after the last member. `name` is null for lists, which take several; `source` is the source text, if known. */
export function insertInto(
  text: string,
  parent: Node,
  name: string | null,
  values: readonly Data[],
  source?: string,
): string {
  const eol = getLineEnding(text);
  const unit = getIndentUnit(text);
  const members = parent.children ?? [];
  const last = members.at(-1);
  const label = name === null ? "" : `${JSON.stringify(name)}: `;
  const lines = (indent: string): string =>
    source === undefined
      ? values
          .map((value) => label + JSON.stringify(value, null, unit).replaceAll("\n", eol + indent))
          .join(`,${eol}${indent}`)
      : label + source;
  if (last === undefined) {
    const close = parent.offset + parent.length - 1;
    const outer = getIndent(text, parent.offset);
    const indent = outer + unit;
    const closeLine = computeLineStart(text, close);
    // The bracket is on its own line, so a new line before it suffices.
    if (closeLine > parent.offset && text.slice(closeLine, close).trim() === "")
      return splice(text, closeLine, `${indent}${lines(indent)}${eol}`);
    return splice(text, close, `${eol}${indent}${lines(indent)}${eol}${outer}`);
  }
  const end = last.offset + last.length;
  const comma = computeCommaAfter(text, end);
  const own = computeLineStart(text, last.offset);
  const indent = text.slice(own, last.offset);
  const between = comma === null ? "," : "";
  const after = comma === null ? "" : ",";
  const next = comma === null ? end : comma + 1;
  // Written on one line with its neighbours: so is the new one.
  if (indent.trim() !== "")
    return splice(
      splice(text, next, ` ${label}${source ?? values.map((value) => JSON.stringify(value)).join(", ")}${after}`),
      end,
      between,
    );
  return splice(splice(text, restOfLine(text, next), `${eol}${indent}${lines(indent)}${after}`), end, between);
}

/** Takes members that follow each other out with their lines, and the comma that is one too many then. */
export function removeFrom(text: string, parent: Node, index: number, count = 1): string {
  const members = parent.children ?? [];
  const [member, last] = [members[index], members[index + count - 1]];
  if (member === undefined || last === undefined) return text;
  const end = last.offset + last.length;
  const comma = computeCommaAfter(text, end);
  const stop = comma === null ? end : comma + 1;
  const start = computeLineStart(text, member.offset);
  const next = findNextLine(text, stop);
  const alone = text.slice(start, member.offset).trim() === "" && text.slice(stop, next).trim() === "" && next > stop;
  const before = members[index - 1];
  const orphan = comma === null && before !== undefined ? computeCommaAfter(text, before.offset + before.length) : null;
  if (alone) return splice(cut(text, start, next), orphan ?? 0, "", orphan === null ? 0 : 1);
  if (orphan !== null)
    return splice(cut(text, Math.max(orphan + 1, gapBefore(text, member.offset)), end), orphan, "", 1);
  return cut(text, comma === null ? member.offset : gapBefore(text, member.offset), stop);
}

/** The comma that follows an offset, comments left aside; null when something else does. */
function computeCommaAfter(text: string, offset: number): number | null {
  const found = /^(?:\s|\/\/[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)*/.exec(text.slice(offset));
  const at = offset + (found?.[0].length ?? 0);
  return text[at] === "," ? at : null;
}

/** Returns the end of the line if only blanks and comments follow; else the offset itself. */
function restOfLine(text: string, offset: number): number {
  const rest = /^(?:[ \t]|\/\*(?:(?!\*\/)[^\n])*\*\/)*(?:\/\/[^\r\n]*)?(?=\r?\n)/.exec(text.slice(offset));
  return offset + (rest?.[0].length ?? 0);
}

function gapBefore(text: string, offset: number): number {
  let at = offset;
  while (at > 0 && (text[at - 1] === " " || text[at - 1] === "\t")) at--;
  return at;
}

function getIndent(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(computeLineStart(text, offset)))?.[0] ?? "";
}

function cut(text: string, from: number, to: number): string {
  return text.slice(0, from) + text.slice(to);
}

function splice(text: string, at: number, insert: string, remove = 0): string {
  return text.slice(0, at) + insert + text.slice(at + remove);
}
