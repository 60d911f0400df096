import { join } from "node:path";
import type { MediaEntry } from "../../contract/media.ts";
import type { Clock } from "../../lib/clock.ts";
import { nodeMediaDisk } from "./media-disk.ts";
import type { MediaDisk } from "./media-disk.ts";
import type { MediaCopy } from "./media-copy.ts";
import { MediaFiles } from "./media-files.ts";
import { MediaRefused } from "./media-incoming.ts";
import type { SavedFile } from "./media-incoming.ts";
import type { MediaIndex } from "./media-index.ts";
import { asMediaEntry, isMediaLine } from "./media-lines.ts";
import type { MediaLine, PendingMedia } from "./media-lines.ts";
import type { LineLog } from "../disk/line-log.ts";
import { mediaTable } from "../ledger/media.ts";
import type { LedgerReader } from "../ledger/questions.ts";
import { TableQuestions } from "../ledger/table-questions.ts";
import { removeEarlierFiles } from "../usage/earlier-files.ts";
import { MediaRemoval } from "./media-removal.ts";
import { replayMedia } from "./media-replay.ts";
import type { MediaFilter } from "../../core/media/media-filter.ts";
import type { MediaRow } from "./media-row.ts";
import { openLinkSecret } from "./media-secret.ts";
import { Quarantine } from "../quarantine.ts";
import type { StoreLog } from "../store-event.ts";
import { nodeStoreFs } from "../disk/store-fs.ts";
import type { StoreFile, StoreFs } from "../disk/store-fs.ts";
import { StoreWriteError } from "../store.ts";

export interface MediaStoreOptions {
  /** The data folder; the caller holds its lock. */
  readonly dir: string;
  readonly clock: Clock;
  readonly log: StoreLog;
  readonly fs?: StoreFs;
  readonly disk?: MediaDisk;
  /** Null: lists are made of the log each time. */
  readonly ledger: Pick<LedgerReader, "ask"> | null;
  /** A folder of a newer version: nothing in it is made, removed or repaired. */
  readonly readOnly: boolean;
}

export interface ListedMedia {
  readonly entry: MediaEntry;
  readonly row: MediaRow;
}

/** A page of the results that a filter matches. */
export interface MediaQuery extends MediaFilter {
  readonly limit: number;
  /** The `next` of the page before. */
  readonly before: number | null;
  /** Results to pass over, counted from there. */
  readonly offset?: number | undefined;
}

const MEDIA_FOLDER = "media";
/** The list of results, which earlier versions kept next to the log. */
const EARLIER_PAGES = "index.pages";

/** The library on the disk: files by content, and a log that says what each came from. */
export class MediaStore {
  readonly files: MediaFiles;
  /** Deletion, and what undoes it. */
  readonly removal: MediaRemoval;
  /** Secret that signs links to media. */
  readonly linkSecret: Buffer;
  readonly #log: LineLog;
  readonly #copy: MediaCopy | null;
  readonly #questions: TableQuestions;
  readonly #quarantine: Quarantine;
  readonly #index: MediaIndex;
  /** Bytes of the log that were acknowledged. */
  #end: number;
  /** Why nothing may be written, or null. */
  readonly #frozen: string | null;

  private constructor(parts: {
    files: MediaFiles;
    log: LineLog;
    index: MediaIndex;
    copy: MediaCopy | null;
    bytes: number;
    questions: TableQuestions;
    linkSecret: Buffer;
    quarantine: Quarantine;
    frozen: string | null;
  }) {
    this.files = parts.files;
    this.linkSecret = parts.linkSecret;
    this.#log = parts.log;
    this.#copy = parts.copy;
    this.#end = parts.bytes;
    this.#questions = parts.questions;
    this.#quarantine = parts.quarantine;
    this.#index = parts.index;
    this.#frozen = parts.frozen;
    this.removal = new MediaRemoval({ files: parts.files, index: parts.index, record: (line) => this.record(line) });
  }

  /**
   * Opens the library of a data folder, whatever state it is in. What is damaged is set aside, in quarantine, and is made
   * again of what is left.
   * @throws the disk's error when the folder cannot be used
   */
  static async open(options: MediaStoreOptions): Promise<MediaStore> {
    const { clock, log, readOnly } = options;
    const fs = options.fs ?? nodeStoreFs;
    const dir = join(options.dir, MEDIA_FOLDER);
    const quarantine = new Quarantine(fs, options.dir, clock, log);
    if (readOnly) quarantine.onlyTell();
    const files = new MediaFiles(fs, options.disk ?? nodeMediaDisk, dir);
    if (!readOnly) {
      await fs.makeFolder(dir);
      await fs.syncFolder(options.dir);
      await files.prepare();
    }
    const replayed = await replayMedia(fs, dir, quarantine, readOnly);
    const linkSecret = await openLinkSecret(fs, dir, quarantine, readOnly);
    const questions = new TableQuestions({
      // A log that cannot be written may be read from its second copy, which no index follows.
      ledger: replayed.frozen === null ? options.ledger : null,
      table: mediaTable,
      log,
      scan: async (add, end = Infinity) => {
        await replayed.log.replay((value, { offset, length }) => add({ place: offset, length, value }), { to: end });
      },
      onWhole: () => void removeEarlierFiles(fs, dir, (name) => name === EARLIER_PAGES).catch(() => undefined),
    });
    return new MediaStore({ files, ...replayed, questions, linkSecret, quarantine });
  }

  /** Returns the owner's notices about opening; those of comparing the second copy come later. */
  get problems(): readonly string[] {
    return this.#quarantine.notices.map(({ message }) => message);
  }

  /** Resolves when the second copy of the log has all that is in it, or the disk refused. */
  async copied(): Promise<void> {
    await this.#copy?.settled();
  }

  /** Entries; results that are still to be fetched are not among them. */
  get size(): number {
    return this.#index.size;
  }

  get pending(): readonly PendingMedia[] {
    return [...this.#index.pending.values()];
  }

  /** An entry that is in the library. */
  find(id: string): MediaRow | undefined {
    const row = this.#index.get(id);
    return row?.deletedUntil === null ? row : undefined;
  }

  /** Whether a result of this id was saved; it may have been deleted since, and its time not be over. */
  knows(id: string): boolean {
    return this.#index.get(id) !== undefined;
  }

  /** Returns the rows of the library, oldest first. */
  oldestFirst(): Iterable<MediaRow> {
    return this.#index.oldestFirst();
  }

  /** Returns when the first deleted entry can no longer be restored (Unix ms); null if no entry is deleted. */
  get nextRemovalAt(): number | null {
    let first: number | null = null;
    for (const { deletedUntil } of this.#index.deleted) {
      if (deletedUntil !== null && (first === null || deletedUntil < first)) first = deletedUntil;
    }
    return first;
  }

  /**
   * Saves a file; it is in no list until `enter` adds its entry.
   * @throws MediaRefused when the library does not keep its type or the disk refuses it; what `chunks` throws
   */
  save(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<SavedFile> {
    if (this.#frozen !== null) return Promise.reject(new MediaRefused("disk", this.#frozen));
    return this.files.save(chunks);
  }

  /** Enters a file that `save` has saved. @throws StoreWriteError when the disk refuses the line */
  async enter(entry: MediaEntry, extension: string): Promise<void> {
    try {
      await this.record({ op: "add", entry, extension });
    } finally {
      this.files.named(entry.sha256);
    }
  }

  /** Saves a still and enters it. @returns whether the entry is still there. @throws MediaRefused, StoreWriteError */
  async setPoster(id: string, image: Uint8Array): Promise<boolean> {
    const { sha256, type, bytes } = await this.save([image]);
    try {
      return await this.removal.setPoster(id, { sha256, extension: type.extension, bytes });
    } finally {
      this.files.named(sha256);
    }
  }

  /** Newest first. @returns `next` to go on with as `before`; null at the end */
  async list(query: MediaQuery): Promise<{ data: ListedMedia[]; next: number | null; total: number }> {
    const { response } = await this.#questions.ask("media.list", {
      ...query,
      offset: query.offset ?? 0,
      end: this.#end,
    });
    const { ids, next, total } = response;
    const rows = ids.flatMap((id) => this.find(id) ?? []);
    const lines = await this.#log.readAll(rows.map(({ place }) => place));
    const data = rows.flatMap((row, number) => {
      const entry = asMediaEntry(lines[number]);
      return entry === undefined ? [] : [{ entry, row }];
    });
    return { data, next, total };
  }

  /** @returns null when the entry's line was damaged meanwhile */
  async read(row: MediaRow): Promise<ListedMedia | null> {
    const entry = asMediaEntry(await this.#log.read(row.place));
    return entry === undefined ? null : { entry, row };
  }

  /** Opens an entry's file, and marks the entry when it is not there. */
  async open(row: MediaRow): Promise<StoreFile | null> {
    const file = await this.files.open(row.sha256, row.extension, row.bytes);
    const missing = file === null;
    if (missing !== row.missing) {
      this.#index.mark(row.id, missing);
      // A mark that the disk refuses is made again when the file is next asked for.
      await this.record({ op: missing ? "missing" : "found", id: row.id }).catch(() => undefined);
    }
    return file;
  }

  /**
   * Resolves when the line is on the disk and in the list.
   * @throws StoreWriteError when the disk refuses it: then it is in neither, and will not be after a restart
   */
  async record(line: MediaLine): Promise<void> {
    if (this.#frozen !== null) throw new StoreWriteError(this.#frozen);
    // A line that could not be read again must not be acknowledged.
    if (!isMediaLine(line)) throw new TypeError(`not a line of the library: ${line.op}`);
    const place = await this.#log.append(line);
    this.#index.apply(line, place);
    this.#end = place.offset + place.length + 1;
    this.#copy?.follow(this.#end);
  }

  async close(): Promise<void> {
    await this.#log.close();
    await this.#copy?.stop();
  }
}
