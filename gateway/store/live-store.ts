import { join } from "node:path";
import type { Low } from "lowdb";
import type { Notice } from "../contract/notice.ts";
import type { BackupKind, MadeBackup } from "../contract/maintenance.ts";
import type { Clock } from "../lib/clock.ts";
import { getMessage } from "../lib/message-of.ts";
import { Mutex } from "../lib/mutex.ts";
import type { GenerationAdapter } from "./adapter.ts";
import { makeBackup } from "./backups/backup.ts";
import { USAGE_FOLDER } from "./folder/data-folder.ts";
import type { Change, CollectionName, Collections, Document } from "./document.ts";
import type { Journal } from "./journal/journal.ts";
import { nodeMediaDisk } from "./media/media-disk.ts";
import { applyChange, changeTarget } from "./disk/memory.ts";
import type { LiveDocument } from "./disk/memory.ts";
import { RecordChanges } from "./record-changes.ts";
import type { Commit, RecordRef } from "./record-changes.ts";
import type { SealedSecrets } from "./secrets.ts";
import { segmentName } from "./disk/segments.ts";
import type { StoreLog } from "./store-event.ts";
import type { StoreFs } from "./disk/store-fs.ts";
import { StoreWriteError } from "./store.ts";
import type { OpenCall, Secrets, Store, UsageLog } from "./store.ts";
import type { NumberedUsageLog } from "./usage/usage-log.ts";
import { packDays } from "./usage/row-lines.ts";
import type { UsageWriter } from "./usage/usage-writer.ts";

const SNAPSHOT_JOURNAL_BYTES = 4 * 1024 * 1024;
/** More usage than this is not replayed at a start: about 0.3 s of work. */
const SNAPSHOT_USAGE_BYTES = 16 * 1024 * 1024;
const SNAPSHOT_EVERY_MS = 5 * 60_000;
const SNAPSHOT_RETRY_MS = 30_000;
const LOOK_EVERY_MS = 1_000;

export interface StoreParts {
  readonly fs: StoreFs;
  readonly dir: string;
  readonly clock: Clock;
  readonly log: StoreLog;
  readonly low: Low<LiveDocument>;
  readonly adapter: GenerationAdapter;
  readonly usage: NumberedUsageLog;
  readonly ledger: Store["ledger"];
  readonly writer: UsageWriter;
  readonly secrets: SealedSecrets;
  /** Why nothing may be written at all, or null. */
  readonly frozen: string | null;
  readonly fresh: boolean;
  readonly unfinished: readonly OpenCall[];
  readonly openingNotices: readonly Notice[];
}

/** The open store: the document in memory, and in front of each change to it the logs. */
export class LiveStore implements Store {
  readonly document: Document;
  readonly usage: UsageLog;
  readonly ledger: Store["ledger"];
  readonly secrets: Secrets;
  readonly unfinished: readonly OpenCall[];
  readonly openingNotices: readonly Notice[];
  /** Whether the folder had never been used before. */
  readonly fresh: boolean;
  readonly frozen: boolean;
  readonly #parts: StoreParts;
  readonly #journal: Journal;
  readonly #changes: RecordChanges;
  /** Records changed by relaxed changes ahead of strict ones that are still being written. */
  readonly #ahead = new Map<string, symbol>();
  readonly #listeners = new Set<(writable: boolean) => void>();
  #writable: boolean;
  #closed = false;
  readonly #lookTimer: NodeJS.Timeout | null;
  /** Snapshots and backups go one after another. */
  readonly #mutex = new Mutex();
  #snapshotWaits = false;
  #snapshotAt: number;
  #snapshotTriedAt = -Infinity;
  #snapshotSeq = 0;
  #snapshotN: number;
  #snapshotUsageBytes = 0;
  #packed = false;

  /** @param makeJournal builds the journal with this store's apply function */
  constructor(
    parts: StoreParts,
    makeJournal: (hooks: { apply: (changes: readonly Change[]) => void; onHealth: () => void }) => Journal,
  ) {
    this.#parts = parts;
    this.document = parts.low.data;
    this.#changes = new RecordChanges(this.document, (changes) => this.commit(changes));
    this.usage = parts.usage;
    this.ledger = parts.ledger;
    this.secrets = parts.secrets;
    this.unfinished = parts.unfinished;
    this.openingNotices = parts.openingNotices;
    this.fresh = parts.fresh;
    this.frozen = parts.frozen !== null;
    this.#writable = parts.frozen === null;
    this.#snapshotAt = parts.clock.monotonic();
    this.#snapshotN = parts.usage.lastNumber;
    this.#journal = makeJournal({ apply: (changes) => this.#applyStrict(changes), onHealth: () => this.noteHealth() });
    parts.adapter.attach({
      rotate: () => this.#journal.rotate(),
      journal: () => ({ lastSeq: this.#journal.lastSeq, bytes: this.#journal.bytesSinceRotation }),
      lastNumber: () => parts.usage.lastNumber,
      usagePosition: () => parts.usage.position(),
      waitUntilSynced: async () => {
        await this.#journal.flush();
        await parts.writer.sync();
      },
    });
    this.#snapshotSeq = this.#journal.lastSeq;
    this.#lookTimer = parts.frozen === null ? setInterval(() => this.#look(), LOOK_EVERY_MS).unref() : null;
  }

  get writable(): boolean {
    return this.#writable;
  }

  onWritable(listener: (writable: boolean) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  change<C extends CollectionName, R extends Collections[C] | null | undefined>(
    collection: C,
    id: string,
    make: (newest: Collections[C] | undefined) => R,
  ): Promise<R> {
    return this.#changes.change(collection, id, make);
  }

  transact<T>(records: readonly RecordRef[], work: (commit: Commit) => Promise<T>): Promise<T> {
    return this.#changes.transact(records, work);
  }

  waitUntilSettled(collection: CollectionName): Promise<void> {
    return this.#changes.waitUntilSettled(collection);
  }

  /** Strict: resolves when all changes, as one, are synced and applied to `document`. */
  async commit(changes: readonly Change[]): Promise<void> {
    this.#refuseWhenShut();
    await this.#journal.append(changes);
  }

  commitRelaxed(changes: readonly Change[]): void {
    this.#refuseWhenShut();
    const mark = Symbol();
    for (const change of changes) {
      applyChange(this.#parts.low.data, change);
      this.#ahead.set(changeTarget(change), mark);
    }
    this.#journal.appendRelaxed(changes, () => {
      for (const change of changes) {
        const target = changeTarget(change);
        if (this.#ahead.get(target) === mark) this.#ahead.delete(target);
      }
    });
  }

  async snapshot(): Promise<void> {
    this.#refuseWhenShut();
    await this.#mutex.run(() => this.#writeSnapshot());
  }

  async backup(
    kind: BackupKind = "manual",
    freeBytes = nodeMediaDisk.freeBytes,
    withoutKey = false,
  ): Promise<MadeBackup> {
    this.#refuseWhenShut();
    const { fs, dir, clock } = this.#parts;
    const writes = { snapshot: () => this.#writeSnapshot(), ends: () => this.#ends() };
    const job = { fs, dir, clock, kind, freeBytes, withoutKey, ...writes };
    return this.#mutex.run(() => makeBackup(job));
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    if (this.#lookTimer !== null) clearInterval(this.#lookTimer);
    await this.#mutex.waitUntilSettled();
    if (this.#parts.frozen === null) await this.#writeLast();
    await this.#journal.close();
    await this.#parts.secrets.close();
    await this.#parts.usage.close();
  }

  /** Checks both logs and notifies the listeners when the whole has changed. */
  noteHealth(): void {
    const healthy = this.#journal.healthy && this.#parts.writer.healthy;
    if (healthy === this.#writable) return;
    this.#writable = healthy;
    for (const listener of this.#listeners) listener(healthy);
  }

  #ends(): Map<string, number> {
    const segments = Object.entries(this.#parts.writer.position());
    const ends = new Map(segments.map(([month, bytes]) => [join(USAGE_FOLDER, segmentName(month)), bytes]));
    const { end } = this.#journal;
    return end === null ? ends : ends.set(end.name, end.length);
  }

  #refuseWhenShut(): void {
    if (this.#parts.frozen !== null) throw new StoreWriteError(this.#parts.frozen);
    if (this.#closed) throw new StoreWriteError("The store is closed.");
  }

  #applyStrict(changes: readonly Change[]): void {
    for (const change of changes) {
      if (!this.#ahead.has(changeTarget(change))) applyChange(this.#parts.low.data, change);
    }
  }

  async #writeSnapshot(): Promise<void> {
    const usageBytes = this.#parts.writer.bytesWritten;
    const n = this.#parts.usage.lastNumber;
    await this.#parts.low.write();
    this.#snapshotAt = this.#parts.clock.monotonic();
    this.#snapshotSeq = this.#journal.lastSeq;
    this.#snapshotUsageBytes = usageBytes;
    this.#snapshotN = n;
  }

  get #changed(): boolean {
    return this.#journal.lastSeq !== this.#snapshotSeq || this.#parts.usage.lastNumber !== this.#snapshotN;
  }

  #look(): void {
    // Delayed, because a start has other work. Days that cannot be compacted stay unchanged.
    if (!this.#packed) packDays(this.#parts.low.data.daily).catch(() => undefined);
    this.#packed = true;
    const now = this.#parts.clock.monotonic();
    const due =
      this.#journal.bytesSinceRotation >= SNAPSHOT_JOURNAL_BYTES ||
      this.#parts.writer.bytesWritten - this.#snapshotUsageBytes >= SNAPSHOT_USAGE_BYTES ||
      (now - this.#snapshotAt >= SNAPSHOT_EVERY_MS && this.#changed);
    if (!due || this.#snapshotWaits || now - this.#snapshotTriedAt < SNAPSHOT_RETRY_MS) return;
    this.#snapshotWaits = true;
    void this.#mutex
      .run(() => this.#writeSnapshot())
      .catch((error: unknown) => {
        this.#snapshotTriedAt = this.#parts.clock.monotonic();
        this.#logSnapshotFailure(error);
      })
      .finally(() => {
        this.#snapshotWaits = false;
      });
  }

  async #writeLast(): Promise<void> {
    // Even without a snapshot nothing is lost: the logs have it all.
    if (this.#changed) await this.#writeSnapshot().catch((error: unknown) => this.#logSnapshotFailure(error));
  }

  #logSnapshotFailure(error: unknown): void {
    const reason = getMessage(error);
    this.#parts.log({
      event: "store.snapshot_failed",
      level: "error",
      message: `The state could not be saved whole (${reason}); it is in the journal and will be tried again.`,
    });
  }
}
