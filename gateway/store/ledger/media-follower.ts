import { listFolders, readFolder } from "../media/library-folders.ts";
import type { FolderContent } from "../media/library-folders.ts";
import type { Follower, FollowerParts } from "./ledger-table.ts";

/** Milliseconds between two changes that all disks' time stamps distinguish. */
const SETTLED_MS = 3_000;
/** The date of no folder. */
const UNSETTLED = -1;

/**
 * Reads the library's folders into its table. The first pass compares all names, so that changes without a running
 * index are found; later passes read folders with a new modification time, or that the library itself has changed.
 */
export class MediaFollower implements Follower {
  readonly #parts: FollowerParts;
  readonly #folders: Map<string, number>;
  /** Folders to read regardless of their modification time. */
  readonly #changed = new Set<string>();
  #isCompared = false;
  #isWhole = false;
  /** Folders that are read, and that there are. */
  done = 0;
  total = 0;

  constructor(parts: FollowerParts) {
    this.#parts = parts;
    const rows = parts.database.prepare("SELECT name, changed_at FROM media_folders").all();
    this.#folders = new Map(rows.map((row) => [String(row["name"]), Number(row["changed_at"])]));
  }

  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** @param question names folders that have changed */
  prepare(question: object): void {
    if (!("changed" in question) || !Array.isArray(question.changed)) return;
    for (const folder of question.changed) this.#changed.add(String(folder));
    // An incomplete response would lack acknowledged changes.
    if (question.changed.length > 0) this.#isWhole = false;
  }

  async read(pause: () => Promise<void>): Promise<void> {
    const { fs, folder: dir } = this.#parts;
    const folders = await listFolders(fs, dir);
    this.total = folders.size;
    this.done = 0;
    for (const name of this.#folders.keys()) if (!folders.has(name)) this.#forget(name);
    for (const [name, { changedAt }] of folders) {
      const isDated = this.#folders.get(name) === changedAt;
      const isReported = this.#changed.has(name);
      if (!isDated || isReported || !this.#isCompared) {
        this.#changed.delete(name);
        const content = await readFolder(fs, dir, name, this.#getKnown(name), !isDated || isReported);
        this.#write(content, changedAt);
        await pause();
      }
      this.done += 1;
    }
    // Changes of the meantime are read next.
    this.#isCompared = true;
    this.#isWhole = this.#changed.size === 0;
  }

  commit(): void {
    // Each folder is committed as soon as it is read.
  }

  #getKnown(folder: string): Map<string, string> {
    const rows = this.#parts.database.prepare("SELECT id, stamp FROM media WHERE folder = ?").all(folder);
    return new Map(rows.map(({ id, stamp }) => [String(id), String(stamp)]));
  }

  #write(content: FolderContent, changedAt: number): void {
    const { database, open } = this.#parts;
    const { folder, isWhole } = content;
    // A folder is read again if the disk failed to read all of it, or if the next change may have the same time.
    const date = isWhole && Date.now() - changedAt > SETTLED_MS ? changedAt : UNSETTLED;
    this.#commitWith(() => {
      open.add({ place: 0, length: 0, value: content });
      database.prepare("INSERT OR REPLACE INTO media_folders VALUES (?, ?)").run(folder, date);
    });
    this.#folders.set(folder, date);
  }

  #forget(folder: string): void {
    const { database } = this.#parts;
    this.#commitWith(() => {
      for (const [table, column] of [
        ["media", "folder"],
        ["media_odd", "folder"],
        ["media_folders", "name"],
      ])
        database.prepare(`DELETE FROM ${table} WHERE ${column} = ?`).run(folder);
    });
    this.#folders.delete(folder);
  }

  /** Writes rows in a separate transaction; rows that another table has added are committed first. */
  #commitWith(write: () => void): void {
    const { database, slot } = this.#parts;
    slot.owner?.commit();
    slot.owner = null;
    database.exec("BEGIN");
    write();
    database.exec("COMMIT");
  }
}
