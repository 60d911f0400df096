import type { MediaEntry } from "../../contract/media.ts";
import type { LinePlace } from "../disk/line-log.ts";
import type { MediaLine, PendingMedia } from "./media-lines.ts";
import type { MediaRow, PosterFile } from "./media-row.ts";

/** A row whose state changes with the lines of the log. */
class Row implements MediaRow {
  readonly id: string;
  readonly at: number;
  readonly kind: MediaEntry["kind"];
  readonly extension: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly place: LinePlace;
  missing = false;
  poster: PosterFile | null = null;
  deletedUntil: number | null = null;

  constructor({ entry, extension }: Extract<MediaLine, { readonly op: "add" }>, place: LinePlace) {
    const { id, at, kind, bytes, sha256 } = entry;
    this.id = id;
    this.at = at;
    this.kind = kind;
    this.extension = extension;
    this.bytes = bytes;
    this.sha256 = sha256;
    this.place = place;
  }
}

/** The library's results in memory, in the order in which they were saved: what serves and removes them. */
export class MediaIndex {
  readonly pending = new Map<string, PendingMedia>();
  /** Bytes of lines that say nothing any more. */
  deadBytes = 0;
  readonly #byId = new Map<string, Row>();
  readonly #deleted = new Set<Row>();
  /** How many entries and posters name a file; made when it is first asked for. */
  #names: Map<string, number> | null = null;

  /** Entries that are in the library. */
  get size(): number {
    return this.#byId.size - this.#deleted.size;
  }

  /** Entries that were taken out, and whose files are still there. */
  get deleted(): readonly MediaRow[] {
    return [...this.#deleted];
  }

  apply(line: MediaLine, place: LinePlace): void {
    switch (line.op) {
      case "begun":
        return;
      case "add":
        return this.#add(line, place);
      case "pending":
        if (this.#byId.has(line.pending.id)) this.deadBytes += place.length;
        else this.pending.set(line.pending.id, line.pending);
        return;
      case "drop":
        this.pending.delete(line.id);
        this.deadBytes += 2 * place.length;
        return;
      case "missing":
      case "found":
        return this.mark(line.id, line.op === "missing");
      case "poster":
        return this.#change([line.id], (row) => this.#setPoster(row, line.poster));
      case "deleted":
        return this.#change(line.ids, (row) => {
          row.deletedUntil = line.until;
          this.#deleted.add(row);
        });
      case "restored":
        return this.#change(line.ids, (row) => {
          row.deletedUntil = null;
          this.#deleted.delete(row);
        });
      case "removed":
        this.deadBytes += place.length;
        return this.#change(line.ids, (row) => this.#remove(row));
    }
  }

  /** An entry, whether or not it was taken out. */
  get(id: string): MediaRow | undefined {
    return this.#byId.get(id);
  }

  /** Whether an entry's file is missing. */
  mark(id: string, missing: boolean): void {
    this.#change([id], (row) => {
      row.missing = missing;
    });
  }

  /** How many entries and posters name a file. */
  namesOf(sha256: string): number {
    if (this.#names === null) {
      const names = (this.#names = new Map<string, number>());
      const count = (one: string): unknown => names.set(one, (names.get(one) ?? 0) + 1);
      for (const { sha256: own, poster } of this.#byId.values()) {
        count(own);
        if (poster !== null) count(poster.sha256);
      }
    }
    return this.#names.get(sha256) ?? 0;
  }

  /** Yields the rows of the library, oldest first. */
  *oldestFirst(): Generator<MediaRow> {
    for (const row of this.#byId.values()) if (row.deletedUntil === null) yield row;
  }

  #add(line: Extract<MediaLine, { readonly op: "add" }>, place: LinePlace): void {
    const { id, sha256 } = line.entry;
    if (this.pending.delete(id)) this.deadBytes += place.length;
    // A user may have concatenated two copies of a log.
    if (this.#byId.has(id)) return;
    this.#byId.set(id, new Row(line, place));
    this.#count(sha256, 1);
  }

  #change(ids: readonly string[], change: (row: Row) => void): void {
    for (const id of ids) {
      const row = this.#byId.get(id);
      if (row !== undefined) change(row);
    }
  }

  #setPoster(row: Row, poster: PosterFile): void {
    if (row.poster !== null) this.#count(row.poster.sha256, -1);
    this.#count(poster.sha256, 1);
    row.poster = poster;
  }

  #remove(row: Row): void {
    this.#byId.delete(row.id);
    this.#deleted.delete(row);
    this.#count(row.sha256, -1);
    if (row.poster !== null) this.#count(row.poster.sha256, -1);
    this.deadBytes += row.place.length;
  }

  #count(sha256: string, by: 1 | -1): void {
    if (this.#names === null) return;
    const names = this.namesOf(sha256) + by;
    if (names === 0) this.#names.delete(sha256);
    else this.#names.set(sha256, names);
  }
}
