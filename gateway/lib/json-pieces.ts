import { setImmediate as nextTurn } from "node:timers/promises";
import type { Cut, JsonScan } from "./json-scan.ts";
import { CLOSE_BRACE, CLOSE_BRACKET, COMMA, afterSpace } from "./json-splice.ts";

/** Bytes after which others have a turn of the event loop. */
const TURN_BYTES = 512 * 1_024;
/** Objects, arrays and texts after which they have one, too. */
const TURN_PIECES = 10_000;

type Container = unknown[] | Record<string, unknown>;

/**
 * Parses like `JSON.parse`, yielding to the event loop. It is also faster, because V8 reuses memory for strings of a
 * few kilobytes.
 * @param json must not be used by others meanwhile.
 * @throws SyntaxError with the reason of `JSON.parse` for the invalid piece.
 */
export async function parseInPieces(json: Buffer, { cuts }: JsonScan): Promise<unknown> {
  if (cuts.length === 0) return JSON.parse(json.toString());
  const document: unknown[] = [];
  /** Containers of several pieces, the innermost last. */
  const open: Container[] = [document];
  let from = -1;
  let yieldedAt: Pick<Cut, "at" | "pieces"> = { at: 0, pieces: 0 };
  for (const cut of cuts) {
    addPiece(json, from, cut, open);
    from = cut.at;
    if (from - yieldedAt.at < TURN_BYTES && cut.pieces - yieldedAt.pieces < TURN_PIECES) continue;
    yieldedAt = cut;
    await nextTurn();
  }
  if (open.length > 1 || afterSpace(json, from + 1) < json.length)
    throw createError("it does not end where it should", from);
  return document[0];
}

/** Parses the text between two cuts into the innermost container. @throws SyntaxError */
function addPiece(json: Buffer, from: number, { at, closers, path }: Cut, open: Container[]): void {
  const container = open.at(-1) as Container;
  const isEnd = json[at] !== COMMA;
  if (isEnd && json[at] !== (Array.isArray(container) ? CLOSE_BRACKET : CLOSE_BRACE))
    throw createError("a bracket closes another one", at);
  const start = findStart(json, from, at);
  if (start !== null) {
    const piece = parsePiece(json, start, at, Array.isArray(container) ? `[${closers}]` : `{${closers}}`);
    addMembers(container, piece);
    for (const name of path) open.push(findLast(json, open.at(-1) as Container, name));
    if (isEmpty(path.length === 0 ? piece : (open.at(-1) as Container))) throw createError("a value is missing", at);
  }
  if (isEnd) open.pop();
}

/** Returns the offset of the next member or item; null without one before `to`. @param from offset of the last cut */
function findStart(json: Buffer, from: number, to: number): number | null {
  if (from < 0 || json[from] === COMMA) return from + 1;
  const next = afterSpace(json, from + 1);
  if (next >= to) return null;
  if (json[next] !== COMMA) throw createError("a comma is missing", next);
  return next + 1;
}

/**
 * Temporarily overwrites the surrounding bytes by brackets, because concatenation would copy the text.
 * @param brackets brackets around the piece: one that opens it, and those that close it; none for the whole document
 */
function parsePiece(json: Buffer, start: number, end: number, brackets: string): Container {
  const isFirst = start === 0;
  const closers = isFirst ? brackets.slice(1, -1) : brackets.slice(1);
  const last = end + closers.length;
  if (last > json.length) throw createError("it ends too early", end);
  const from = isFirst ? 0 : start - 1;
  const [before, after] = [json[from] as number, Buffer.from(json.subarray(end, last))];
  if (!isFirst) json.write(brackets[0] as string, from, "latin1");
  json.write(closers, end, "latin1");
  const text = json.toString("utf8", from, last);
  json[from] = before;
  after.copy(json, end);
  try {
    const value: unknown = JSON.parse(text);
    return isFirst ? [value] : (value as Container);
  } catch (error) {
    const placed = (_text: string, at: string): string => `at position ${from + Number(at)}`;
    throw new SyntaxError((error as Error).message.replace(/at position (\d+).*/s, placed), { cause: error });
  }
}

function addMembers(container: Container, piece: Container): void {
  if (Array.isArray(container)) for (const item of piece as readonly unknown[]) container.push(item);
  else
    for (const [name, value] of Object.entries(piece)) {
      if (name !== "__proto__") container[name] = value;
      else Object.defineProperty(container, name, { value, writable: true, enumerable: true, configurable: true });
    }
}

/** The container that was opened last. @param name offsets of the quotes around its name */
function findLast(json: Buffer, container: Container, name: Cut["path"][number]): Container {
  if (Array.isArray(container)) return container.at(-1) as Container;
  const known = name === null ? "" : (JSON.parse(json.toString("utf8", name[0], name[1] + 1)) as string);
  // V8 may take a name with an escape for another one (json-scan.ts).
  return (Object.hasOwn(container, known) ? container[known] : Object.values(container).at(-1)) as Container;
}

function isEmpty(container: Container): boolean {
  if (Array.isArray(container)) return container.length === 0;
  for (const _ in container) return false;
  return true;
}

const createError = (reason: string, at: number): SyntaxError => new SyntaxError(`${reason} in JSON at position ${at}`);
