import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BitWriter } from "../../../../gateway/sandbox/videos/h264/bit-writer.ts";
import { UNIT, unitOf } from "../../../../gateway/sandbox/videos/h264/unit.ts";

function bitsOf(write: (bits: BitWriter) => void): string {
  const bits = new BitWriter();
  write(bits);
  const text = [...bits.end()].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  return text.slice(0, text.lastIndexOf("1"));
}

describe("bits of H.264", () => {
  // ITU-T H.264, tables 9-2 and 9-3.
  it.each([
    [0, "1"],
    [1, "010"],
    [2, "011"],
    [3, "00100"],
    [6, "00111"],
    [9, "0001010"],
  ])("have %d without a sign as %s", (value, code) => {
    expect(bitsOf((bits) => bits.putUnsigned(value))).toBe(code);
  });

  it.each([
    [0, "1"],
    [1, "010"],
    [-1, "011"],
    [2, "00100"],
    [-2, "00101"],
  ])("have %d with a sign as %s", (value, code) => {
    expect(bitsOf((bits) => bits.putSigned(value))).toBe(code);
  });

  it("keep every number, whatever was written before", () => {
    const number = fc
      .integer({ min: 1, max: 24 })
      .chain((length) => fc.tuple(fc.integer({ min: 0, max: 2 ** length - 1 }), fc.constant(length)));
    fc.assert(
      fc.property(fc.array(number, { maxLength: 3_000 }), (numbers) => {
        const written = bitsOf((bits) => numbers.forEach(([value, length]) => bits.put(value, length)));
        expect(written).toBe(numbers.map(([value, length]) => value.toString(2).padStart(length, "0")).join(""));
      }),
      { numRuns: 30 },
    );
  });

  it("never look like the beginning of another unit, and lose nothing by it", () => {
    const low = fc.array(fc.constantFrom(0, 0, 0, 1, 2, 3, 4, 255), { maxLength: 200 });
    fc.assert(
      fc.property(low, (bytes) => {
        const bits = new BitWriter();
        for (const byte of bytes) bits.put(byte, 8);
        const unit = unitOf(UNIT.picture, bits);
        const text = unit.toString("latin1");
        for (const start of ["\0\0\0", "\0\0\x01", "\0\0\x02"]) expect(text).not.toContain(start);
        expect(Buffer.from(text.replaceAll("\0\0\x03", "\0\0"), "latin1")).toEqual(Buffer.from([0x61, ...bytes, 0x80]));
      }),
    );
  });
});
