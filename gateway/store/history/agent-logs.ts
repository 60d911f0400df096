import { constants } from "node:fs";
import { lstat, open, readdir, realpath } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { NEWLINE } from "../disk/line.ts";
import { errorCode } from "../disk/store-fs.ts";
import { TooLarge, copyDatabase } from "../imports/program-files.ts";

/** A log of an agent as it lies in its folder. */
export interface AgentLogFile {
  readonly path: string;
  /** Folder names below the searched one. */
  readonly folders: readonly string[];
  /** File name without its ending. */
  readonly stem: string;
  readonly bytes: number;
}

/** Some lines of a log, in their order. */
export interface LogLines {
  readonly lines: readonly Buffer[];
  /** Lines that are longer than is read. */
  readonly tooLong: number;
  /** File offset after these lines. */
  readonly end: number;
}

/** Max logs in one folder, and max depth of folders: beyond that it is not an agent's history. */
const MOST_LOGS = 200_000;
const MOST_FOLDERS_DEEP = 16;
const READ_BYTES = 1024 * 1024;
/** Bytes of the first read; a first line is rarely longer. */
const FIRST_BYTES = 64 * 1024;
/** No response that is logged is as long; pictures and files in prompts may be, and are passed over. */
const LONGEST_LINE = 32 * 1024 * 1024;
/** Larger databases are not copied. */
const LARGEST_DATABASE = 2 * 1024 * 1024 * 1024;
/** Rows that are read at a time. */
const PAGE_ROWS = 20_000;
const TAIL_BYTES = 256;

/** Reads what agents have logged on this machine. Nothing is ever written, and no link below a folder is followed. */
export class AgentLogs {
  readonly #readBytes: number;
  readonly #longest: number;

  constructor({ readBytes = READ_BYTES, longest = LONGEST_LINE } = {}) {
    this.#readBytes = readBytes;
    this.#longest = longest;
  }

  /** Returns the real path of a folder; null if it is missing or unreadable. */
  async place(folder: string): Promise<string | null> {
    try {
      const path = await realpath(folder);
      return (await lstat(path)).isDirectory() ? path : null;
    } catch {
      return null;
    }
  }

  /**
   * The logs below a folder, in the order of their paths. What cannot be read is passed over.
   * @param files matches their paths below the folder, with `/` between names
   */
  async find(folder: string, files: RegExp): Promise<AgentLogFile[]> {
    const found: AgentLogFile[] = [];
    await collect(folder, [], files, found);
    return found.toSorted((one, other) => (one.path < other.path ? -1 : 1));
  }

  /**
   * Yields the lines of a log from an offset. A last line without a newline is included only if it is a complete
   * object; a partly written one is left for the next time.
   * @throws the system's errors; only regular files are read
   */
  async *lines(path: string, from: number, readBytes = this.#readBytes): AsyncGenerator<LogLines> {
    const file = await openLog(path);
    try {
      yield* this.#linesOf(file, from, readBytes);
    } finally {
      await file.close();
    }
  }

  /**
   * Reads a log that is one object.
   * @returns null if it is longer than is read
   * @throws the system's errors; only regular files are read
   */
  async whole(path: string): Promise<Buffer | null> {
    const file = await openLog(path);
    try {
      return (await file.stat()).size > this.#longest ? null : await file.readFile();
    } finally {
      await file.close();
    }
  }

  /**
   * Yields the rows of a database, from a copy of it: the agent may be writing it.
   * @param query selects one column, the row as JSON
   * @throws an error if it is no database, has not the tables of the query, or is too large
   */
  async *rows(path: string, query: string): AsyncGenerator<readonly Buffer[]> {
    await using copy = await copyDatabase(path, LARGEST_DATABASE);
    const { readRowsApart } = await import("../media/media-container.ts");
    for (let offset = 0; ; offset += PAGE_ROWS) {
      const rows = await readRowsApart(copy.path, `${query} LIMIT ${PAGE_ROWS} OFFSET ${offset}`);
      yield rows.map((row) => Buffer.from(row));
      if (rows.length < PAGE_ROWS) return;
    }
  }

  /** Returns the first line of a log, if it is not too long. */
  async first(path: string): Promise<Buffer | null> {
    for await (const { lines, tooLong } of this.lines(path, 0, FIRST_BYTES)) {
      if (tooLong > 0) return null;
      if (lines[0] !== undefined) return lines[0];
    }
    return null;
  }

  /** The bytes right before an offset. */
  async before(path: string, offset: number): Promise<Buffer> {
    const file = await openLog(path);
    try {
      const bytes = Buffer.alloc(Math.min(TAIL_BYTES, offset));
      const { bytesRead } = await file.read(bytes, 0, bytes.length, offset - bytes.length);
      return bytes.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  }

  async *#linesOf(file: FileHandle, from: number, readBytes: number): AsyncGenerator<LogLines> {
    let position = from;
    /** Start of a line; null while the rest of a too long line is skipped. */
    let rest: Buffer[] | null = [];
    let retained = 0;
    for (;;) {
      const chunk = Buffer.allocUnsafe(readBytes);
      const { bytesRead } = await file.read(chunk, 0, chunk.length, position);
      if (bytesRead === 0) break;
      position += bytesRead;
      const bytes = chunk.subarray(0, bytesRead);
      const lines: Buffer[] = [];
      let tooLong = 0;
      let start = 0;
      for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
        const piece = bytes.subarray(start, end);
        if (rest === null || retained + piece.length > this.#longest) tooLong += 1;
        else lines.push(retained === 0 ? piece : Buffer.concat([...rest, piece]));
        rest = [];
        retained = 0;
        start = end + 1;
      }
      const left = bytes.subarray(start);
      retained += left.length;
      if (retained > this.#longest) rest = null;
      else if (left.length > 0) rest?.push(left);
      if (start > 0) yield { lines, tooLong, end: position - left.length };
    }
    const last = rest === null ? Buffer.alloc(0) : Buffer.concat(rest);
    if (isWhole(last)) yield { lines: [last], tooLong: 0, end: position };
  }
}

async function collect(folder: string, names: readonly string[], files: RegExp, found: AgentLogFile[]): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    if (found.length >= MOST_LOGS) return;
    const path = join(folder, entry.name);
    if (entry.isDirectory() && names.length < MOST_FOLDERS_DEEP)
      await collect(path, [...names, entry.name], files, found);
    if (!entry.isFile() || !files.test([...names, entry.name].join("/"))) continue;
    const facts = await lstat(path).catch(() => null);
    if (facts?.isFile() !== true) continue;
    found.push({ path, folders: names, stem: entry.name.replace(/\.[^.]+$/, ""), bytes: facts.size });
  }
}

/** Opening a pipe in place of a log would block for its writer. */
async function openLog(path: string): Promise<FileHandle> {
  const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  try {
    if (!(await file.stat()).isFile()) throw Object.assign(new Error(`${path} is no file`), { code: "ENOTSUP" });
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

function isWhole(line: Buffer): boolean {
  if (line.length === 0) return false;
  try {
    JSON.parse(line.toString("utf8"));
    return true;
  } catch {
    return false;
  }
}

/** Describes briefly why a log could not be read. */
export function whyUnreadable(error: unknown): string {
  if (error instanceof TooLarge) return error.message;
  const code = errorCode(error);
  if (code === "ENOENT") return "it is gone";
  if (code === "EACCES" || code === "EPERM") return `it may not be read (${code})`;
  return code === "" ? "it cannot be read" : `it cannot be read (${code})`;
}
