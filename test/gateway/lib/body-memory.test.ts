import { markAsUntransferable } from "node:worker_threads";
import { expect, test } from "vitest";
import {
  LARGE_BYTES,
  giveBack,
  hold,
  releaseBuffer,
  freeAfterSending,
  shareBuffer,
} from "../../../gateway/lib/body-memory.ts";

const large = (): Buffer => Buffer.allocUnsafeSlow(LARGE_BYTES).fill("x");

function undetachable(): Buffer {
  const bytes = large();
  markAsUntransferable(bytes.buffer);
  return bytes;
}

test("memory that one alone has goes back at once, and holds nothing any more", () => {
  const bytes = large();
  giveBack(bytes);
  expect([bytes.length, bytes.toString()]).toEqual([0, ""]);
});

test.each([
  ["small bytes, which share a pool", Buffer.from("small")],
  ["a part of larger ones", large().subarray(1)],
  ["those that cannot be detached", undetachable()],
  ["those of somebody who shares memory between threads", Buffer.from(new SharedArrayBuffer(LARGE_BYTES))],
])("%s stay", (_, bytes) => {
  const { length } = bytes;
  giveBack(bytes);
  expect(bytes.length).toBe(length);
});

test("shared memory goes back with the last who holds it", () => {
  const bytes = shareBuffer(large());
  hold(bytes);
  hold(bytes);
  const lengths = [0, 1, 2].map(() => {
    releaseBuffer(bytes);
    return bytes.length;
  });
  expect(lengths).toEqual([LARGE_BYTES, LARGE_BYTES, 0]);
});

test("what is sent once goes back with the first who lets go, wherever it ends in its memory", () => {
  const bytes = freeAfterSending(large().subarray(0, LARGE_BYTES - 1));
  const other = freeAfterSending(Buffer.allocUnsafeSlow(2 * LARGE_BYTES).subarray(0, LARGE_BYTES));
  hold(bytes);
  releaseBuffer(bytes);
  hold(other);
  releaseBuffer(other);
  expect([bytes.length, other.length]).toEqual([LARGE_BYTES - 1, 0]);
});

test.each([LARGE_BYTES - 1, LARGE_BYTES, LARGE_BYTES + 1])("no text of %i bytes takes others along", (length) => {
  const extra = Buffer.from("beside it in the pool");
  const text = freeAfterSending(Buffer.from("x".repeat(length)));
  hold(text);
  releaseBuffer(text);
  expect(text.length).toBe(length < LARGE_BYTES ? length : 0);
  expect(extra.toString()).toBe("beside it in the pool");
});

test("no one gives back what was never shared, and no one twice", () => {
  const never = large();
  hold(never);
  releaseBuffer(never);
  const bytes = shareBuffer(large());
  releaseBuffer(bytes);
  releaseBuffer(bytes);
  expect([never.length, bytes.length]).toEqual([LARGE_BYTES, 0]);
});
