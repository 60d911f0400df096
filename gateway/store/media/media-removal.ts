import { KeyedMutex } from "../../lib/mutex.ts";
import type { MediaFiles } from "./media-files.ts";
import type { MediaIndex } from "./media-index.ts";
import type { MediaLine } from "./media-lines.ts";
import type { MediaRow, PosterFile } from "./media-row.ts";

/** Max ids per line: a longer line would not fit into one read. */
const IDS_A_LINE = 500;

/** Everything here waits for everything else. */
const ALL = ["all"] as const;

export interface MediaRemovalDeps {
  readonly files: MediaFiles;
  readonly index: MediaIndex;
  readonly record: (line: MediaLine) => Promise<void>;
}

/**
 * Takes entries out of the library, brings them back, and removes the files of those whose time is over. Each step is a
 * line in the log, and a crash between any two of them leaves an entry that is whole or is on its way out.
 */
export class MediaRemoval {
  readonly #deps: MediaRemovalDeps;
  /** Serializes changes, so that no restore runs during a removal. */
  readonly #mutex = new KeyedMutex();

  constructor(deps: MediaRemovalDeps) {
    this.#deps = deps;
  }

  /**
   * Takes entries out of every list. Ids that are not there are passed over.
   * @param until they can be brought back up to here (Unix ms)
   * @returns the ids of those that were taken out
   * @throws StoreWriteError
   */
  takeOut(ids: readonly string[], until: number): Promise<string[]> {
    return this.#mutex.run(ALL, () =>
      this.#inLines(
        ids,
        ({ deletedUntil }) => deletedUntil === null,
        (some) => ({ op: "deleted", ids: some, until }),
      ),
    );
  }

  /** @param now Unix ms @returns the ids of those that are in the library again @throws StoreWriteError */
  bringBack(ids: readonly string[], now: number): Promise<string[]> {
    return this.#mutex.run(ALL, () =>
      this.#inLines(
        ids,
        ({ deletedUntil }) => deletedUntil !== null && deletedUntil > now,
        (some) => ({ op: "restored", ids: some }),
      ),
    );
  }

  /**
   * Removes what was taken out and cannot be brought back any more. A file that another entry names stays.
   * @param now Unix ms
   * @returns how many entries are gone
   * @throws StoreWriteError, or the disk's error; what is left is removed by the next call
   */
  removeDue(now: number): Promise<number> {
    return this.#mutex.run(ALL, async () => {
      const due = [...this.#deps.index.deleted].filter(({ deletedUntil }) => (deletedUntil ?? now) <= now);
      for (let start = 0; start < due.length; start += IDS_A_LINE) {
        const rows = due.slice(start, start + IDS_A_LINE);
        await this.#removeFiles(rows.flatMap(filesOf));
        await this.#deps.record({ op: "removed", ids: rows.map(({ id }) => id) });
      }
      return due.length;
    });
  }

  /** Enters a still that is saved already, and removes the one before it. @returns whether the entry is still there */
  setPoster(id: string, poster: PosterFile): Promise<boolean> {
    return this.#mutex.run(ALL, async () => {
      const { index, record } = this.#deps;
      const row = index.get(id);
      if (row === undefined || row.deletedUntil !== null) return false;
      const before = row.poster;
      await record({ op: "poster", id, poster });
      // An extra file on the disk is not worth a notice to the owner.
      if (before !== null && index.namesOf(before.sha256) === 0)
        await this.#removeFiles([before]).catch(() => undefined);
      return true;
    });
  }

  async #inLines(
    ids: readonly string[],
    belongs: (row: MediaRow) => boolean,
    toLine: (ids: readonly string[]) => MediaLine,
  ): Promise<string[]> {
    const found = [...new Set(ids)].filter((id) => {
      const row = this.#deps.index.get(id);
      return row !== undefined && belongs(row);
    });
    for (let start = 0; start < found.length; start += IDS_A_LINE) {
      await this.#deps.record(toLine(found.slice(start, start + IDS_A_LINE)));
    }
    return found;
  }

  /** @param named files, as often as the entries that go name them */
  async #removeFiles(named: readonly Pick<PosterFile, "sha256" | "extension">[]): Promise<void> {
    const { files, index } = this.#deps;
    const going = new Map<string, number>();
    for (const { sha256 } of named) going.set(sha256, (going.get(sha256) ?? 0) + 1);
    const folders = new Set<string>();
    for (const { sha256, extension } of named) {
      const isNeeded = (): boolean => index.namesOf(sha256) > (going.get(sha256) ?? 0);
      const folder = await files.remove(sha256, extension, isNeeded);
      if (folder !== null) folders.add(folder);
    }
    await files.syncFolders(folders);
  }
}

const filesOf = ({ sha256, extension, poster }: MediaRow): Pick<PosterFile, "sha256" | "extension">[] =>
  poster === null ? [{ sha256, extension }] : [{ sha256, extension }, poster];
