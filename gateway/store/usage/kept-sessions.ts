import { join } from "node:path";
import { crc32 } from "node:zlib";
import { SessionSums } from "../../core/sessions/session-sums.ts";
import type { SessionRow } from "../../core/sessions/session-sums.ts";
import type { Clock } from "../../lib/clock.ts";
import { Slices } from "../../lib/slices.ts";
import { frame } from "../disk/line.ts";
import { LineReader } from "../disk/line-reader.ts";
import type { StoreFs } from "../disk/store-fs.ts";
import type { ColumnsMark, ReceiptColumns } from "./receipt-columns.ts";

const FILE = "usage.sessions";
/** How sums are made of receipts, and how they are written. With another number they are made again. */
const FORMAT = 1;
/** Sessions of a line: a millisecond of work. */
const ROWS = 250;

/** The sessions that were forgotten: should one of them go on, its sums are not those of all its requests. */
export class ForgottenSessions {
  readonly #sums: Set<number>;
  readonly #ids = new Set<string>();

  /** @param sums checksums of ids: where a new session has one of them, the log is read for nothing */
  constructor(sums: Iterable<number> = []) {
    this.#sums = new Set(sums);
  }

  add(id: string): void {
    this.#ids.add(id);
  }

  has(id: string): boolean {
    return this.#ids.has(id) || this.#sums.has(crc32(id));
  }

  sums(): Uint32Array<ArrayBuffer> {
    return Uint32Array.from([...this.#sums, ...Array.from(this.#ids, (id) => crc32(id))]);
  }
}

interface UpToMark {
  readonly mark: ColumnsMark;
  /** False where older receipts were not looked at. */
  readonly complete: boolean;
}

/** What sessions add up to, as far as a mark. */
export interface SumsSoFar extends UpToMark {
  readonly sums: SessionSums;
  readonly forgotten: ForgottenSessions;
}

/** The same, as it was before later ones were counted. */
export interface RowsSoFar extends UpToMark {
  readonly rows: readonly SessionRow[];
  readonly forgotten: Uint32Array<ArrayBuffer>;
}

/** The first line of the file. */
interface Begin extends UpToMark {
  readonly format: number;
  readonly sessions: number;
  /** Their checksums, four bytes each, in base64. */
  readonly forgotten: string;
}

/**
 * Sums of sessions next to the log, as far as its receipts were in full blocks of columns: who asks after a start has only
 * what came since read. As columns they are made of the log, are in no backup, and are made again where they do not fit it.
 */
export class KeptSessions {
  readonly #fs: StoreFs;
  readonly #path: string;
  readonly #columns: ReceiptColumns;
  readonly #clock: Clock;

  constructor(fs: StoreFs, folder: string, columns: ReceiptColumns, clock: Clock) {
    this.#fs = fs;
    this.#path = join(folder, FILE);
    this.#columns = columns;
    this.#clock = clock;
  }

  /** @param most sessions @returns null where there are none that fit the log */
  async load(most?: number): Promise<SumsSoFar | null> {
    const size = (await this.#fs.size(this.#path)) ?? 0;
    if (size === 0) return null;
    const file = await this.#fs.open(this.#path, "read");
    try {
      const reader = new LineReader(file, { to: size });
      let begin: Begin | null = null;
      let found: SumsSoFar | null = null;
      for (let cut = await reader.next(); cut !== null; cut = await reader.next()) {
        if (cut.bad.length > 0) return null;
        for (const { value } of cut.lines) {
          if (found !== null) for (const row of value as SessionRow[]) found.sums.restore(row);
          else {
            begin = value as Begin;
            if (begin.format !== FORMAT || !(await this.#columns.fits(begin.mark))) return null;
            found = emptyOf(begin, most);
          }
        }
      }
      return found?.sums.size === begin?.sessions ? found : null;
    } finally {
      await file.close();
    }
  }

  /** Writes them in the place of others. */
  async save({ mark, complete, rows, forgotten }: RowsSoFar): Promise<void> {
    const bytes = Buffer.from(forgotten.buffer).toString("base64");
    const begin: Begin = { format: FORMAT, mark, complete, sessions: rows.length, forgotten: bytes };
    const slices = new Slices(this.#clock);
    const file = await this.#fs.open(this.#path, "append");
    try {
      await file.truncate(0);
      let at = 0;
      for (let from = 0; from <= rows.length; from += ROWS) {
        const some = frame(JSON.stringify(rows.slice(from, from + ROWS)));
        const line = Buffer.from(from === 0 ? frame(JSON.stringify(begin)) + some : some);
        await file.write(line, at);
        at += line.length;
        if (slices.over) await slices.pause();
      }
    } finally {
      await file.close();
    }
  }
}

function emptyOf({ mark, complete, forgotten: sums }: Begin, most: number | undefined): SumsSoFar {
  const bytes = Buffer.from(sums, "base64");
  const forgotten = new ForgottenSessions(new Uint32Array(Uint8Array.from(bytes).buffer));
  return { mark, complete, forgotten, sums: new SessionSums(most, bytes.length > 0, (id) => forgotten.add(id)) };
}
