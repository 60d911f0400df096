import type { Notice } from "../contract/notice.ts";
import type { Receipt } from "../contract/receipt.ts";
import type { UsageGroup } from "../contract/usage.ts";
import type { BackupKind, MadeBackup } from "../contract/maintenance.ts";
import type { Sort } from "../contract/list.ts";
import type { Search } from "../contract/matches-request.ts";
import type { SessionView } from "../contract/sessions.ts";
import type { ActivityCount } from "../core/usage/activity-buckets.ts";
import type { HourSums } from "../core/usage/hour-sums.ts";
import type { UsageDays } from "../core/usage/usage-days.ts";
import type { Change, CollectionName, Collections, Document } from "./document.ts";
import type {
  CountActivity,
  LedgerReader,
  ListSessionRows,
  ListedSessions,
  PassedColumn,
  PassedReceipts,
} from "./ledger/questions.ts";
import type { Commit, RecordRef } from "./record-changes.ts";

/** A call that was sent to a provider and is not settled yet. Unknown fields are kept. */
export interface OpenCall {
  /** Request id. */
  readonly id: string;
  readonly at: number;
  readonly key: string;
  readonly endpoint: string;
  readonly model: string;
  readonly provider: string;
  readonly connection: string;
  readonly client: string;
  readonly stream: boolean;
  readonly sandbox: boolean;
  /** Nano USD held for it. */
  readonly hold_nano: number;
  /** Same fields as on receipts. */
  readonly session?: string | undefined;
  readonly project?: string | undefined;
  readonly agent?: string | undefined;
  readonly kinds?: Receipt["kinds"];
  readonly route?: Receipt["route"];
  /** Bill of the call if its response is never seen. Missing in lines of earlier versions. */
  readonly bill?: OpenBill;
}

/** Estimate of a provider's bill for a sent call. */
export type OpenBill = Pick<Receipt, "terms" | "nano" | "price">;

/** A page of the log. */
export interface ReceiptQuery extends Search {
  readonly limit: number;
  /** The newest first without one. */
  readonly sort?: Sort | undefined;
  readonly before?: string | undefined;
  /** `recorded` may lack calls that began before this moment (Unix ms): those are left to the next page. */
  readonly recordedFrom?: number;
  /** Only receipts with a higher number than this, whatever their time. */
  readonly settledAfter?: number | undefined;
}

/** State of an index that may be incomplete. */
interface Indexed {
  /** Progress of rebuilding the index, in percent; null if it is complete. */
  readonly rebuilding: number | null;
}

export interface ReceiptPage extends Indexed {
  readonly data: readonly Receipt[];
  /** Pass as `before` for the next page; null at the end. */
  readonly cursor: string | null;
}

/** Counts of settled calls in buckets of time. */
export interface CountedActivity extends Indexed {
  readonly counts: readonly ActivityCount[];
}

/** Columns of receipts, some thousand rows at a time. */
export interface PassedRows extends Indexed {
  readonly rows: PassedReceipts["rows"];
}

/** A page of sessions, the newest first. */
export interface SessionRows extends Indexed, ListedSessions {}

/** Sums of UTC hours by one group. */
export interface HourlyUsage extends Indexed {
  readonly hours: HourSums;
}

/**
 * Receipts: append-only, one line each, in monthly segments. Two levels of durability: *written* (in the kernel:
 * survives SIGKILL of this process) and *synced* (on the disk: survives a power cut).
 */
export interface UsageLog {
  /**
   * Notes that a call is about to be sent to a provider; again for each further provider. It does not wait; the note is
   * synced within a few milliseconds if the call is still open. `bill` is called only then, so that short calls need no
   * estimate.
   * @param unbilled the provider is free (a program on this machine): its receipt only has to be written, not synced
   */
  begin(call: OpenCall, bill?: (() => OpenBill) | null, unbilled?: boolean): void;
  /**
   * Counts a receipt in the document's `spend` and `daily` immediately, and ends its open call. Resolves when it is
   * written, and for a billed call when either its note or the receipt is synced, so that a power cut loses at most the
   * figures. If the disk refuses, it still resolves: the line is kept in memory, `writable` becomes false, and it is
   * written when the disk recovers.
   * @throws StoreWriteError after the end of the store; it is then neither counted nor written
   */
  settle(receipt: Receipt): Promise<void>;
  /**
   * Resolves with sums that may be shown: everything that `read` returns is on the disk by then, so a power cut cannot take
   * it back. While the disk refuses writes they are returned all the same, and the state reports the failure.
   */
  readDurable<T>(read: () => T): Promise<T>;
  /**
   * Resolves when everything settled so far is synced.
   * @throws StoreWriteError while the disk refuses writes (`writable` is false)
   */
  sync(): Promise<void>;
  /**
   * Tells whether the log has a receipt with this id, for charges right before a crash. It searches the last 10,000
   * lines of the month of `at`, after pending writes.
   */
  has(receipt: Pick<Receipt, "id" | "at">): Promise<boolean>;
  /**
   * Returns a page of filtered receipts from the index. Earlier settled receipts are included, unless the index is
   * being rebuilt.
   */
  list(query: ReceiptQuery): Promise<ReceiptPage>;
  /** Number of the last receipt that was settled. */
  readonly lastNumber: number;
  /** Counts the receipts that a filter matches in buckets of time. */
  countActivity(question: CountActivity): Promise<CountedActivity>;
  /** Passes columns of all matching receipts, newest first. */
  pass(search: Search, columns: readonly PassedColumn[]): AsyncIterable<PassedRows>;
  /** Sessions, by what their receipts add up to. */
  sessions(query: ListSessionRows): Promise<SessionRows>;
  findSession(id: string): Promise<SessionView | null>;
  /** When the oldest receipt was settled; null without any. */
  oldest(): Promise<number | null>;
  /** The newest receipt of this id. */
  find(id: string): Promise<Receipt | null>;
  /** Usage by day: the document's `daily` by its days. */
  readonly days: UsageDays;
  /** Sums the usage of UTC hours by the index, from one moment to another, Unix ms. */
  sumHours(from: number, to: number, by: UsageGroup, search?: Search): Promise<HourlyUsage>;
}

/** Provider keys, encrypted at rest, in a separate file. */
export interface Secrets {
  /**
   * Stores a secret durably and returns its id.
   * @param boundTo its permitted use, which is part of the id and required for decryption.
   */
  add(value: string, boundTo?: string): Promise<string>;
  /** @returns undefined when it is not there or cannot be opened here (see `locked`). */
  get(id: string): string | undefined;
  remove(ids: readonly string[]): Promise<void>;
  /** All that can be opened. */
  all(): readonly string[];
  /** Called when another secret can be opened. */
  onChange(listener: () => void): void;
  /**
   * Why some of them cannot be opened on this start (another keychain), or null. They stay sealed until they are removed;
   * others can be added next to them.
   */
  readonly locked: string | null;
  readonly protection: KeyProtection;
  /** Decrypts the keys that can be decrypted by now, since a keychain has responded that did not during the start. */
  reopen(): Promise<void>;
  /**
   * Encrypts the keys of the key file by the current keychain, there and in backups. Headless starts cannot decrypt
   * them afterwards. Atomic, and a no-op if already done.
   * @throws StoreWriteError if the keychain or the disk refuses; nothing has then changed
   */
  moveToKeychain(): Promise<void>;
}

/** How the key that encrypts the provider keys is protected itself. */
export interface KeyProtection {
  /** Protections of the key, newest first: `file` for the unencrypted key file, else a keychain's name. */
  readonly encryptedBy: readonly string[];
  /** The current keychain; null for none. */
  readonly keychain: string | null;
  /** Whether something lies in the key file that the keychain could take. */
  readonly movable: boolean;
  /** Whether it was re-encrypted automatically at this start. */
  readonly moved: boolean;
  /** Why that could not be done; null when it did not have to. */
  readonly moveFailure: string | null;
}

/** The one HTTP client to the disk. Opened by `openStore`; everything it returns is in memory. */
export interface Store {
  readonly document: Document;
  /**
   * Changes a record; changes run one at a time, each on the newest record. Resolves when it is synced and in
   * `document`.
   * @param make returns the next record, null to delete it, undefined or the same record to leave it. It must be
   * synchronous.
   * @returns what `make` returned
   * @throws StoreWriteError if it could not be written; nothing is then changed, also after a restart; what `make`
   * throws
   */
  change<C extends CollectionName, R extends Collections[C] | null | undefined>(
    collection: C,
    id: string,
    make: (newest: Collections[C] | undefined) => R,
  ): Promise<R>;
  /**
   * Runs an asynchronous change of one or more records: `work` starts after all earlier changes of these records, and
   * later ones wait for its end. Read the records inside, and change them by its atomic `commit`. It must not wait for
   * another change of the same records.
   * @throws what `work` throws
   */
  transact<T>(records: readonly RecordRef[], work: (commit: Commit) => Promise<T>): Promise<T>;
  /** Resolves when all changes requested so far are done. */
  waitUntilSettled(collection: CollectionName): Promise<void>;
  /** Relaxed: applied immediately, synced within a second, lost with the second. Only for data that can be fetched again. */
  commitRelaxed(changes: readonly Extract<Change, { readonly in: "discoveries" | "keys" }>[]): void;
  readonly usage: UsageLog;
  /** The index over the logs; it is open until `close`. */
  readonly ledger: LedgerReader;
  readonly secrets: Secrets;
  /** Calls that were open when the previous process ended without settling them. Settle each as `unknown`. */
  readonly unfinished: readonly OpenCall[];
  /** Notices about opening: quarantined files, restored generations. Already in `document.notices` too. */
  readonly openingNotices: readonly Notice[];
  /** A newer version wrote this folder: nothing in it may be changed on this start. */
  readonly frozen: boolean;
  /** False while the disk refuses writes; then paid calls must be refused before a provider is called. */
  readonly writable: boolean;
  /** Called with every change of `writable`. Returns the unsubscribe. */
  onWritable(listener: (writable: boolean) => void): () => void;
  /** Writes the changes since the newest generation, or a new generation. */
  snapshot(): Promise<void>;
  /**
   * A consistent copy of state, journal, usage, tasks and sealed secrets in a folder of `backups/`.
   * @param freeBytes returns the free bytes of a folder's disk; by default from the system
   * @param withoutKey leaves out the file of the key that decrypts the provider keys
   * @throws StoreWriteError if the disk is full or refuses; a partial copy is removed
   */
  backup(kind?: BackupKind, freeBytes?: (folder: string) => Promise<number>, withoutKey?: boolean): Promise<MadeBackup>;
  /**
   * Final sync and snapshot; releases nothing (the folder lock is the caller's).
   * @throws StoreWriteError if the disk still refuses receipts; everything is closed nevertheless
   */
  close(): Promise<void>;
}

/** The disk refused a strict change. Nothing of it is applied. */
export class StoreWriteError extends Error {
  override readonly name: string = "StoreWriteError";
}

/** The disk is full: a retry makes sense once there is more space. */
export class NoRoomError extends StoreWriteError {
  override readonly name = "NoRoomError";
}

/** Seals the folder's data key: by the operating system's keychain in Electron, by file mode 0600 headless. */
export interface KeySealer {
  /** Kept next to the key that it sealed; what another backend sealed and this one does not open is never overwritten. */
  readonly backend: string;
  /**
   * Whether it encrypts into the key file for lack of a keychain, so that a later start with one moves the key there.
   */
  readonly awaitsKeychain?: boolean;
  seal(key: Uint8Array): Promise<string>;
  /** @throws if it cannot decrypt the text */
  open(sealed: string): Promise<Uint8Array>;
  /** Tells whether a stored secret has weak keychain protection and must be re-encrypted. It can be decrypted here. */
  isWeak?(sealed: string): boolean;
}
