import type { Data, Path } from "./data.ts";

/** A setting that a client needs in its file. */
export interface Setting {
  /** `value`: the value at `path`. `item`: an element of the list at `path`, next to existing ones. */
  readonly kind: "value" | "item";
  readonly path: readonly string[];
  readonly value: Data;
  /** Whether it is written only to a file without settings. */
  readonly onlyInNewFile?: true;
  /** The client writes another value by itself, which is Postern's to take out as well. */
  readonly isRewritten?: true;
}

/**
 * How a format is changed: pure, text in and text out. What is not named stays byte for byte as it was. Every function
 * throws GatewayError `conflict` with a sentence for text that it does not understand; it never guesses.
 */
export interface FileFormat {
  parse(text: string): Data;
  /** Sets a value; `source` is its source text, if known. */
  set(text: string, path: readonly string[], value: Data, source?: string): string;
  /** Appends elements to a list. */
  append(text: string, path: readonly string[], items: readonly Data[]): string;
  /** Removes a value, or `count` elements of a list that follow each other. */
  remove(text: string, path: Path, count?: number): string;
  /** Returns the source text of the value at a path; null if there is no such value. */
  source(text: string, path: readonly string[]): string | null;
}

export type FormatName = "json" | "toml" | "yaml" | "env";

/** The line ending of a text: that of its first line. */
export function getLineEnding(text: string): "\n" | "\r\n" {
  const first = text.indexOf("\n");
  return first > 0 && text[first - 1] === "\r" ? "\r\n" : "\n";
}

/** Returns text that can be appended to: empty, or with a line ending at its end. */
export function endedLine(text: string): string {
  return text === "" || text.endsWith("\n") ? text : text + getLineEnding(text);
}

/** Returns the offset at which a line starts. */
export function computeLineStart(text: string, offset: number): number {
  return text.lastIndexOf("\n", offset - 1) + 1;
}

/** Returns the offset at which a line ends: its line ending, or the end of the text. */
export function computeLineEnd(text: string, offset: number): number {
  const end = text.indexOf("\n", offset);
  if (end === -1) return text.length;
  return end > offset && text[end - 1] === "\r" ? end - 1 : end;
}

/** Returns the offset at which the next line starts. */
export function findNextLine(text: string, offset: number): number {
  const end = text.indexOf("\n", offset);
  return end === -1 ? text.length : end + 1;
}
