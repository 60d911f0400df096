/**
 * Memory of large bodies lies outside V8's heap. A call outlives the collections of the young generation, so the collector
 * frees its bodies only with the old one, and goes through the whole heap for them each 64 MiB: a third of what a request of
 * 730 kB costs. So code that knows the last reader of a body gives its memory back; any other body is left to the collector.
 * Bytes whose memory was given back are empty: they hold nothing of another call.
 */

/** Smaller bodies die young, and may share their memory: Node takes what is below half of its pool from that. */
export const LARGE_BYTES = Math.max(32 * 1024, Buffer.poolSize / 2);

/** How many hold the memory of large bytes that may be given back. */
const holders = new WeakMap<ArrayBufferLike, number>();

/** Gives memory back at once that its caller alone has; small bytes may share theirs and stay. */
export function giveBack(bytes: Buffer): void {
  if (bytes.length >= LARGE_BYTES && bytes.length === bytes.buffer.byteLength) free(bytes.buffer);
}

/** These bytes, made for one request to a provider: their memory goes back when it was sent and responded to. */
export function freeAfterSending(bytes: Buffer): Buffer {
  if (bytes.length >= LARGE_BYTES) holders.set(bytes.buffer, 0);
  return bytes;
}

/** Their memory goes back when the last of those who hold it lets go. One holds it from now on. */
export function shareBuffer(bytes: Buffer): Buffer {
  if (bytes.length >= LARGE_BYTES && bytes.length === bytes.buffer.byteLength) holders.set(bytes.buffer, 1);
  return bytes;
}

/** Adds a reader of the bytes. A reader that never releases them leaves them to the collector. */
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

/** Detaches the buffer, whose memory goes back to the system's allocator. */
function free(buffer: ArrayBufferLike): void {
  if (!(buffer instanceof ArrayBuffer)) return;
  try {
    buffer.transfer(0);
  } catch {
    // Some cannot be detached; no call fails for that.
  }
}
