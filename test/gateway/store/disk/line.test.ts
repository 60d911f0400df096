import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { frame, readLines, unframe } from "../../../../gateway/store/disk/line.ts";

const lineOf = (json: string): Buffer => Buffer.from(frame(json)).subarray(0, -1);

describe("a line", () => {
  test("is a checksum, a space, the JSON and a newline", () => {
    // The check value of CRC-32/ISO-HDLC.
    expect(frame("123456789")).toBe("cbf43926 123456789\n");
  });

  test("gives back any JSON value", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const json = JSON.stringify(value);
        expect(unframe(lineOf(json))).toEqual(JSON.parse(json));
      }),
    );
  });

  test("with any one byte changed is no line", () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), fc.integer({ min: 1, max: 255 }), (json, place, change) => {
        const line = Buffer.from(lineOf(json));
        const at = place % line.length;
        line.writeUInt8(line.readUInt8(at) ^ change, at);
        expect(unframe(line)).toBeUndefined();
      }),
    );
  });

  test("cut anywhere is no line", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 2 }), fc.nat(), (json, place) => {
        const line = lineOf(json);
        expect(unframe(line.subarray(0, place % line.length))).toBeUndefined();
      }),
    );
  });

  test.each(["", " ", "00000000", "00000000 ", "ABCDEF01 {}", "+1234567 {}", "null", "[]"])("is not %j", (text) => {
    expect(unframe(Buffer.from(text))).toBeUndefined();
  });
});

describe("reading a file", () => {
  const anyFile = fc.array(fc.oneof(fc.jsonValue(), fc.constant(undefined)), { maxLength: 20 });

  test("finds every whole line between damaged ones", () => {
    fc.assert(
      fc.property(anyFile, fc.string(), (values, tail) => {
        const torn = tail.replaceAll("\n", "").slice(0, 8);
        const text = values.map((value) => (value === undefined ? "damage\n" : frame(JSON.stringify(value)))).join("");
        const { lines, bad } = readLines(Buffer.from(text + torn));
        const whole = values.filter((value) => value !== undefined);
        expect(lines.map((line) => line.value)).toEqual(
          whole.map((value) => JSON.parse(JSON.stringify(value)) as unknown),
        );
        expect(bad.filter((range) => range.torn)).toHaveLength(torn.length > 0 ? 1 : 0);
        expect(bad.filter((range) => !range.torn)).toHaveLength(values.length - whole.length);
        for (const { offset, length } of lines)
          expect(unframe(Buffer.from(text).subarray(offset, offset + length))).toBeDefined();
      }),
    );
  });

  test("finds a line after zeros that a disk has left in the place of the lines before it", () => {
    const whole = frame('"whole"');
    const { lines, bad } = readLines(Buffer.from(`${whole}${"\0".repeat(40)}${whole}`));
    expect(lines.map(({ value }) => value)).toEqual(["whole", "whole"]);
    expect(bad).toEqual([{ start: whole.length, end: whole.length + 40, torn: false }]);
    expect(lines[1]?.offset).toBe(whole.length + 40);
  });

  test("skips a byte order mark", () => {
    const bytes = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(frame("1"))]);
    expect(readLines(bytes)).toEqual({ bad: [], lines: [{ value: 1, offset: 3, length: bytes.length - 4 }] });
  });
});
