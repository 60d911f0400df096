import { hasFailed } from "../../contract/ending.ts";
import type { Search } from "../../contract/matches-request.ts";
import type { BestWanted } from "../store.ts";
import { EXACT, SEARCHED } from "./line-filter.ts";
import { bloomBits, mayHold } from "./receipt-block.ts";
import type { ReceiptBlock } from "./receipt-block.ts";
import type { SegmentBlocks } from "./segment-blocks.ts";

const ASCII = /^[ -~]*$/;

/** The same as `matchesRequest`, of blocks of receipts. */
export class BlockFilter {
  readonly #search: Search;
  /** Of each text that is asked for; of `asked` one of two is enough. */
  readonly #bits: readonly (readonly number[])[];
  readonly #askedBits: readonly (readonly number[])[] | null;

  constructor(search: Search) {
    this.#search = search;
    this.#bits = EXACT.flatMap((field) => {
      const value = search[field];
      return value === undefined ? [] : [bloomBits(field, value) ?? []];
    });
    this.#askedBits =
      search.asked?.flatMap((name) => [bloomBits("route", name) ?? [], bloomBits("model", name) ?? []]) ?? null;
  }

  /** Whether it asks for nothing but a time. */
  get isOpen(): boolean {
    const { since: _since, until: _until, ...others } = this.#search;
    return Object.values(others).every((value) => value === undefined);
  }

  /** False where a block has certainly no receipt that the filter lets in. */
  mayMatch(blocks: SegmentBlocks, index: number): boolean {
    const { since = -Infinity, until = Infinity } = this.#search;
    if (blocks.of(index, "lastMoment") < since || blocks.of(index, "firstMoment") >= until) return false;
    const bloom = blocks.bloom(index);
    return (
      this.#bits.every((bits) => mayHold(bloom, bits)) &&
      (this.#askedBits === null || this.#askedBits.some((bits) => mayHold(bloom, bits)))
    );
  }

  /**
   * The rows that it lets in, the newest first.
   * @param into room for all rows of the block @returns how many there are
   */
  rows(block: ReceiptBlock, into: Uint32Array): number {
    const tests = this.#testsOf(block);
    if (tests === null) return 0;
    let count = 0;
    for (let row = block.rows - 1; row >= 0; row -= 1) into[count++] = row;
    for (const test of tests) {
      let kept = 0;
      for (let place = 0; place < count; place += 1) {
        const row = (block.row = into[place] as number);
        if (test(row)) into[kept++] = row;
      }
      count = kept;
    }
    return count;
  }

  /** @returns null where the block has none */
  #testsOf(block: ReceiptBlock): ((row: number) => boolean)[] | null {
    const { status, since = -Infinity, until = Infinity, asked } = this.#search;
    const tests: ((row: number) => boolean)[] = [];
    if (block.firstMoment < since || block.lastMoment >= until) {
      const moments = block.figures("at");
      tests.push((row) => (moments[row] as number) >= since && (moments[row] as number) < until);
    }
    for (const field of EXACT) {
      const value = this.#search[field];
      if (value === undefined) continue;
      const code = block.texts(field).indexOf(value);
      if (code === -1) return null;
      const codes = block.codes(field);
      tests.push((row) => codes[row] === code);
    }
    if (asked !== undefined) tests.push(() => asked.includes(block.text("route") || block.text("model")));
    if (status === "failed") tests.push(() => hasFailed(endingOf(block)));
    else if (status !== undefined) {
      const hundreds = Number(status.slice(0, 1));
      tests.push(() => Math.floor(block.status / 100) === hundreds);
    }
    const finds = this.#finder(block);
    if (finds !== null) tests.push(finds);
    return tests;
  }

  #finder(block: ReceiptBlock): ((row: number) => boolean) | null {
    const { q, named = [], recorded } = this.#search;
    if (q === undefined) return null;
    const low = q.toLowerCase();
    const finds = SEARCHED.filter((field) => field !== "id").flatMap((field) => {
      const found = block.texts(field).map((text) => text?.toLowerCase().includes(low) === true);
      return found.includes(true) ? [{ codes: block.codes(field), found }] : [];
    });
    const byName = block.texts("connection").map((text) => text !== null && named.includes(text));
    if (byName.includes(true)) finds.push({ codes: block.codes("connection"), found: byName });
    const written = ASCII.test(low) ? JSON.stringify(low).slice(1, -1) : null;
    const inIds = written === null || block.idsMayHave(written);
    if (finds.length === 0 && !inIds && recorded === undefined) return () => false;
    return (row) => {
      for (const { codes, found } of finds) if (found[codes[row] as number] === true) return true;
      if (inIds && block.text("id").toLowerCase().includes(low)) return true;
      return recorded !== undefined && recorded.has(block.text("id"));
    };
  }
}

const endingOf = (block: ReceiptBlock) => ({
  outcome: block.text("outcome"),
  code: block.text("code") || null,
  status: block.status,
});

/**
 * What the last of the wanted has at the least: so many blocks have a receipt with it or a better one.
 * @param bests of all blocks that lie whole within a search
 */
export function leastOfBest(bests: readonly (number | null)[], { order, most }: BestWanted): number {
  const ranks = bests.map((figure) => rankOf(figure, order)).toSorted((a, b) => b - a);
  return ranks[most - 1] ?? -Infinity;
}

export const rankOf = (figure: number | null, order: "desc" | "asc"): number =>
  figure === null ? -Number.MAX_VALUE : order === "desc" ? figure : -figure;
