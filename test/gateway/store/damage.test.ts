import { expect, test } from "vitest";
import { describeDamage } from "../../../gateway/store/damage.ts";
import { frame } from "../../../gateway/store/disk/line.ts";
import { seededRandom } from "./fixtures.ts";

const line = Buffer.from(frame('{"a":1}'));
const random = seededRandom(3);
const noise = Buffer.from(Array.from({ length: 5_000 }, () => 1 + Math.floor(random() * 255)));
const changed = Buffer.from(line.toString().replace("1}", "2}"));

test.each([
  ["a line that ends in its middle", [line.subarray(0, 12)], true, "its last line was not written to its end"],
  ["a line of which there is one byte", [line.subarray(0, 1)], true, "its last line was not written to its end"],
  ["a file full of zeros", [Buffer.alloc(4_096)], true, "4,096 bytes of it are zeros"],
  [
    "a line whose end is zeros",
    [Buffer.concat([line.subarray(0, 12), Buffer.alloc(50)])],
    true,
    "50 bytes of it are zeros",
  ],
  [
    "zeros before the next line",
    [Buffer.concat([Buffer.alloc(7), Buffer.from("\n")])],
    false,
    "7 bytes of it are zeros",
  ],
  ["noise", [noise], true, "5,000 bytes in it are nothing that Postern wrote"],
  ["a line that was changed", [changed], false, "1 line of it was changed"],
  [
    "all of it",
    [changed, noise, changed, Buffer.alloc(3), line.subarray(0, 3)],
    true,
    "2 lines of it were changed, 5,000 bytes in it are nothing that Postern wrote, 3 bytes of it are zeros, its last " +
      "line was not written to its end",
  ],
])("%s is named", (_, parts, atEnd, words) => {
  expect(describeDamage(parts, atEnd).words).toBe(words);
});

test("only a last line that ends in its middle is what a kill leaves", () => {
  expect(describeDamage([line.subarray(0, 12)], true).torn).toBe(true);
  for (const part of [Buffer.alloc(4_096), noise]) expect(describeDamage([part], true).torn).toBe(false);
  expect(describeDamage([changed], false).torn).toBe(false);
  expect(describeDamage([changed, line.subarray(0, 3)], true).torn).toBe(false);
});
