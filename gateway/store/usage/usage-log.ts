import type { Receipt } from "../../contract/receipt.ts";
import type { SessionView } from "../../contract/sessions.ts";
import type { UsageGroup } from "../../contract/usage.ts";
import { countReceipt } from "../../core/usage/aggregate.ts";
import type { Aggregates } from "../../core/usage/aggregate.ts";
import { HourSums } from "../../core/usage/hour-sums.ts";
import { UsageDays } from "../../core/usage/usage-days.ts";
import { SUMS } from "../../core/usage/usage-totals.ts";
import type { Search } from "../../contract/matches-request.ts";
import { utcMonth } from "../../lib/clock.ts";
import { Slots } from "../../lib/slots.ts";
import type { UsagePosition } from "../journal/generation-format.ts";
import { frame } from "../disk/line.ts";
import type { StoreFs } from "../disk/store-fs.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { ResponseTo } from "../ledger/questions.ts";
import type { CountActivity, ListPlace, ListSessionRows, PassedColumn, Questions } from "../ledger/questions.ts";
import type { StoreLog } from "../store-event.ts";
import { StoreWriteError } from "../store.ts";
import type {
  CountedActivity,
  HourlyUsage,
  OpenBill,
  OpenCall,
  PassedRows,
  ReceiptPage,
  ReceiptQuery,
  SessionRows,
  UsageLog,
} from "../store.ts";
import { isEarlierUsage, removeEarlierFiles } from "./earlier-files.ts";
import { hasReceipt } from "./usage-has.ts";
import type { UsageWriter } from "./usage-writer.ts";

/**
 * No provider responds faster: a call that ends earlier needs no note, only its receipt. Longer calls are noted before
 * they are twice as old; one sweep for all is much cheaper than a timer per call.
 */
const NOTE_AFTER_MS = 5;

/**
 * Nano USD: a call that holds this much is noted before it is sent, so that it survives a kill within the first
 * milliseconds.
 */
const NOTE_NOW_NANO = 50_000_000;

/** Receipts per step of a pass; a step takes about a millisecond. */
const PASSED_AT_ONCE = 2_000;

/** A running call. */
interface TrackedCall {
  readonly call: OpenCall;
  /** Null if already stored, unknown, or no longer needed, because it references the whole request. */
  bill: (() => OpenBill) | null;
  /** Whether its end need not wait for a sync: its note is synced, or the call is free. */
  isNoted: boolean;
  /** Whether it is settled, or was started again with another provider. */
  over: boolean;
}

function openCall({ call, bill }: TrackedCall): OpenCall {
  return bill === null ? call : { ...call, bill: bill() };
}

/** Numbers receipts, counts them in the document immediately and hands their lines to the writer. */
export class NumberedUsageLog implements UsageLog {
  readonly days: UsageDays;
  readonly #fs: StoreFs;
  readonly #folder: string;
  readonly #rows: Aggregates;
  readonly #writer: UsageWriter;
  readonly #ledger: Pick<Ledger, "ask" | "close">;
  /** Indexes of open calls by call id. */
  readonly #places = new Map<string, number>();
  #isTidy = false;
  readonly #openCalls = new Slots<TrackedCall>();
  readonly #log: StoreLog;
  /** Calls that started a moment ago, and how many of them were there at the last look already. */
  #unnoted: TrackedCall[] = [];
  #looked = 0;
  #isLooking = false;
  /** Number of the last receipt. */
  #n: number;

  constructor(
    parts: {
      fs: StoreFs;
      folder: string;
      rows: Aggregates;
      writer: UsageWriter;
      ledger: Pick<Ledger, "ask" | "close">;
      log: StoreLog;
    },
    start: { n: number; openCalls: ReadonlyMap<string, OpenCall> },
  ) {
    this.#fs = parts.fs;
    this.#folder = parts.folder;
    this.#rows = parts.rows;
    this.days = new UsageDays(parts.rows.daily);
    this.#writer = parts.writer;
    this.#ledger = parts.ledger;
    this.#log = parts.log;
    this.#n = start.n;
    for (const call of start.openCalls.values()) this.#open({ call, bill: null, isNoted: true, over: false });
  }

  begin(call: OpenCall, bill: (() => OpenBill) | null = null, unbilled = false): void {
    if (this.#writer.closed) return;
    // An earlier provider may bill it all the same.
    const before = this.#close(call.id);
    const open: TrackedCall = { call, bill, isNoted: unbilled && before?.isNoted !== false, over: false };
    this.#open(open);
    if (call.hold_nano > NOTE_NOW_NANO) {
      this.#write(open);
      this.#writer.flush();
      return;
    }
    this.#unnoted.push(open);
    if (!this.#isLooking) this.#lookSoon();
  }

  #open(open: TrackedCall): void {
    this.#places.set(open.call.id, this.#openCalls.add(open));
  }

  /** @returns the call that was open under that id, if any */
  #close(id: string): TrackedCall | null {
    const place = this.#places.get(id);
    if (place === undefined) return null;
    this.#places.delete(id);
    const open = this.#openCalls.get(place);
    if (open === null) return null;
    this.#openCalls.remove(place, open);
    open.over = true;
    open.bill = null;
    return open;
  }

  #lookSoon(): void {
    this.#isLooking = true;
    setTimeout(() => {
      this.#note(this.#looked);
      this.#isLooking = false;
      if (this.#looked > 0) this.#lookSoon();
    }, NOTE_AFTER_MS).unref();
  }

  /** Writes notes for the first of the open calls; settled ones have their receipts. */
  #note(most: number): void {
    const calls = this.#unnoted.splice(0, most);
    this.#looked = this.#unnoted.length;
    if (this.#writer.closed) return;
    for (const open of calls) if (!open.over) this.#write(open);
  }

  #write(open: TrackedCall): void {
    const call = openCall(open);
    const markNoted = open.isNoted ? null : () => (open.isNoted = true);
    this.#writer.stage(utcMonth(call.at), frame(JSON.stringify({ n: this.#n, call })), markNoted);
  }

  settle(receipt: Receipt): Promise<void> {
    if (this.#writer.closed) return this.#refuse(receipt);
    const n = this.#n + 1;
    this.#n = n;
    const open = this.#close(receipt.id);
    this.days.count(receipt, countReceipt(this.#rows, receipt, n));
    this.#writer.stage(utcMonth(receipt.at), frame(JSON.stringify({ n, receipt })));
    // A power cut must not lose the last trace of a completed call.
    if (open?.isNoted === false) return this.#writer.waitUntilCovered(this.#openCalls.size === 0);
    // No other line shares its write, so the client need not wait for the next event loop turn.
    if (this.#openCalls.size === 0) this.#writer.flush();
    return this.#writer.written();
  }

  #refuse({ id }: Receipt): Promise<void> {
    const message = `The receipt of ${id} came after the end and is not written; the next start lists its call as unknown.`;
    this.#log({ event: "store.receipt_too_late", level: "error", message });
    const refused = Promise.reject(new StoreWriteError(message));
    // A caller that does not wait for receipts is not notified of it either.
    refused.catch(() => undefined);
    return refused;
  }

  async readDurable<T>(read: () => T): Promise<T> {
    const sums = read();
    try {
      await this.sync();
    } catch (error) {
      if (!(error instanceof StoreWriteError)) throw error;
    }
    return sums;
  }

  sync(): Promise<void> {
    this.#note(Infinity);
    return this.#writer.sync();
  }

  /** Notes open calls, retries once and closes the files. @throws StoreWriteError like the writer */
  async close(): Promise<void> {
    this.#note(Infinity);
    await this.#ledger.close();
    await this.#writer.close();
  }

  async has({ id, at }: Pick<Receipt, "id" | "at">): Promise<boolean> {
    if (this.#writer.isWriting(id)) return true;
    await this.#writer.written();
    return hasReceipt(this.#fs, this.#folder, utcMonth(at), id);
  }

  async list({ limit, sort, before, recordedFrom, settledAfter = 0, ...search }: ReceiptQuery): Promise<ReceiptPage> {
    const place = before === undefined ? null : readCursor(before);
    const isEnd = (before !== undefined && place === null) || settledAfter >= this.#n;
    if (isEnd) return { data: [], cursor: null, rebuilding: null };
    const question = { search, limit, settledAfter, before: place, sort: sort ?? null };
    const from = recordedFrom ?? -Infinity;
    const { response, rebuilding } = await this.#ask("receipts.list", { ...question, recordedFrom: from });
    const cursor = response.next === null ? null : encodeCursor(response.next);
    return { data: JSON.parse(response.json) as Receipt[], cursor, rebuilding };
  }

  async countActivity(question: CountActivity): Promise<CountedActivity> {
    const { response, rebuilding } = await this.#ask("receipts.activity", question);
    return { counts: response, rebuilding };
  }

  async *pass(search: Search, columns: readonly PassedColumn[]): AsyncGenerator<PassedRows> {
    const question = { search, columns, limit: PASSED_AT_ONCE };
    for (let before: number | null | undefined = null; before !== undefined;) {
      const passed: Passed = await this.#ask("receipts.pass", { ...question, before });
      yield { rows: passed.response.rows, rebuilding: passed.rebuilding };
      before = passed.response.next ?? undefined;
    }
  }

  async sessions(query: ListSessionRows): Promise<SessionRows> {
    const { response, rebuilding } = await this.#ask("receipts.sessions", query);
    return { ...response, rebuilding };
  }

  async findSession(id: string): Promise<SessionView | null> {
    return (await this.#ask("receipts.session", { id })).response;
  }

  async oldest(): Promise<number | null> {
    return (await this.#ask("receipts.oldest", {})).response;
  }

  async find(id: string): Promise<Receipt | null> {
    const { response } = await this.#ask("receipts.find", { id });
    return response === null ? null : (JSON.parse(response) as Receipt);
  }

  /** The index reads the files, so they must contain settled receipts. */
  async #ask<N extends keyof Questions>(name: N, question: Questions[N]["ask"]): Promise<ResponseTo<N>> {
    await this.#writer.written();
    const responded = await this.#ledger.ask(name, question);
    if (responded.rebuilding === null) this.#removeEarlier();
    return responded;
  }

  /** Once a start, when the index has everything. What cannot be removed stays. */
  #removeEarlier(): void {
    if (this.#isTidy) return;
    this.#isTidy = true;
    if (this.#writer.healthy) void removeEarlierFiles(this.#fs, this.#folder, isEarlierUsage).catch(() => undefined);
  }

  async sumHours(from: number, to: number, by: UsageGroup, search: Search = {}): Promise<HourlyUsage> {
    const { response, rebuilding } = await this.#ask("receipts.hours", { from, to, by, sums: SUMS, search });
    return { hours: new HourSums(response, by), rebuilding };
  }

  /** Returns the log's position and the calls open at this moment, with which a generation starts. */
  position(): { usage: UsagePosition; openCalls: OpenCall[] } {
    return {
      usage: { n: this.#n, segments: this.#writer.position() },
      openCalls: Array.from(this.#openCalls, openCall),
    };
  }

  get lastNumber(): number {
    return this.#n;
  }
}

type Passed = ResponseTo<"receipts.pass">;

/** Encodes a page's last place as a cursor. */
const encodeCursor = ({ place, figure }: ListPlace): string => `${place}~${figure ?? ""}`;

/** @returns null when a text is no cursor */
function readCursor(text: string): ListPlace | null {
  const [, place, figure] = /^(\d{1,16})~(-?[\d.e+-]{1,30})?$/.exec(text) ?? [];
  if (place === undefined) return null;
  return { place: Number(place), figure: figure === undefined ? null : Number(figure) };
}
