import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { crc32 } from "node:zlib";
import { LineReader } from "../disk/line-reader.ts";
import type { BadRange } from "../disk/line.ts";
import type { StoreFile, StoreFs } from "../disk/store-fs.ts";
import { getPlace } from "./ledger-table.ts";
import type { Follower, FollowerParts, LedgerTable, OpenTable } from "./ledger-table.ts";
import type { FileDamage } from "./questions.ts";

/** Bytes before a position that identify the file that was read. */
const TAIL_BYTES = 16 * 1_024;

/** Bytes of a log whose rows are committed together, because each commit writes pages of every table. */
const COMMITTED_BYTES = 4 * 1024 * 1024;

/** How far a file was read: a row of the index, written with the rows of its lines. */
interface Position {
  readonly name: string;
  readonly bytes: number;
  /** Checksum of the last bytes before it. */
  readonly tail: number;
}

export const POSITIONS = `
CREATE TABLE IF NOT EXISTS positions (
  log TEXT NOT NULL, name TEXT NOT NULL, bytes INTEGER NOT NULL, tail INTEGER NOT NULL, PRIMARY KEY (log, name)
) WITHOUT ROWID`;

/** Reads a log's files into its table, from where it stopped, the newest file first. */
export class LogFollower implements Follower {
  readonly #parts: FollowerParts;
  readonly #fs: StoreFs;
  readonly #folder: string;
  readonly #database: DatabaseSync;
  readonly #table: LedgerTable;
  readonly #open: OpenTable;
  readonly #positions = new Map<string, Position>();
  /** End position of the lines whose rows are not committed yet. */
  #added: Position | null = null;
  #isChecked = false;
  /** Bytes that are in the table, and that there are. */
  done = 0;
  total = 0;

  constructor(parts: FollowerParts) {
    const { fs, folder, database, table, open } = parts;
    this.#parts = parts;
    this.#fs = fs;
    this.#folder = folder;
    this.#database = database;
    this.#table = table;
    this.#open = open;
    const rows = database.prepare("SELECT name, bytes, tail FROM positions WHERE log = ?").all(table.name);
    for (const row of rows as unknown as Position[]) this.#positions.set(row.name, row);
    this.#count();
  }

  /** Whether it has read everything. */
  get isWhole(): boolean {
    return this.#isChecked && this.done >= this.total;
  }

  /** Reads what the files have by now. @param pause is called after each piece */
  async read(pause: () => Promise<void>): Promise<void> {
    const files = await this.#files();
    for (const name of this.#positions.keys()) if (!files.has(name)) this.#lose(name, "gone");
    this.total = [...files.values()].reduce((sum, { size }) => sum + size, 0);
    this.#count();
    const newestFirst = [...files].toSorted(([, a], [, b]) => b.number - a.number);
    for (const [name, { number, size }] of newestFirst) {
      const known = this.#positions.get(name);
      if (known?.bytes === size && this.#isChecked) continue;
      await this.#readFile(name, number, size, pause);
    }
    this.#isChecked = true;
    // An incomplete last line is read next time.
    this.done = this.total;
  }

  async #files(): Promise<Map<string, { readonly number: number; readonly size: number }>> {
    const files = new Map<string, { number: number; size: number }>();
    for (const name of await this.#fs.list(this.#folder)) {
      const number = this.#table.fileNumber(name);
      const size = number === null ? null : await this.#fs.size(join(this.#folder, name));
      if (number !== null && size !== null) files.set(name, { number, size });
    }
    return files;
  }

  #count(): void {
    this.done = [...this.#positions.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  }

  async #readFile(name: string, number: number, size: number, pause: () => Promise<void>): Promise<void> {
    const file = await this.#fs.open(join(this.#folder, name), "read");
    const ranges: BadRange[] = [];
    let unusable = 0;
    try {
      const known = this.#positions.get(name);
      if (known !== undefined && !(await isSame(file, size, known))) this.#lose(name, "changed");
      let at = this.#positions.get(name)?.bytes ?? 0;
      if (at >= size) return;
      const { longestLine: longest } = this.#table;
      const reader = new LineReader(file, { from: at, to: size, ...(longest === undefined ? {} : { longest }) });
      let committed = at;
      for (let batch = await reader.next(); batch !== null; batch = await reader.next()) {
        const bad = batch.bad.filter(({ torn }) => !torn);
        ranges.push(...bad);
        const lines = batch.lines.map(({ offset, length }) => offset + length + 1);
        const end = [...lines, ...bad.map((range) => range.end)].reduce((most, one) => Math.max(most, one), at);
        const position = end > at ? { name, bytes: end, tail: await readTail(file, end) } : null;
        this.#begin();
        for (const { value, offset, length } of batch.lines) {
          const place = getPlace(number, offset);
          if (place !== null && this.#open.add({ place, length, value }) === false) unusable += 1;
        }
        if (bad.length > 0) this.#open.addDamaged?.(bad.length);
        this.#added = position ?? this.#added;
        at = end;
        if (at - committed >= COMMITTED_BYTES) {
          this.commit();
          committed = at;
        }
        await pause();
      }
      this.commit();
    } finally {
      await file.close();
    }
    if (ranges.length > 0 || unusable > 0) this.#report(name, { ranges, unusable });
  }

  #lose(name: string, lost: "gone" | "changed"): void {
    const number = this.#table.fileNumber(name);
    this.#begin();
    if (number !== null) this.#open.forget(number);
    this.#database.prepare("DELETE FROM positions WHERE log = ? AND name = ?").run(this.#table.name, name);
    this.#database.exec("COMMIT");
    this.#parts.slot.owner = null;
    this.#positions.delete(name);
    this.#report(name, { lost });
  }

  #report(name: string, found: Partial<FileDamage>): void {
    this.#parts.report({ table: this.#table.name, name, ranges: [], unusable: 0, lost: null, ...found });
  }

  /** Begins to add rows. What another table has added is committed: its position is known after each piece. */
  #begin(): void {
    const { slot } = this.#parts;
    if (slot.owner !== this) slot.owner?.commit();
    slot.owner = this;
    if (!this.#database.isTransaction) this.#database.exec("BEGIN");
  }

  /** Commits rows and their position atomically. */
  commit(): void {
    const position = this.#added;
    this.#added = null;
    if (this.#parts.slot.owner !== this) return;
    this.#parts.slot.owner = null;
    this.#open.flush();
    if (position !== null) {
      const sql = "INSERT OR REPLACE INTO positions (log, name, bytes, tail) VALUES (?, ?, ?, ?)";
      this.#database.prepare(sql).run(this.#table.name, position.name, position.bytes, position.tail);
      this.#positions.set(position.name, position);
    }
    if (this.#database.isTransaction) this.#database.exec("COMMIT");
    this.#count();
  }
}

async function isSame(file: StoreFile, size: number, { bytes, tail }: Position): Promise<boolean> {
  return bytes <= size && (await readTail(file, bytes)) === tail;
}

async function readTail(file: StoreFile, end: number): Promise<number> {
  const bytes = Buffer.alloc(Math.min(TAIL_BYTES, end));
  await file.read(bytes, end - bytes.length);
  return crc32(bytes);
}
