import { NEWLINE } from "./line.ts";
import { LONGEST_LINE } from "./line-reader.ts";
import type { StoreFile } from "./store-fs.ts";

const BLOCK_BYTES = 256 * 1024;

/** Whole lines, from `start` up to `end`; the last one of a file may lack its newline. */
export interface LineBlock {
  /** Good until the next block is asked for. */
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
}

/**
 * A file from `end` to its beginning in blocks of whole lines, the last first. While one is looked at, the one before it
 * is read: two pieces of memory are used in turns.
 * @param begin where a line begins, to go no further
 */
export async function* blocksBackwards(
  file: StoreFile,
  end: number,
  { blockBytes = BLOCK_BYTES, begin = 0 }: { readonly blockBytes?: number; readonly begin?: number } = {},
): AsyncGenerator<LineBlock> {
  const memory: [Buffer, Buffer] = [Buffer.alloc(0), Buffer.alloc(0)];
  let turn: 0 | 1 = 0;
  /** Reads the bytes before `position`, and joins the line that starts in them with its end in `rest`. */
  const read = async (position: number, rest: Buffer): Promise<{ position: number; bytes: Buffer }> => {
    const length = Math.min(Math.max(blockBytes, rest.length), position - begin);
    turn = turn === 0 ? 1 : 0;
    if (memory[turn].length < length + rest.length) memory[turn] = Buffer.allocUnsafe(length + 2 * rest.length);
    const bytes = memory[turn].subarray(0, length + rest.length);
    rest.copy(bytes, length);
    const got = await file.read(bytes.subarray(0, length), position - length);
    // A file that was cut while it was read.
    bytes.fill(0, got, length);
    return { position: position - length, bytes };
  };
  const prepare = (position: number, rest: Buffer): ReturnType<typeof read> => {
    const block = read(position, rest);
    // The reader of the block after it gets a failure when it comes to this one.
    block.catch(() => undefined);
    return block;
  };
  let next = end > begin ? prepare(end, Buffer.alloc(0)) : null;
  try {
    while (next !== null) {
      const { position, bytes } = await next;
      const newline = bytes.indexOf(NEWLINE);
      const start = position === begin ? 0 : newline === -1 ? bytes.length : newline + 1;
      const rest = start > LONGEST_LINE ? Buffer.alloc(0) : bytes.subarray(0, start);
      next = position === begin ? null : prepare(position, rest);
      if (start < bytes.length) yield { bytes, start, end: bytes.length };
    }
  } finally {
    // The file must not be closed during a read.
    await next?.catch(() => undefined);
  }
}
