import { getGroup } from "../../core/usage/usage-columns.ts";
import type { NamesByGroup, UsageColumns } from "../../core/usage/usage-columns.ts";
import { DURATION_BUCKETS } from "../../core/usage/durations.ts";
import type { UsageSums } from "../../core/usage/usage-sums.ts";
import type { DurationCounts } from "../../core/usage/durations.ts";
import { SUMS } from "../../core/usage/usage-totals.ts";

const QUOTE = 0x22;
const COLON = 0x3a;
const COMMA = 0x2c;
const END = 0x7d;
const ZERO = 0x30;

const GROUPS = ["model", "key", "client", "endpoint", "project"] as const;

/** Fields after the sums of a row, in this order. */
const DURATIONS = Buffer.from(',"durations":{');
const FIRST_DURATIONS = Buffer.from(',"first_durations":{');
const ENDS = Buffer.from("}}");

function matchesBytes(bytes: Buffer, at: number, expected: Buffer): boolean {
  for (let index = 0; index < expected.length; index += 1) if (bytes[at + index] !== expected[index]) return false;
  return true;
}

/**
 * Columns built from the lines of rows as this version writes them: a month's page reads thousands of rows, which
 * consist mostly of duration counts.
 */
export class RowColumns {
  readonly #names: NamesByGroup;
  /** Indexes of each row's groups, in their order. */
  readonly #groups: number[] = [];
  readonly #sums: number[] = [];
  readonly #durations = new Counts();
  readonly #first = new Counts();

  /** @param names take the names that are new */
  constructor(names: NamesByGroup) {
    this.#names = names;
  }

  /**
   * Adds the row whose JSON is in `bytes` between `start` and `end`.
   * @returns false if it is in another format; then these columns cannot be used
   */
  add(bytes: Buffer, start: number, end: number): boolean {
    const cut = bytes.indexOf(DURATIONS, start);
    if (cut === -1 || cut > end) return false;
    const between = this.#durations.read(bytes, cut + DURATIONS.length);
    if (between === null || !matchesBytes(bytes, between, FIRST_DURATIONS)) return false;
    const last = this.#first.read(bytes, between + FIRST_DURATIONS.length);
    if (last === null || last + ENDS.length !== end || !matchesBytes(bytes, last, ENDS)) return false;
    const { record } = JSON.parse(`${bytes.toString("utf8", start, cut)}}}`) as { record: UsageSums };
    for (const group of GROUPS) this.#groups.push(this.#names[group].number(getGroup(record, group)));
    for (const name of SUMS) this.#sums.push(record[name] ?? 0);
    return true;
  }

  get columns(): UsageColumns {
    const rows = this.#groups.length / GROUPS.length;
    const numbers = (place: number): Uint32Array =>
      Uint32Array.from({ length: rows }, (_, row) => this.#groups[row * GROUPS.length + place] ?? 0);
    return {
      rows,
      groups: {
        model: numbers(0),
        key: numbers(1),
        client: numbers(2),
        endpoint: numbers(3),
        project: numbers(4),
        // Rows of days have no connections.
        connection: new Uint32Array(rows).fill(this.#names.connection.number("")),
      },
      sums: Float64Array.from(this.#sums),
      durations: this.#durations.counts,
      firstDurations: this.#first.counts,
    };
  }
}

class Counts {
  readonly #starts = [0];
  readonly #buckets: number[] = [];
  readonly #counts: number[] = [];

  /** Reads `"8":1,"9":2}` at `at`. @returns the end offset; null for anything else */
  read(bytes: Buffer, at: number): number | null {
    for (let next = at; ; next += 1) {
      if (bytes[next] === END && next === at) return this.#end(next + 1);
      if (bytes[next] !== QUOTE) return null;
      const bucket = readNumber(bytes, next + 1);
      const colon = bucket.end + 1;
      if (bytes[bucket.end] !== QUOTE || bytes[colon] !== COLON || bucket.value >= DURATION_BUCKETS) return null;
      const count = readNumber(bytes, colon + 1);
      if (bucket.end === next + 1 || count.end === colon + 1) return null;
      this.#buckets.push(bucket.value);
      this.#counts.push(count.value);
      next = count.end;
      if (bytes[next] === END) return this.#end(next + 1);
      if (bytes[next] !== COMMA) return null;
    }
  }

  #end(at: number): number {
    this.#starts.push(this.#buckets.length);
    return at;
  }

  get counts(): DurationCounts {
    return {
      starts: Uint32Array.from(this.#starts),
      buckets: Uint8Array.from(this.#buckets),
      counts: Float64Array.from(this.#counts),
    };
  }
}

/** The digits from `at` on. */
function readNumber(bytes: Buffer, at: number): { readonly value: number; readonly end: number } {
  let value = 0;
  let end = at;
  for (; ; end += 1) {
    const digit = (bytes[end] ?? 0) - ZERO;
    if (digit < 0 || digit > 9) return { value, end };
    value = value * 10 + digit;
  }
}
