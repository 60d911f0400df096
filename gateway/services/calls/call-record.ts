import type { Outcome, Receipt, ReceiptTerm } from "../../contract/receipt.ts";
import type { RunningRequest } from "../../contract/requests.ts";
import { clientName } from "../../core/keys/client-name.ts";
import type { Units } from "../../core/models/model.ts";
import type { Hold } from "../../core/money/purse.ts";
import { priceUnits } from "../../core/money/price.ts";
import { BoundedMap } from "../../lib/bounded-map.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Store } from "../../store/store.ts";
import type { Ticket } from "./admission.ts";
import type { Events } from "../events.ts";
import type { Candidate } from "../models/model-index.ts";
import type { RunningCall, RunningCalls } from "./running-calls.ts";

export interface CallRecordDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly events: Events;
  readonly running: RunningCalls;
}

/** What is known of a call from its start. */
export interface CallStart {
  readonly requestId: string;
  /** Monotonic milliseconds. */
  readonly arrivedAt: number;
  readonly keyId: string;
  readonly endpoint: string;
  readonly model: string;
  readonly userAgent: string;
  readonly stream: boolean;
  /** Whether a record of its own says after a crash what became of it (video tasks): then it leaves no other trace. */
  readonly recorded: boolean;
  /** Told the receipt as it is booked. */
  readonly settled: (receipt: Receipt) => void;
}

/** How a call ended. */
export interface CallEnd {
  readonly outcome: Outcome;
  readonly status: number;
  readonly code: string | null;
  readonly units: Units;
  readonly estimated: boolean;
}

const DONE = Promise.resolve();
const names = new BoundedMap<string, string>(500);

/** The money and the receipt of one call. Settled once, whatever happens; everything after that is a no-op. */
export class CallRecord implements RunningCall {
  readonly #deps: CallRecordDeps;
  readonly #start: CallStart;
  #model: string;
  #ticket: Ticket | null = null;
  #candidate: Candidate | null = null;
  #firstByteAt: number | null = null;
  #characters: (() => number) | null = null;
  #arrived: number | null = null;
  #settled: Promise<void> | null = null;

  constructor(deps: CallRecordDeps, start: CallStart) {
    this.#deps = deps;
    this.#start = start;
    this.#model = start.model;
  }

  /** The public id of the model: what the client asked for, until it is known which one that means. */
  get model(): string {
    return this.#model;
  }

  /** As receipts and the library name it. */
  get endpoint(): string {
    return this.#start.endpoint;
  }

  resolved(model: string): void {
    this.#model = model;
  }

  /** What the call holds, nano USD; 0 where no limit applies. */
  get held(): number {
    return this.#ticket?.hold.amount ?? 0;
  }

  /** Asks for more money while the call runs. False when there is none. */
  extend(nano: number): boolean {
    return this.#ticket?.hold.extend(nano) ?? true;
  }

  admitted(ticket: Ticket): void {
    this.#ticket = ticket;
    this.#deps.running.enter(this);
  }

  /** A vendor is about to be asked: from here on a crash leaves a trace ("unknown outcome"). Once per call. */
  begun(candidate: Candidate): void {
    const first = this.#candidate === null;
    this.#candidate = candidate;
    if (!first || this.#start.recorded) return;
    const { connection } = candidate;
    this.#deps.store.usage.begin({
      id: this.#start.requestId,
      at: this.#deps.clock.now(),
      key: this.#start.keyId,
      endpoint: this.#start.endpoint,
      model: this.#model,
      vendor: vendorName(candidate),
      connection: connection.id,
      client: this.#client(),
      stream: this.#start.stream,
      sandbox: connection.from === "sandbox",
      hold_nano: this.#ticket?.hold.amount ?? 0,
    });
  }

  /** @param characters how many of a stream have come, whenever somebody asks. */
  firstByte(characters: (() => number) | null = null): void {
    this.#firstByteAt ??= this.#deps.clock.monotonic();
    this.#characters = characters;
  }

  running(): RunningRequest {
    const { clock } = this.#deps;
    const { requestId: id, arrivedAt, keyId: key, endpoint, stream } = this.#start;
    const candidate = this.#candidate;
    // The same at every look, so that a row does not change for nothing.
    this.#arrived ??= Math.round(clock.now() - (clock.monotonic() - arrivedAt));
    return {
      id,
      at: this.#arrived,
      key,
      endpoint,
      model: this.#model,
      vendor: candidate === null ? "" : vendorName(candidate),
      client: this.#client(),
      stream,
      sandbox: candidate?.connection.from === "sandbox",
      state: this.#firstByteAt === null ? "waiting" : "answering",
      characters: this.#characters?.() ?? null,
    };
  }

  /**
   * Books what the call cost, ends its hold and its place in flight. Resolves when the receipt is written, so that the
   * last byte of an answer never leaves before its charge would survive a kill.
   */
  settle(end: CallEnd): Promise<void> {
    this.#settled ??= this.#book(end);
    return this.#settled;
  }

  /** The money goes on to a task, which is settled when it ends: from here on the call itself books nothing. */
  handOver(): Hold | null {
    const hold = this.#ticket?.hold ?? null;
    this.#settled ??= DONE;
    this.#leave();
    return hold;
  }

  #book(end: CallEnd): Promise<void> {
    const receipt = this.#receipt(end);
    let written = DONE;
    const book = (): void => {
      written = this.#deps.store.usage.settle(receipt);
    };
    if (this.#ticket === null) book();
    else this.#ticket.hold.settle(book);
    this.#leave();
    this.#start.settled(receipt);
    if (!this.#deps.events.idle) this.#deps.events.emit({ type: "request.settled", receipt });
    return written;
  }

  #leave(): void {
    this.#ticket?.leave();
    this.#deps.running.leave(this);
  }

  #receipt(end: CallEnd): Receipt {
    const { clock } = this.#deps;
    const candidate = this.#candidate;
    const price = candidate?.price ?? null;
    const used = Object.values(end.units).some((quantity) => quantity > 0);
    const priced = price === null ? null : priceUnits(end.units, price);
    const now = clock.monotonic();
    return {
      id: this.#start.requestId,
      at: clock.now(),
      key: this.#start.keyId,
      endpoint: this.#start.endpoint,
      model: this.#model,
      vendor: candidate === null ? "" : vendorName(candidate),
      connection: candidate?.connection.id ?? "",
      client: this.#client(),
      status: end.status,
      code: end.code,
      outcome: end.outcome,
      stream: this.#start.stream,
      ms: tenths(now - this.#start.arrivedAt),
      first_ms: this.#firstByteAt === null ? null : tenths(this.#firstByteAt - this.#start.arrivedAt),
      sandbox: candidate?.connection.from === "sandbox",
      estimated: end.estimated,
      terms: priced === null ? unpriced(end.units) : [...priced.terms],
      nano: used ? (priced?.nano ?? null) : 0,
      price: price === null ? null : { source: price.source, as_of: price.as_of },
    };
  }

  /** As the client calls itself. */
  get client(): string {
    return this.#client();
  }

  #client(): string {
    const { userAgent } = this.#start;
    let name = names.get(userAgent);
    if (name === undefined) {
      name = clientName(userAgent);
      names.set(userAgent, name);
    }
    return name;
  }
}

/** As `x-postern-vendor` names it. */
export function vendorName(candidate: Candidate): string {
  return candidate.connection.from === "sandbox" ? "sandbox" : candidate.connection.vendor.id;
}

/** Quantities without prices, so that tokens are counted although nobody knows what they cost. */
function unpriced(units: Units): ReceiptTerm[] {
  const terms: ReceiptTerm[] = [];
  for (const [unit, quantity] of Object.entries(units) as [keyof Units, number][]) {
    if (quantity > 0) terms.push({ unit, quantity, nano_per_million: 0, nano: 0 });
  }
  return terms;
}

function tenths(ms: number): number {
  return Math.round(ms * 10) / 10;
}
