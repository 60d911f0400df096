import { hasDuration, hasFailed } from "../../contract/ending.ts";
import { figuresOf } from "../../contract/request-figures.ts";
import type { Receipt } from "../../contract/receipt.ts";
import { SessionSums } from "../../core/sessions/session-sums.ts";
import type { SessionFigures } from "../../core/sessions/session-sums.ts";
import { countedModel } from "../../core/usage/usage-sums.ts";
import { within } from "../../lib/within.ts";
import type { PassedReceipt, Scanned, SessionLog } from "../store.ts";
import { ForgottenSessions } from "./kept-sessions.ts";
import type { KeptSessions, RowsSoFar, SumsSoFar } from "./kept-sessions.ts";
import type { ColumnsMark } from "./receipt-columns.ts";

/** A log of some hundred thousand receipts is read by then. */
const WAIT_MS = 1_000;

interface SessionBounds {
  /** Receipts that are worth it to keep what they add up to. */
  readonly worthKeeping: number;
  /** How many may have come since to be added to what is kept: they are in memory for a moment. */
  readonly mostSince: number;
  readonly sessions: number | undefined;
}

const BOUNDS: SessionBounds = { worthKeeping: 32_768, mostSince: 65_536, sessions: undefined };

/** Goes over the log from its newest receipt back. @param after its number and those before are not wanted */
type Scan = (visit: (receipt: PassedReceipt) => void, after?: number) => Promise<Scanned>;

/** What is kept of before, and up to where it could be. */
export interface KeptBefore extends Pick<KeptSessions, "load" | "save"> {
  mark(): Promise<ColumnsMark | null>;
}

interface Numbered {
  readonly n: number;
  readonly figures: SessionFigures;
}

/** Sums of all receipts that were asked for, and of these what is worth keeping. */
interface FoundSums extends Pick<SumsSoFar, "sums" | "complete"> {
  readonly toKeep: RowsSoFar | null;
}

/**
 * Sums by session, in memory only: those of before are read back when someone asks for the first time, and from then on
 * each receipt is counted as it is settled. Before that, receipts cost nothing here.
 */
export class UsageSessions {
  #sums: SessionSums | null = null;
  /** What was settled before there are sums that it can be counted in. */
  #since: SessionFigures[] = [];
  #reading: Promise<void> | null = null;
  #read = false;
  #complete = false;
  #keeping: Promise<void> = Promise.resolve();
  readonly #bounds: SessionBounds;

  constructor(bounds = BOUNDS) {
    this.#bounds = bounds;
  }

  count(receipt: Receipt): void {
    if (this.#reading === null || receipt.session === undefined) return;
    const figures = figuresOfReceipt(receipt, receipt.session);
    if (this.#sums === null) this.#since.push(figures);
    else this.#sums.count(figures);
  }

  /**
   * @param n number of the last receipt: later ones are counted as they come
   * @throws what the disk says; the next one who asks has it read again
   */
  async read(n: number, scan: Scan, kept: KeptBefore | null = null): Promise<SessionLog> {
    this.#reading ??= this.#readBack(n, scan, kept);
    await within(this.#reading, WAIT_MS);
    const sums = this.#sums ?? new SessionSums();
    return { sums, reading: !this.#read, complete: this.#complete };
  }

  /** Resolves when what is being written is. */
  stop(): Promise<void> {
    return this.#keeping;
  }

  async #readBack(n: number, scan: Scan, kept: KeptBefore | null): Promise<void> {
    try {
      const { sums, complete, toKeep } = (await this.#goOn(n, scan, kept)) ?? (await this.#readAll(n, scan, kept));
      // The disk may refuse: the next start reads it back again.
      if (toKeep !== null) this.#keeping = kept?.save(toKeep).catch(() => undefined) ?? this.#keeping;
      this.#begin(sums);
      sums.sort();
      this.#complete = complete;
      this.#read = true;
    } catch (error) {
      this.#sums = this.#reading = null;
      this.#since = [];
      throw error;
    }
  }

  #begin(sums: SessionSums): void {
    this.#sums = sums;
    for (const figures of this.#since) sums.count(figures);
    this.#since = [];
  }

  async #readAll(n: number, scan: Scan, kept: KeptBefore | null): Promise<FoundSums> {
    const { worthKeeping, sessions } = this.#bounds;
    const sums = new SessionSums(sessions);
    this.#begin(sums);
    const mark = n < worthKeeping ? null : ((await kept?.mark()) ?? null);
    const forgotten = new ForgottenSessions();
    const some = new SessionSums(sessions, false, (id) => forgotten.add(id));
    const { complete } = await scan((passed) => {
      const session = passed.text("session");
      if (session === "" || passed.n > n || !passed.isWhole()) return;
      const figures = figuresOfPassed(passed, session);
      sums.countEarlier(figures);
      if (mark !== null && passed.n <= mark.n) some.countEarlier(figures);
    });
    return { sums, complete, toKeep: mark && rowsOf({ mark, complete, sums: some, forgotten }) };
  }

  /** Counts what came after what is kept. @returns null where there is nothing that it can be added to */
  async #goOn(n: number, scan: Scan, kept: KeptBefore | null): Promise<FoundSums | null> {
    const { worthKeeping, mostSince } = this.#bounds;
    const before = (await kept?.load(this.#bounds.sessions).catch(() => null)) ?? null;
    if (before === null || n - before.mark.n > mostSince) return null;
    const { sums, forgotten, complete } = before;
    const since: Numbered[] = [];
    const scanned = await scan((passed) => {
      const session = passed.text("session");
      if (session === "" || passed.n > n || !passed.isWhole()) return;
      since.push({ n: passed.n, figures: figuresOfPassed(passed, session) });
    }, before.mark.n);
    if (!scanned.complete) return null;
    const mark = n - before.mark.n < worthKeeping ? null : ((await kept?.mark()) ?? null);
    let toKeep: RowsSoFar | null = null;
    for (const { n: number, figures } of since.toReversed()) {
      if (mark !== null && number > mark.n) toKeep ??= rowsOf({ ...before, mark });
      if (!sums.has(figures.session) && forgotten.has(figures.session)) return null;
      sums.count(figures);
    }
    return { sums, complete, toKeep };
  }
}

const rowsOf = ({ mark, complete, sums, forgotten }: SumsSoFar): RowsSoFar => ({
  mark,
  complete,
  rows: sums.rows(),
  forgotten: forgotten.sums(),
});

function figuresOfReceipt(receipt: Receipt, session: string): SessionFigures {
  const { at, ms, nano, sandbox, client, project = "", agent = "", terms } = receipt;
  const model = countedModel(receipt);
  const { tokens, output_tokens } = figuresOf(receipt);
  let cached_tokens = 0;
  for (const { unit, quantity } of terms) {
    if (unit === "cached_input" || unit === "cached_audio_input") cached_tokens += quantity;
  }
  const [failed, measured] = [hasFailed(receipt), hasDuration(receipt)];
  const counted = { tokens, output_tokens, cached_tokens };
  return { session, project, agent, client, model, at, ms, nano, sandbox, failed, measured, ...counted };
}

function figuresOfPassed(passed: PassedReceipt, session: string): SessionFigures {
  const { at, ms, nano, sandbox, status, tokens, output_tokens, cached_tokens } = passed;
  const ending = { outcome: passed.text("outcome"), code: passed.text("code") || null, status };
  return {
    session,
    project: passed.text("project"),
    agent: passed.text("agent"),
    client: passed.text("client"),
    model: passed.text("provider") === "" ? "" : passed.text("model"),
    at,
    ms,
    nano,
    sandbox,
    failed: hasFailed(ending),
    measured: hasDuration(ending),
    tokens,
    output_tokens,
    cached_tokens,
  };
}
