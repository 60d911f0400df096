import type { Receipt } from "../../contract/receipt.ts";

/** The newest receipts are kept, because the pages ask for them all the time. */
const RECENT = 500;

/** Room for their texts: a receipt has some 600 bytes. Where they are longer, fewer are kept. */
const BYTES = 1024 * 1024;

/** What UTF-8 takes at most for each unit of a text. */
const BYTES_PER_UNIT = 3;

/** A receipt as its line says it. */
export interface RecentReceipt {
  readonly n: number;
  /** Of its segment. */
  readonly month: string;
  readonly json: string;
}

/** Where the text of a receipt lies. */
interface Place {
  n: number;
  month: string;
  start: number;
  end: number;
}

/**
 * The texts of the newest receipts, in bytes that are written over and over. An object or a string for each of them
 * would be kept just long enough to become old, and what is old is only collected with the whole heap.
 */
export class RecentReceipts {
  /** Made with the first receipt: a gateway at rest does not need it. */
  #bytes: Buffer | null = null;
  /** A ring: that of number `index` is at `index % RECENT`. */
  readonly #places: Place[] = [];
  /** Numbers of the oldest that is kept, and of the next one. */
  #first = 0;
  #end = 0;
  /** Where the next text goes. */
  #next = 0;
  /** Receipts of that month and before are left to the files. */
  #filesUpTo = "";

  /**
   * @param text that holds the receipt's JSON, and before and after it so many characters of ASCII that are not its
   */
  add(n: number, month: string, text: string, before: number, after: number): void {
    const newest = this.#end > this.#first ? this.#places[(this.#end - 1) % RECENT] : undefined;
    if (newest !== undefined && month < newest.month) {
      // Pages go by month and number. When the wall clock jumps back, the files answer for that month and before.
      if (month > this.#filesUpTo) this.#filesUpTo = month;
      return;
    }
    const most = text.length * BYTES_PER_UNIT;
    if (most > BYTES) {
      this.#first = this.#end;
      return;
    }
    this.#bytes ??= Buffer.allocUnsafeSlow(BYTES);
    if (this.#next + most > BYTES) this.#wrap();
    const start = this.#next;
    const end = start + this.#bytes.write(text, start);
    if (this.#end - this.#first === RECENT) this.#first += 1;
    while (this.#first < this.#end && this.#overlaps(this.#first, start, end)) this.#first += 1;
    this.#next = end;
    const place = this.#places[this.#end % RECENT];
    if (place === undefined) this.#places.push({ n, month, start: start + before, end: end - after });
    else {
      place.n = n;
      place.month = month;
      place.start = start + before;
      place.end = end - after;
    }
    this.#end += 1;
  }

  /** Begins at the front again. What lies behind the last text is the oldest, and is given up. */
  #wrap(): void {
    while (this.#first < this.#end && this.#overlaps(this.#first, this.#next, BYTES)) this.#first += 1;
    this.#next = 0;
  }

  #overlaps(index: number, start: number, end: number): boolean {
    const place = this.#places[index % RECENT];
    return place !== undefined && place.start < end && place.end > start;
  }

  /** Each is right until the next one is added. */
  *newestFirst(): Generator<RecentReceipt> {
    for (let index = this.#end - 1; index >= this.#first; index -= 1) {
      const place = this.#places[index % RECENT];
      if (place === undefined || this.#bytes === null || place.month <= this.#filesUpTo) return;
      yield { n: place.n, month: place.month, json: this.#bytes.toString("utf8", place.start, place.end) };
    }
  }

  /** @returns the receipt with that id; null where it is none of these */
  find(id: string): Receipt | null {
    const part = JSON.stringify(id);
    for (const { json } of this.newestFirst()) {
      if (!json.includes(part)) continue;
      const receipt = JSON.parse(json) as Receipt;
      if (receipt.id === id) return receipt;
    }
    return null;
  }
}
