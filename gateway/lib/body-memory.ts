/**
 * Memory of large bodies is outside V8's heap. A call outlives collections of the young generation, so its bodies are
 * only freed with the old one, and every 64 MiB trigger a full collection: a third of the cost of a 730 kB request. So
 * code that knows the last reader of a body releases its memory; other bodies are left to the collector. Released
 * buffers are empty, so they cannot expose data of another call.
 */

/** Bytes above which a body has its own memory: smaller ones die young and share Node's pool. */
export const LARGE_BYTES = Math.max(32 * 1024, Buffer.poolSize / 2);

/** How many hold the memory of large bytes that may be given back. */
const holders = new WeakMap<ArrayBufferLike, number>();

/** Releases memory that only the caller uses; small buffers may be shared and stay. */
export function giveBack(bytes: Buffer): void {
  if (bytes.length >= LARGE_BYTES && bytes.length === bytes.buffer.byteLength) free(bytes.buffer);
}

/** These bytes, made for one request to a provider: their memory goes back when it was sent and responded to. */
export function freeAfterSending(bytes: Buffer): Buffer {
  if (bytes.length >= LARGE_BYTES) holders.set(bytes.buffer, 0);
  return bytes;
}

/** Shares a buffer, whose memory is released with its last holder. Starts with one holder. */
export function shareBuffer(bytes: Buffer): Buffer {
  if (bytes.length >= LARGE_BYTES && bytes.length === bytes.buffer.byteLength) holders.set(bytes.buffer, 1);
  return bytes;
}

/** Adds a holder of the bytes. A holder that never releases them leaves them to the collector. */
export function hold(bytes: Buffer): void {
  // Reading a small one's `buffer` would make an object for it.
  if (bytes.length < LARGE_BYTES) return;
  const { buffer } = bytes;
  const count = holders.get(buffer);
  if (count !== undefined) holders.set(buffer, count + 1);
}

/** Removes a reader; the last one gives the memory back. */
export function releaseBuffer(bytes: Buffer): void {
  if (bytes.length < LARGE_BYTES) return;
  const { buffer } = bytes;
  const count = holders.get(buffer);
  if (count === undefined) return;
  if (count > 1) holders.set(buffer, count - 1);
  else {
    holders.delete(buffer);
    free(buffer);
  }
}

/** Detaches the buffer, which returns its memory to the allocator. */
function free(buffer: ArrayBufferLike): void {
  if (!(buffer instanceof ArrayBuffer)) return;
  try {
    buffer.transfer(0);
  } catch {
    // Some cannot be detached; no call fails for that.
  }
}
