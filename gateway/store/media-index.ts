import type { MediaKind } from "../core/media-type.ts";
import type { MediaLine, PendingMedia } from "./media-lines.ts";
import type { LinePlace } from "./media-log.ts";

/** What is in memory of an entry: enough to find, filter and serve it. The rest is read from the log when shown. */
export interface MediaRow {
  readonly id: string;
  readonly at: number;
  readonly kind: MediaKind;
  readonly model: string;
  readonly extension: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly place: LinePlace;
  missing: boolean;
}

export interface MediaQuery {
  readonly limit: number;
  /** A row's number, as the previous page gave it. */
  readonly before: number | null;
  readonly kind?: MediaKind;
  readonly model?: string;
}

/** The library's list in memory, in the order in which results were saved. */
export class MediaIndex {
  readonly pending = new Map<string, PendingMedia>();
  readonly #rows: MediaRow[] = [];
  readonly #byId = new Map<string, MediaRow>();
  /** One string for each model, not one for each row. */
  readonly #words = new Map<string, string>();

  get size(): number {
    return this.#rows.length;
  }

  apply(line: MediaLine, place: LinePlace): void {
    switch (line.op) {
      case "add":
        this.#add(line, place);
        break;
      case "pending":
        if (!this.#byId.has(line.pending.id)) this.pending.set(line.pending.id, line.pending);
        break;
      case "drop":
        this.pending.delete(line.id);
        break;
      case "missing":
      case "found": {
        const row = this.#byId.get(line.id);
        if (row !== undefined) row.missing = line.op === "missing";
      }
    }
  }

  get(id: string): MediaRow | undefined {
    return this.#byId.get(id);
  }

  /** Newest first. @returns `next` to go on with as `before`; null at the end */
  list({ limit, before, kind, model }: MediaQuery): { rows: MediaRow[]; next: number | null } {
    const rows: MediaRow[] = [];
    let number = Math.min(before ?? this.#rows.length, this.#rows.length) - 1;
    for (; number >= 0 && rows.length < limit; number -= 1) {
      const row = this.#rows[number] as MediaRow;
      if ((kind === undefined || row.kind === kind) && (model === undefined || row.model === model)) rows.push(row);
    }
    return { rows, next: number < 0 ? null : number + 1 };
  }

  #add({ entry, extension }: MediaLine & { op: "add" }, place: LinePlace): void {
    this.pending.delete(entry.id);
    // Somebody may have put two copies of a log together.
    if (this.#byId.has(entry.id)) return;
    const { id, at, kind, bytes, sha256 } = entry;
    const row: MediaRow = {
      id,
      at,
      kind,
      model: this.#word(entry.origin.model),
      extension: this.#word(extension),
      bytes,
      sha256,
      place,
      missing: false,
    };
    this.#rows.push(row);
    this.#byId.set(id, row);
  }

  #word(text: string): string {
    const known = this.#words.get(text);
    if (known !== undefined) return known;
    this.#words.set(text, text);
    return text;
  }
}
