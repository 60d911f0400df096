import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { matchFor } from "../../../../gateway/sandbox/json-schema/pattern.ts";

const anyMatch = fc.record({ repetitions: fc.nat(9), variant: fc.nat(500) });

describe("matches of regular expressions", () => {
  it.each([
    "^abc$",
    "^[a-z]+(-[a-z]+)*$",
    "^\\d{3}-\\d{4}$",
    "^(?:red|green|blue)$",
    "^(?<year>\\d{4})-(0[1-9]|1[0-2])$",
    "^[^\\s@]+@[^\\s@]+\\.[a-z]{2,}$",
    "^[\\w.+-]{1,20}$",
    "^\\S+\\s\\S+$",
    "^.{2,5}$",
    "^\\u0041\\x42\\t$",
    "^[\\]\\-a]$",
    "^a{2,}b{0,1}c??$",
    "^(\\w)\\1(?<q>['\"])x\\k<q>$",
    "^\\p{Lu}\\p{Ll}*\\P{N}$",
    "^\\$\\{[A-Z_]+\\}$",
    "^[^a-zA-Z]$",
  ])("match %s", (pattern) => {
    fc.assert(
      fc.property(anyMatch, ({ repetitions, variant }) => {
        expect(matchFor(pattern, repetitions, variant)).toMatch(new RegExp(pattern, "u"));
      }),
      { numRuns: 50 },
    );
  });

  it("differ from variant to variant", () => {
    const matches = Array.from({ length: 100 }, (_, variant) => matchFor("^[a-z]{2}\\d$", 1, variant));
    expect(new Set(matches).size).toBe(100);
  });

  it.each(["(", ")", "*", "[a", "(?<n", "\\", "a{20000}", "\\u{110000}", "(".repeat(3_000)])(
    "are not made of %j",
    (pattern) => {
      expect(matchFor(pattern, 1, 0)).toBeUndefined();
    },
  );

  it("never fail in another way", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...Array.from(String.raw`ab01[](){}|\^$*+?.,-:<=!dwspu`)) }),
        (pattern) => {
          expect(() => matchFor(pattern, 2, 3)).not.toThrow();
        },
      ),
    );
  });
});
