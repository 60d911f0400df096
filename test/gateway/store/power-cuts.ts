/** What a power cut may leave of what was not synced. */

export type DataOp = { readonly position: number; readonly bytes: Buffer } | { readonly length: number };

/** Up to where the memory behind contents that grew is taken. */
const received = new WeakMap<ArrayBufferLike, number>();

/** The contents of a file after a change. What it was before stays as it is. */
export function applyData(bytes: Buffer, op: DataOp): Buffer {
  if ("length" in op)
    return Buffer.concat([bytes, Buffer.alloc(Math.max(0, op.length - bytes.length))]).subarray(0, op.length);
  return op.position === bytes.length ? append(bytes, op.bytes) : overwrite(bytes, op.position, op.bytes);
}

function overwrite(bytes: Buffer, position: number, more: Buffer): Buffer {
  const whole = Buffer.alloc(Math.max(bytes.length, position + more.length));
  bytes.copy(whole);
  more.copy(whole, position);
  return whole;
}

/** Puts it behind the same bytes in memory, where nothing else was: logs grow by thousands of lines. */
function append(bytes: Buffer, more: Buffer): Buffer {
  const { buffer, byteOffset, length } = bytes;
  const end = byteOffset + length;
  if (received.get(buffer) === end && buffer.byteLength - end >= more.length) {
    more.copy(Buffer.from(buffer, end, more.length));
    received.set(buffer, end + more.length);
    return Buffer.from(buffer, byteOffset, length + more.length);
  }
  const roomy = Buffer.from(new ArrayBuffer(2 * (length + more.length)));
  bytes.copy(roomy);
  more.copy(roomy, length);
  received.set(roomy.buffer, length + more.length);
  return roomy.subarray(0, length + more.length);
}

/** What may be left of a file: any number of its un-synced writes, the last of them in part or as zeros. */
export function remains(inode: { readonly durable: Buffer; readonly pending: readonly DataOp[] }): Buffer[] {
  const left = [inode.durable];
  let bytes = inode.durable;
  for (const op of inode.pending) {
    if ("bytes" in op) {
      left.push(applyData(bytes, { position: op.position, bytes: op.bytes.subarray(0, op.bytes.length >> 1) }));
      left.push(applyData(bytes, { position: op.position, bytes: Buffer.alloc(op.bytes.length) }));
    }
    bytes = applyData(bytes, op);
    left.push(bytes);
  }
  return left;
}

/** Which un-synced names survived: every subset of a few, and for many every beginning and some at random. */
export function subsets(count: number, random: () => number): ReadonlySet<number>[] {
  const all = Array.from({ length: count }, (_, index) => index);
  if (count <= 4)
    return Array.from({ length: 2 ** count }, (_, bits) => new Set(all.filter((index) => bits & (1 << index))));
  const beginnings = Array.from({ length: count + 1 }, (_, end) => new Set(all.slice(0, end)));
  const some = Array.from({ length: 8 }, () => new Set(all.filter(() => random() < 0.5)));
  return [...beginnings, ...some];
}
