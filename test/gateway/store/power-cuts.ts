/** What a power cut may leave of what was not synced. */

export type DataOp = { readonly position: number; readonly bytes: Buffer } | { readonly length: number };

export function applyData(bytes: Buffer, op: DataOp): Buffer {
  if ("length" in op)
    return Buffer.concat([bytes, Buffer.alloc(Math.max(0, op.length - bytes.length))]).subarray(0, op.length);
  const whole = Buffer.alloc(Math.max(bytes.length, op.position + op.bytes.length));
  bytes.copy(whole);
  op.bytes.copy(whole, op.position);
  return whole;
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
