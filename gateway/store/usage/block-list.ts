import { matchesRequest } from "../../contract/matches-request.ts";
import type { Search } from "../../contract/matches-request.ts";
import type { Receipt } from "../../contract/receipt.ts";
import { holeIn, unframe } from "../disk/line.ts";
import { asUsageLine } from "../disk/segments.ts";
import type { StoreFile } from "../disk/store-fs.ts";
import { BlockFilter } from "./block-filter.ts";
import { BLOCK_ROWS, ReceiptBlock } from "./receipt-block.ts";
import type { SegmentBlocks } from "./segment-blocks.ts";

/** What is looked at in blocks for a page before it is short: about 130,000 receipts. */
export const MOST_BLOCK_BYTES = 8 * 1024 * 1024;

/** Blocks that are read at once, where the first ones do not fill the page. */
const MOST_AHEAD = 8;

/** A page of a list that is being filled. */
export interface BlockPage {
  readonly data: Receipt[];
  readonly limit: number;
  /** Bytes of blocks that may still be read. */
  budget: number;
}

/** Where a list goes on in blocks of a segment. */
export interface BlockStretch {
  readonly month: string;
  readonly log: StoreFile;
  readonly blocks: SegmentBlocks;
  /** Lines beyond are others' matter, and so are receipts from this number on. */
  readonly end: number;
  readonly before: number;
  /** So are those up to this number. */
  readonly after: number;
  /** A receipt of before this moment ends the list. */
  readonly longBefore: number;
}

/**
 * Adds the receipts of a segment that a filter lets in, the newest first, read from the blocks that may have one.
 * @returns the number before which the next page goes on, when this one is full or short; "end" where nothing older matters;
 * null where the segment is done
 */
export async function findInBlocks(
  page: BlockPage,
  search: Search,
  stretch: BlockStretch,
): Promise<number | "end" | null> {
  const { month, log, blocks, end, before, after, longBefore } = stretch;
  const filter = new BlockFilter(search);
  const block = new ReceiptBlock();
  const room = { bytes: Buffer.alloc(0) };
  const rows = new Uint32Array(BLOCK_ROWS);
  const bodies = await blocks.openBlocks();
  try {
    let ahead = 1;
    for (let next = blocks.count - 1; next >= 0; ahead = Math.min(2 * ahead, MOST_AHEAD)) {
      const indexes: number[] = [];
      for (; next >= 0 && indexes.length < ahead; next -= 1) {
        if (blocks.of(next, "from") >= end || blocks.of(next, "highestNumber") <= after) continue;
        if (blocks.of(next, "firstMoment") < longBefore || filter.mayMatch(blocks, next)) indexes.push(next);
      }
      const read = await blocks.read(bodies, indexes, room);
      for (const [place, index] of indexes.entries()) {
        const head = blocks.head(index);
        const body = read[place] ?? null;
        if (body === null) throw new Error("a block is not as it was written");
        page.budget -= head.bytes;
        block.read(body, month, head);
        const first = firstRow(block, longBefore);
        const matching = rows.subarray(0, filter.rows(block, rows)).filter((row) => row >= first);
        const last = await addRows(page, search, { block, log, before, after }, matching);
        if (last !== null) return last;
        if (head.firstMoment < longBefore) return "end";
        block.row = 0;
        if (page.budget <= 0) return block.n;
      }
    }
    return null;
  } finally {
    await bodies.close();
  }
}

/** From where on receipts matter: that which was settled last of those of before a moment; 0 where there is none. */
function firstRow(block: ReceiptBlock, longBefore: number): number {
  if (block.firstMoment >= longBefore) return 0;
  const moments = block.figures("at");
  let first = block.rows - 1;
  while (first > 0 && (moments[first] as number) >= longBefore) first -= 1;
  return first;
}

/** @returns the number of the last receipt that the page has room for; null where there is room for more */
async function addRows(
  { data, limit }: BlockPage,
  search: Search,
  { block, log, before, after }: Pick<BlockStretch, "log" | "before" | "after"> & { readonly block: ReceiptBlock },
  rows: Uint32Array,
): Promise<number | null> {
  const numbers = block.figures("n");
  const wanted = rows.filter((row) => (numbers[row] as number) < before && (numbers[row] as number) > after);
  for (let from = 0; from < wanted.length;) {
    const some = wanted.subarray(from, from + limit - data.length);
    const sources = Array.from(some, (row) => {
      block.row = row;
      return block.source();
    });
    const lines = await Promise.all(sources.map((source) => lineAt(log, source)));
    for (const [place, bytes] of lines.entries()) {
      const line = asUsageLine(unframe(bytes) ?? unframe(bytes.subarray(holeIn(bytes))));
      if (line === undefined || !("receipt" in line)) continue;
      if (matchesRequest(line.receipt, search)) data.push(line.receipt);
      if (data.length >= limit) return numbers[some[place] as number] as number;
    }
    from += some.length;
  }
  return null;
}

/** The bytes of a line of a segment; fewer where the segment ends before. */
export async function lineAt(
  log: StoreFile,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<Buffer> {
  const bytes = Buffer.alloc(to - from);
  return bytes.subarray(0, await log.read(bytes, from));
}
