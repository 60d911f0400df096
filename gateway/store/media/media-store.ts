import { join } from "node:path";
import type { MediaEntry } from "../../contract/media.ts";
import type { MediaFilter } from "../../core/media/media-filter.ts";
import type { MediaLimits } from "../../core/media/media-retention.ts";
import type { Clock } from "../../lib/clock.ts";
import { Mutex } from "../../lib/mutex.ts";
import { within } from "../../lib/within.ts";
import { nodeStoreFs } from "../disk/store-fs.ts";
import type { StoreFs } from "../disk/store-fs.ts";
import { mediaTable } from "../ledger/media.ts";
import type { LedgerReader, ListMediaRows, ListedMediaRows, OutdatedMedia } from "../ledger/questions.ts";
import { TableQuestions } from "../ledger/table-questions.ts";
import type { TableResponse } from "../ledger/table-questions.ts";
import { Quarantine } from "../quarantine.ts";
import type { StoreLog } from "../store-event.ts";
import { StoreWriteError } from "../store.ts";
import { removeEarlierFiles } from "../usage/earlier-files.ts";
import { convertLibrary, isEarlierFile } from "./convert-library.ts";
import { listFolders, readFolder } from "./library-folders.ts";
import { getPlace } from "./media-adoption.ts";
import { nodeMediaDisk } from "./media-disk.ts";
import type { MediaDisk } from "./media-disk.ts";
import { MediaFiles, onDisk } from "./media-files.ts";
import type { IncomingFile, PosterFile } from "./media-files.ts";
import { MediaRefused } from "./media-incoming.ts";
import { MediaNotes } from "./media-notes.ts";
import type { PendingMedia } from "./media-notes.ts";
import { MediaRecords } from "./media-records.ts";
import { openLinkSecret } from "./media-secret.ts";
import { readSidecar } from "./sidecar.ts";
import type { Sidecar } from "./sidecar.ts";

export interface MediaStoreOptions {
  /** The data folder; the caller holds its lock. */
  readonly dir: string;
  readonly clock: Clock;
  readonly log: StoreLog;
  readonly fs?: StoreFs;
  readonly disk?: MediaDisk;
  /** Null: lists are made of the sidecars each time. */
  readonly ledger: Pick<LedgerReader, "ask"> | null;
  /** Whether the folder is of a newer version: nothing in it is created, removed or repaired. */
  readonly readOnly: boolean;
}

/** A result of the library, with the current data of its folder. */
export interface ListedMedia extends Sidecar {
  readonly path: string;
  /** Whether its file is missing or incomplete. */
  readonly missing: boolean;
  readonly poster: PosterFile | null;
}

interface StoreParts extends Pick<MediaStoreOptions, "ledger" | "log"> {
  readonly fs: StoreFs;
  readonly dir: string;
  readonly files: MediaFiles;
  readonly notes: MediaNotes;
  readonly linkSecret: Buffer;
  readonly quarantine: Quarantine;
  /** Why nothing may be written, or null. */
  readonly frozen: string | null;
  /** Why results of an earlier version are still missing, or null. */
  readonly unconverted: string | null;
}

/** A page of the results that a filter matches. */
export interface MediaQuery extends MediaFilter {
  readonly limit: number;
  /** The `next` of the page before. */
  readonly before: ListMediaRows["before"];
  /** Number of results to skip after that place. */
  readonly offset?: number | undefined;
}

export interface MediaList {
  readonly data: readonly ListedMedia[];
  readonly next: ListMediaRows["before"];
  readonly total: number;
  /** How far the index is rebuilt, in percent; null where the list has everything. */
  readonly rebuilding: number | null;
}

const MEDIA_FOLDER = "media";
const NEWER = "The data folder was written by a newer version of Postern.";
/** Max milliseconds that a list waits for results that are being recovered. */
const REPAIR_MS = 2_000;

/** The media library on disk: files, each with a sidecar, and an index built from the sidecars. */
export class MediaStore {
  readonly files: MediaFiles;
  /** Secret that signs links to media. */
  readonly linkSecret: Buffer;
  readonly records: MediaRecords;
  readonly #notes: MediaNotes;
  readonly #quarantine: Quarantine;
  readonly #questions: TableQuestions;
  readonly #unconverted: string | null;
  /** Serializes deletion and what undoes it. */
  readonly #mutex = new Mutex();
  #lastPlace = 0;

  private constructor(parts: StoreParts) {
    const { fs, dir, ledger, log, files, notes, quarantine, frozen } = parts;
    this.files = files;
    this.linkSecret = parts.linkSecret;
    this.#notes = notes;
    this.#quarantine = quarantine;
    this.#unconverted = parts.unconverted;
    this.records = new MediaRecords({ fs, dir, files, quarantine, frozen });
    this.#questions = new TableQuestions({
      ledger,
      table: mediaTable,
      log,
      scan: async (add) => {
        for (const folder of (await listFolders(fs, dir)).keys())
          add({ place: 0, length: 0, value: await readFolder(fs, dir, folder, new Map(), false) });
      },
      onWhole: () => void removeEarlierFiles(fs, dir, isEarlierFile).catch(() => undefined),
    });
  }

  /**
   * Opens the library of a data folder in any condition. A library of an earlier version is converted.
   * @throws the disk's error if the folder is unusable
   */
  static async open(options: MediaStoreOptions): Promise<MediaStore> {
    const { clock, log, readOnly, ledger } = options;
    const fs = options.fs ?? nodeStoreFs;
    const dir = join(options.dir, MEDIA_FOLDER);
    const quarantine = new Quarantine(fs, options.dir, clock, log);
    if (readOnly) quarantine.onlyTell();
    const files = new MediaFiles(fs, options.disk ?? nodeMediaDisk, dir);
    const notes = new MediaNotes(fs, dir);
    if (!readOnly) {
      await fs.makeFolder(dir);
      await fs.syncFolder(options.dir);
      await files.prepare();
    }
    await notes.open(quarantine, readOnly);
    for (const { id } of readOnly ? [] : [...notes.pending.values()])
      if (typeof (await readSidecar(fs, dir, id)) === "object") await notes.dropPending(id);
    const unconverted = readOnly ? null : await convertLibrary({ fs, dir, files, notes, quarantine });
    const frozen = readOnly ? NEWER : null;
    const linkSecret = await openLinkSecret(fs, dir, quarantine, readOnly);
    return new MediaStore({ fs, dir, ledger, log, files, notes, linkSecret, quarantine, frozen, unconverted });
  }

  /** Returns notices for the user, in order. */
  get problems(): readonly string[] {
    return this.#quarantine.notices.map(({ message }) => message);
  }

  get pending(): readonly PendingMedia[] {
    return [...this.#notes.pending.values()];
  }

  /** A result that is in the library. @throws the disk's error */
  async find(id: string): Promise<Sidecar | null> {
    return this.#notes.deleted.has(id) ? null : this.records.find(id);
  }

  /**
   * Tells whether a result with this id was saved. It may have been deleted since, with its undo time still running.
   */
  async knows(id: string): Promise<boolean> {
    return this.#notes.deleted.has(id) || this.records.has(id);
  }

  /** Returns when the first deleted result can no longer be restored (Unix ms); null if none is deleted. */
  get nextRemovalAt(): number | null {
    const first = [...this.#notes.deleted.values()].reduce((least, until) => Math.min(least, until), Infinity);
    return first === Infinity ? null : first;
  }

  /**
   * Saves a file; it is not listed until `enter` adds its entry.
   * @throws MediaRefused if its type is not stored or the disk refuses it; what `chunks` throws
   */
  save(id: string, chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<IncomingFile> {
    const { frozen } = this.records;
    if (frozen !== null) return Promise.reject(new MediaRefused("disk", frozen));
    return this.files.save(id, chunks);
  }

  /** Enters a file that `save` has saved. Resolves when its sidecar is on the disk. @throws StoreWriteError */
  async enter(entry: MediaEntry, file: IncomingFile): Promise<void> {
    this.#lastPlace = Math.max(getPlace(entry.at), this.#lastPlace + 1);
    await this.records.enter({ entry, extension: file.type.extension, place: this.#lastPlace }, file);
    // A note that cannot be removed is dropped at the next start.
    await this.#notes.dropPending(entry.id).catch(() => undefined);
  }

  /** Notes a result to be downloaded, also after a restart. @throws StoreWriteError */
  addPending(pending: PendingMedia): Promise<void> {
    return this.#write(() => this.#notes.addPending(pending));
  }

  /** Notes that a pending result was given up. @throws StoreWriteError */
  dropPending(id: string): Promise<void> {
    return this.#write(() => this.#notes.dropPending(id));
  }

  /** Saves the preview image of a video. @returns whether the result still exists. @throws MediaRefused */
  async setPoster(id: string, image: Uint8Array): Promise<boolean> {
    const file = await this.save(`poster_${id}`, [image]);
    return this.#mutex.run(async () => {
      const isThere = (await this.find(id)) !== null;
      if (isThere) await onDisk(this.files.placePoster(id, file));
      else await this.files.discard(file);
      return isThere;
    });
  }

  /** Newest first. @returns `next` to go on with as `before`; null at the end */
  async list(query: MediaQuery): Promise<MediaList> {
    const { response, rebuilding } = await this.#ask(query);
    const { ids, next, total } = response;
    // An unreadable sidecar must not prevent listing the others.
    const sidecars = await Promise.all(ids.map((id) => this.find(id).catch(() => null)));
    const data = await Promise.all(sidecars.filter((found) => found !== null).map((found) => this.read(found)));
    return { data, next, total, rebuilding };
  }

  /** Reads the folder of a result. */
  async read(sidecar: Sidecar): Promise<ListedMedia> {
    const [missing, poster] = await Promise.all([
      this.files.isThere(sidecar).then((isThere) => !isThere),
      sidecar.entry.kind === "video" ? this.files.findPoster(sidecar.entry.id) : null,
    ]);
    return { ...sidecar, path: this.files.getPath(sidecar), missing, poster };
  }

  /** Returns results that exceed the limits; null while the index is being rebuilt. @param now Unix ms */
  async findOutdated(limits: MediaLimits, now: number): Promise<OutdatedMedia | null> {
    const { response, isWhole } = await this.records.ask(this.#questions, "media.outdated", {
      ...limits,
      now,
      hidden: [...this.#notes.deleted.keys()],
    });
    return isWhole ? response : null;
  }

  /**
   * Deletes results from all lists. Unknown ids are ignored.
   * @param until they can be restored until then (Unix ms)
   * @returns the ids of deleted results
   * @throws StoreWriteError
   */
  takeOut(ids: readonly string[], until: number): Promise<string[]> {
    return this.#mutex.run(async () => {
      const found: string[] = [];
      for (const id of new Set(ids)) if ((await this.find(id)) !== null) found.push(id);
      if (found.length > 0) await this.#writeDeleted(() => this.#notes.addDeleted(found, until));
      return found;
    });
  }

  /** @param now Unix ms @returns the ids of those that are in the library again @throws StoreWriteError */
  bringBack(ids: readonly string[], now: number): Promise<string[]> {
    return this.#mutex.run(async () => {
      const found = [...new Set(ids)].filter((id) => (this.#notes.deleted.get(id) ?? now) > now);
      if (found.length > 0) await this.#writeDeleted(() => this.#notes.dropDeleted(found));
      return found;
    });
  }

  /**
   * Removes deleted results that can no longer be restored.
   * @param now Unix ms
   * @returns number of removed results
   * @throws StoreWriteError; the rest is removed by the next call
   */
  removeDue(now: number): Promise<number> {
    return this.#mutex.run(async () => {
      const due = [...this.#notes.deleted].filter(([, until]) => until <= now).map(([id]) => id);
      if (due.length > 0) await this.#writeDeleted(() => this.records.remove(due, () => this.#notes.dropDeleted(due)));
      return due.length;
    });
  }

  async close(): Promise<void> {
    await this.#mutex.waitUntilSettled();
    await this.records.close();
  }

  #write(work: () => Promise<void>): Promise<void> {
    return this.records.write(async () => {
      await this.#notes.settle();
      await work();
    });
  }

  /** Changes deletions, unless the earlier list still has results, which the next start would restore. */
  #writeDeleted(work: () => Promise<void>): Promise<void> {
    if (this.#unconverted !== null) return Promise.reject(new StoreWriteError(this.#unconverted));
    return this.#write(work);
  }

  async #ask({ offset = 0, ...query }: MediaQuery): Promise<TableResponse<ListedMediaRows>> {
    const hidden = [...this.#notes.deleted.keys()];
    const ask = (): Promise<TableResponse<ListedMediaRows>> =>
      this.records.ask(this.#questions, "media.list", { ...query, offset, hidden });
    const responded = await ask();
    const repairing = this.records.repair(responded.response.odd.filter((id) => !this.#notes.deleted.has(id)));
    if (repairing === null || !(await within(repairing, REPAIR_MS))) return responded;
    return ask();
  }
}
