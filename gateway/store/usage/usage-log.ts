import type { Receipt } from "../../contract/receipt.ts";
import type { Totals } from "../../contract/totals.ts";
import { matchesRequest } from "../../contract/matches-request.ts";
import { countReceipt } from "../../core/usage/aggregate.ts";
import type { Aggregates } from "../../core/usage/aggregate.ts";
import { UsageDays } from "../../core/usage/usage-days.ts";
import type { Search } from "../../contract/matches-request.ts";
import { utcMonth } from "../../lib/clock.ts";
import type { Clock } from "../../lib/clock.ts";
import { Mutex } from "../../lib/mutex.ts";
import { Slots } from "../../lib/slots.ts";
import type { UsagePosition } from "../journal/generation-format.ts";
import { frame } from "../disk/line.ts";
import type { StoreFs } from "../disk/store-fs.ts";
import type { StoreLog } from "../store-event.ts";
import { StoreWriteError } from "../store.ts";
import type {
  HourlyUsage,
  HoursBack,
  OpenBill,
  OpenCall,
  PassedReceipt,
  ReceiptPage,
  ReceiptQuery,
  ReceiptSource,
  ScanHow,
  Scanned,
  SessionLog,
  UsageLog,
} from "../store.ts";
import { ReceiptColumns } from "./receipt-columns.ts";
import type { UsageHours } from "./usage-hours.ts";
import { KeptSessions } from "./kept-sessions.ts";
import { RecentReceipts } from "./recent-receipts.ts";
import { awaitsRecording, cursorText, findReceipts, hasReceipt, parseCursor } from "./usage-list.ts";
import type { FoundReceipts, ReceiptCursor } from "./usage-list.ts";
import { UsageScan, oldestMoment } from "./usage-scan.ts";
import type { ScanBounds } from "./usage-scan.ts";
import { UsageSessions } from "./usage-sessions.ts";
import type { UsageWriter } from "./usage-writer.ts";

/**
 * No provider answers sooner: a call that is over by then needs no note, and its receipt is all that is written. Others are
 * noted before they are twice as old: one look for all is much cheaper than a timer for each.
 */
const NOTE_AFTER_MS = 5;

/** Nano USD: a call that holds as much is noted before it is sent, so that a kill within the first milliseconds loses none. */
const NOTE_NOW_NANO = 50_000_000;

/** One receipt is looked for in so many pages of the log, of 32 MiB each. */
const FIND_PAGES = 8;

/** As many blocks a second, of 1,024 receipts: what it costs is not to be seen beside calls that are under way. */
const PACKED_BLOCKS = { calm: 8, busy: 1 };
/** Receipts that are worth a write. */
const PACKED_AT_ONCE = 64;

/** Once a start, between other work, and no one waits for its end. */
const SESSION_BOUNDS: ScanBounds = { receipts: 1_000_000, ms: 120_000 };

/** A call that is under way. */
interface Begun {
  readonly call: OpenCall;
  /** Null where it is in the call already, or not known, or not needed any more: it holds the whole request. */
  bill: (() => OpenBill) | null;
  /** Whether its end need not wait for the disk: its note is there, or no one bills it. */
  told: boolean;
  /** Whether it is settled, or was begun again with someone else. */
  over: boolean;
}

function openCall({ call, bill }: Begun): OpenCall {
  return bill === null ? call : { ...call, bill: bill() };
}

/** Numbers receipts, counts them in the document at once and hands their lines to the writer. */
export class NumberedUsageLog implements UsageLog {
  readonly days: UsageDays;
  readonly #fs: StoreFs;
  readonly #folder: string;
  readonly #rows: Aggregates;
  readonly #writer: UsageWriter;
  readonly #hours: UsageHours;
  readonly #sessions = new UsageSessions();
  readonly #columns: ReceiptColumns;
  #packing: Promise<void> | null = null;
  /** Of the last receipt when some were put in columns, and whether others have to be. */
  #packedN = 0;
  #isBehind = false;
  /** By the ids of their calls, their places. */
  readonly #places = new Map<string, number>();
  readonly #openCalls = new Slots<Begun>();
  readonly #log: StoreLog;
  readonly #recent = new RecentReceipts();
  /** Calls that were begun a moment ago, and how many of them were there at the last look already. */
  #unnoted: Begun[] = [];
  #looked = 0;
  #isLooking = false;
  /** Number of the last receipt. */
  #n: number;
  /** Two scans would keep the event loop twice as long. */
  readonly #scans = new Mutex();

  constructor(
    parts: { fs: StoreFs; folder: string; rows: Aggregates; writer: UsageWriter; hours: UsageHours; log: StoreLog },
    start: { n: number; openCalls: ReadonlyMap<string, OpenCall> },
  ) {
    this.#fs = parts.fs;
    this.#folder = parts.folder;
    this.#rows = parts.rows;
    this.days = new UsageDays(parts.rows.daily);
    this.#writer = parts.writer;
    this.#hours = parts.hours;
    this.#columns = new ReceiptColumns(parts.fs, parts.folder);
    this.#log = parts.log;
    this.#n = start.n;
    for (const call of start.openCalls.values()) this.#open({ call, bill: null, told: true, over: false });
  }

  begin(call: OpenCall, bill: (() => OpenBill) | null = null, unbilled = false): void {
    if (this.#writer.closed) return;
    // Anyone who was asked before may bill it all the same.
    const before = this.#close(call.id);
    const begun: Begun = { call, bill, told: unbilled && before?.told !== false, over: false };
    this.#open(begun);
    if (call.hold_nano > NOTE_NOW_NANO) {
      this.#write(begun);
      this.#writer.flush();
      return;
    }
    this.#unnoted.push(begun);
    if (!this.#isLooking) this.#lookSoon();
  }

  #open(begun: Begun): void {
    this.#places.set(begun.call.id, this.#openCalls.add(begun));
  }

  /** @returns what was open under that id, if anything was */
  #close(id: string): Begun | null {
    const place = this.#places.get(id);
    if (place === undefined) return null;
    this.#places.delete(id);
    const begun = this.#openCalls.get(place);
    if (begun === null) return null;
    this.#openCalls.remove(place, begun);
    begun.over = true;
    begun.bill = null;
    return begun;
  }

  #lookSoon(): void {
    this.#isLooking = true;
    setTimeout(() => {
      this.#note(this.#looked);
      this.#isLooking = false;
      if (this.#looked > 0) this.#lookSoon();
    }, NOTE_AFTER_MS).unref();
  }

  /** Writes down which of the first of them are still open; those that were settled meanwhile have their receipts. */
  #note(most: number): void {
    const calls = this.#unnoted.splice(0, most);
    this.#looked = this.#unnoted.length;
    if (this.#writer.closed) return;
    for (const begun of calls) if (!begun.over) this.#write(begun);
  }

  #write(begun: Begun): void {
    const call = openCall(begun);
    const told = begun.told ? null : () => (begun.told = true);
    this.#writer.stage(utcMonth(call.at), frame(JSON.stringify({ n: this.#n, call })), told);
  }

  settle(receipt: Receipt): Promise<void> {
    if (this.#writer.closed) return this.#refuse(receipt);
    const n = this.#n + 1;
    const json = JSON.stringify({ n, receipt });
    const month = utcMonth(receipt.at);
    this.#n = n;
    const begun = this.#close(receipt.id);
    this.days.count(receipt, countReceipt(this.#rows, receipt, n));
    this.#hours.count(receipt);
    this.#sessions.count(receipt);
    this.#columns.touch(month);
    this.#recent.add(n, month, json, `{"n":${n},"receipt":`.length, "}".length);
    this.#writer.stage(month, frame(json));
    // A power cut must not take the last trace of a call whose end was seen.
    if (begun?.told === false) return this.#writer.covered(this.#openCalls.size === 0);
    // No one is there to share its write with, so its client need not wait for the event loop to come round.
    if (this.#openCalls.size === 0) this.#writer.flush();
    return this.#writer.written();
  }

  #refuse({ id }: Receipt): Promise<void> {
    const message = `The receipt of ${id} came after the end and is not written; the next start lists its call as unknown.`;
    this.#log({ event: "store.receipt_too_late", level: "error", message });
    const refused = Promise.reject(new StoreWriteError(message));
    // Anyone who does not wait for receipts does not hear of it either.
    refused.catch(() => undefined);
    return refused;
  }

  async told<T>(read: () => T): Promise<T> {
    const sums = read();
    try {
      await this.synced();
    } catch (error) {
      if (!(error instanceof StoreWriteError)) throw error;
    }
    return sums;
  }

  synced(): Promise<void> {
    this.#note(Infinity);
    return this.#writer.synced();
  }

  /** Notes what is still open, makes a last attempt and closes the files. @throws StoreWriteError as the writer's */
  async close(): Promise<void> {
    this.#note(Infinity);
    await this.#columns.stop();
    await this.#sessions.stop();
    await this.#writer.close();
  }

  async has({ id, at }: Pick<Receipt, "id" | "at">): Promise<boolean> {
    // Those that the disk has refused, and that are written as soon as it takes them, are among these.
    if (this.#recent.find(id) !== null) return true;
    await this.#writer.written();
    return hasReceipt(this.#fs, this.#folder, utcMonth(at), id);
  }

  async list(query: ReceiptQuery): Promise<ReceiptPage> {
    let before = query.before === undefined ? null : parseCursor(query.before);
    if ((query.before !== undefined && before === null) || this.days.ruleOut(query)) return { data: [], cursor: null };
    const { settledAfter = 0 } = query;
    if (settledAfter >= this.#n) return { data: [], cursor: null };
    await this.#writer.written();
    const data: Receipt[] = [];
    if (before === null) {
      for (const { n, month, json } of this.#recent.newestFirst()) {
        if (data.length >= query.limit || n <= settledAfter) break;
        const receipt = JSON.parse(json) as Receipt;
        if (matchesRequest(receipt, query)) data.push(receipt);
        else if (awaitsRecording(receipt, query)) return { data, cursor: cursorText({ month, n: n + 1 }) };
        before = { month, n };
      }
    }
    if (before !== null && data.length >= query.limit) return { data, cursor: cursorText(before) };
    const rest = { ...query, limit: query.limit - data.length };
    const older = await findReceipts(this.#fs, this.#folder, rest, before, this.#columns);
    return {
      data: [...data, ...older.data],
      cursor: older.cursor === null ? null : cursorText(older.cursor),
    };
  }

  scan(
    search: Search,
    visit: (receipt: PassedReceipt) => void,
    clock: Clock,
    how: ScanHow & { readonly bounds?: ScanBounds } = {},
  ): Promise<Scanned> {
    return this.#scans.run(async () => {
      await this.#writer.written();
      const parts = { fs: this.#fs, folder: this.#folder, clock, columns: this.#columns, ...how };
      const scan = new UsageScan(parts, search, visit);
      let before: ReceiptCursor | null = null;
      for (const { n, month, json } of this.#recent.newestFirst()) {
        before = { month, n };
        if (n <= this.#columns.highestOf(month)) {
          before = { month, n: n + 1 };
          break;
        }
        scan.pass(n, json);
      }
      return scan.passFiles(before);
    });
  }

  receipts(sources: readonly ReceiptSource[]): Promise<(Receipt | null)[]> {
    return this.#scans.run(() => this.#columns.receipts(sources));
  }

  /**
   * Puts receipts in columns, some thousands at a time: called every second, between other work.
   * @returns when that is done, or what was begun before is
   */
  pack(clock: Clock): Promise<void> {
    return (this.#packing ??= this.#packSome(clock).finally(() => (this.#packing = null)));
  }

  async #packSome(clock: Clock): Promise<void> {
    const isWorthIt = this.#n - this.#packedN >= PACKED_AT_ONCE;
    if (!(isWorthIt || this.#isBehind)) return;
    try {
      this.#packedN = this.#n;
      // What a power cut takes of the log must not be in columns.
      await this.#writer.synced();
      const most = this.#openCalls.size === 0 ? PACKED_BLOCKS.calm : PACKED_BLOCKS.busy;
      this.#isBehind = await this.#scans.run(() => this.#columns.pack(most, clock));
    } catch {
      // The disk refuses: receipts are looked at in their lines until more have come.
      this.#isBehind = false;
    }
  }

  sessions(clock: Clock): Promise<SessionLog> {
    const kept = new KeptSessions(this.#fs, this.#folder, this.#columns, clock);
    return this.#sessions.read(
      this.#n,
      (visit, after = -1) => this.scan({}, visit, clock, { bounds: SESSION_BOUNDS, after }),
      {
        load: (most) => kept.load(most),
        mark: () => this.#scans.run(() => this.#columns.mark()),
        save: async (sums) => {
          // What a power cut takes of the log must not be in sums.
          await this.#writer.synced();
          await kept.save(sums);
        },
      },
    );
  }

  async oldest(): Promise<number | null> {
    await this.#writer.written();
    return oldestMoment(this.#fs, this.#folder);
  }

  hours(now: number, back?: HoursBack): Promise<HourlyUsage> {
    return this.#hours.read(now, back);
  }

  prepareHours(now: number, back?: HoursBack): Promise<void> {
    return this.#hours.prepare(now, back);
  }

  hoursTotal(from: number, to: number): Totals | null {
    return this.#hours.total(from, to);
  }

  hoursHere(): HourlyUsage | null {
    return this.#hours.here();
  }

  async find(id: string): Promise<Receipt | null> {
    const recent = this.#recent.find(id);
    if (recent !== null) return recent;
    await this.#writer.written();
    let before: ReceiptCursor | null = null;
    for (let page = 0; page < FIND_PAGES; page += 1) {
      const found: FoundReceipts = await findReceipts(this.#fs, this.#folder, { id, limit: 1 }, before);
      if (found.data[0] !== undefined) return found.data[0];
      if (found.cursor === null) return null;
      before = found.cursor;
    }
    return null;
  }

  /** Where the log stands, and the calls open at this moment: what a generation is begun with. */
  position(): { usage: UsagePosition; openCalls: OpenCall[] } {
    return {
      usage: {
        n: this.#n,
        segments: this.#writer.position(),
        ...(this.#rows.daily.partial && { partial: true }),
      },
      openCalls: Array.from(this.#openCalls, openCall),
    };
  }

  get lastNumber(): number {
    return this.#n;
  }
}
