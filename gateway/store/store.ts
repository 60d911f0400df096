import type { Notice } from "../contract/control.ts";
import type { Receipt } from "../contract/receipt.ts";
import type { BackupKind } from "../contract/upkeep.ts";
import type { RequestFilter } from "../contract/requests.ts";
import type { UsageSource } from "../core/usage/usage-columns.ts";
import type { UsageDays } from "../core/usage/usage-days.ts";
import type { Change, Document } from "./document.ts";

/** A call that was sent to a vendor and is not settled yet. */
export interface OpenCall {
  /** Request id. */
  readonly id: string;
  readonly at: number;
  readonly key: string;
  readonly endpoint: string;
  readonly model: string;
  readonly vendor: string;
  readonly connection: string;
  readonly client: string;
  readonly stream: boolean;
  readonly sandbox: boolean;
  /** Nano USD held for it. */
  readonly hold_nano: number;
}

/** A page of the log. */
export interface ReceiptQuery extends Partial<RequestFilter> {
  readonly limit: number;
  readonly before?: string | undefined;
}

export interface ReceiptPage {
  /** Newest first. */
  readonly data: readonly Receipt[];
  /** Pass as `before` for the next page; null at the end. */
  readonly cursor: string | null;
}

/** Sums of the last 26 UTC hours, each by its beginning. */
export interface HourlyUsage {
  readonly source: UsageSource;
  /** Hours before this moment are not counted whole; null: all are. */
  readonly wholeFrom: number | null;
}

/**
 * Receipts: append-only, one line each, in monthly segments. Two levels of durability, both named by what they
 * survive: *written* (in the kernel: survives SIGKILL of this process) and *synced* (on the disk: survives a power cut).
 */
export interface UsageLog {
  /** Notes that a call is about to be sent to a vendor. Never waited for; written within some milliseconds, if still open. */
  begin(call: OpenCall): void;
  /**
   * Counts a receipt in the document's `spend` and `daily` at once, and ends its open call. Resolves when written.
   * When the disk refuses, it still resolves: the line is kept in memory, `writable` turns false, and it is written
   * when the disk takes it again.
   */
  settle(receipt: Receipt): Promise<void>;
  /**
   * Resolves when everything settled so far is synced. Call before showing sums to anybody.
   * @throws StoreWriteError while the disk refuses writes (`writable` is false): the sums are right, and not yet safe
   */
  synced(): Promise<void>;
  /**
   * Whether a receipt of this id is in the log: for what may have been charged right before a crash. Of the month that
   * `at` is in, the last 10,000 lines are looked at, after what is being written.
   */
  has(receipt: Pick<Receipt, "id" | "at">): Promise<boolean>;
  /**
   * Pages backwards through all segments without reading more of them than it needs. A page of a filter that matches
   * little is short, or empty, and has a cursor: at most 32 MiB are read for it.
   */
  list(query: ReceiptQuery): Promise<ReceiptPage>;
  /** The receipt of this id; null when there is none in the newest 256 MiB. */
  find(id: string): Promise<Receipt | null>;
  /** What each day used: the document's `daily` by its days. */
  readonly days: UsageDays;
  /** What the last hours before `now` used. The first time it reads back what was settled before this start. */
  hours(now: number): Promise<HourlyUsage>;
}

/** Vendor keys, sealed at rest, in a file of their own. */
export interface Secrets {
  /** Stores a secret durably and returns its id. */
  add(value: string): Promise<string>;
  /** @returns undefined when it is not there or cannot be opened here (see `locked`). */
  get(id: string): string | undefined;
  remove(ids: readonly string[]): Promise<void>;
  /**
   * Why some of them cannot be opened on this start (another keychain), or null. They stay sealed until they are removed;
   * others can be added beside them.
   */
  readonly locked: string | null;
}

/** The one door to the disk. Opened by `openStore`; everything it returns is in memory. */
export interface Store {
  readonly document: Document;
  /**
   * Strict: resolves when all changes, as one, are synced and applied to `document`. Changes of one call are atomic.
   * @throws StoreWriteError when they could not be written: then none is applied and none will be after a restart.
   */
  commit(changes: readonly Change[]): Promise<void>;
  /** Relaxed: applied at once, synced within a second, lost with the second. For caches such as discoveries. */
  commitRelaxed(changes: readonly Change[]): void;
  readonly usage: UsageLog;
  readonly secrets: Secrets;
  /** Calls that were open when the previous process ended without settling them. Settle each as `unknown`. */
  readonly unfinished: readonly OpenCall[];
  /** What opening had to do: quarantined files, restored generations. Already in `document.notices` too. */
  readonly openingNotices: readonly Notice[];
  /** A newer version wrote this folder: nothing in it may be changed on this start. */
  readonly frozen: boolean;
  /** False while the disk refuses writes; then paid calls must be refused before a vendor is called. */
  readonly writable: boolean;
  /** Called with every change of `writable`. Returns the unsubscribe. */
  onWritable(listener: (writable: boolean) => void): () => void;
  /** Writes a new generation now. */
  snapshot(): Promise<void>;
  /** A consistent copy of state, journal, usage, tasks and sealed secrets in a folder of `backups/`. */
  backup(kind?: BackupKind): Promise<{ path: string; bytes: number }>;
  /**
   * Final sync and snapshot; releases nothing (the folder lock is the caller's).
   * @throws StoreWriteError when the disk still refuses receipts; everything is closed all the same
   */
  close(): Promise<void>;
}

/** The disk refused a strict change. Nothing of it is applied. */
export class StoreWriteError extends Error {
  override readonly name = "StoreWriteError";
}

/** Seals the folder's data key: by the operating system's keychain in Electron, by file mode 0600 headless. */
export interface KeySealer {
  /** Kept beside the key that it sealed; what another backend sealed is `locked`, never overwritten. */
  readonly backend: string;
  seal(key: Uint8Array): Promise<string>;
  open(sealed: string): Promise<Uint8Array>;
}
