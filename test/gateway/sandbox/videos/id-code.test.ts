import { describe, expect, it } from "vitest";
import { allModels } from "../../../../gateway/catalog/lookup.ts";
import { asLetters, asUuid, idCode, letterDigits, uuidDigits } from "../../../../gateway/sandbox/videos/id-code.ts";
import { hashOf, msOf, slownessOf, providersId } from "../../../../gateway/sandbox/videos/task.ts";
import fc from "fast-check";

const code = idCode("test", 32, { first: 36, second: 1, third: 32, fourth: 11 });
const figures = fc.record({
  first: fc.integer({ min: 0, max: 2 ** 36 - 1 }),
  second: fc.integer({ min: 0, max: 1 }),
  third: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  fourth: fc.integer({ min: 0, max: 2 ** 11 - 1 }),
});

describe("figures in an id", () => {
  it("come back, as digits, as a UUID and as letters", () => {
    fc.assert(
      fc.property(figures, (given) => {
        const digits = code.write(given);
        expect(digits).toMatch(/^[0-9a-f]{32}$/);
        expect(code.read(digits)).toEqual(given);
        expect(code.read(uuidDigits(asUuid(digits)))).toEqual(given);
        expect(code.read(letterDigits(asLetters(digits), 32))).toEqual(given);
      }),
    );
  });

  it("do not come back from an id that was changed, or was never given", () => {
    fc.assert(
      fc.property(figures, fc.nat(31), fc.integer({ min: 1, max: 15 }), (given, place, change) => {
        const digits = code.write(given);
        const changed = (Number.parseInt(digits[place] ?? "0", 16) ^ change).toString(16);
        expect(code.read(digits.slice(0, place) + changed + digits.slice(place + 1))).toBeNull();
      }),
    );
    fc.assert(
      fc.property(fc.oneof(fc.uuid(), fc.string()), (id) => {
        expect(code.read(uuidDigits(id)) ?? code.read(letterDigits(id, 32))).toBeNull();
      }),
    );
  });

  it("of one provider are none of another's", () => {
    const other = idCode("other", 32, { first: 36, second: 1, third: 32, fourth: 11 });
    expect(other.read(code.write({ first: 1, second: 1, third: 1, fourth: 1 }))).toBeNull();
  });

  it.each([2 ** 11, -1, 0.5, Number.NaN])("that have no room (%d) are a bug", (fourth) => {
    expect(() => code.write({ first: 0, second: 0, third: 0, fourth })).toThrow("fourth has no room");
  });

  it("keep a time in three figures", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 3_600_000 }), (ms) => {
        expect(slownessOf(ms)).toBeLessThan(2 ** 13);
        expect(Math.abs(msOf(slownessOf(ms)) - ms)).toBeLessThanOrEqual(ms / 190);
      }),
    );
    expect([0, 3_000, 250, 3_600_000].map((ms) => msOf(slownessOf(ms)))).toEqual([0, 3_000, 250, 3_600_000]);
  });

  it.each([
    ["xai", 10],
    ["ark", 16],
    [null, 16],
  ])("tell the video models of %s apart by %d bits", (owner, bits) => {
    const ids = allModels()
      .filter((model) => model.capabilities.includes("video") && (owner === null || model.owner === owner))
      .map(providersId);
    expect(ids.length).toBeGreaterThan(0);
    expect(new Set(ids.map((id) => hashOf(id, bits))).size).toBe(new Set(ids).size);
  });
});
