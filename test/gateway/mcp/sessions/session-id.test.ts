import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SessionIds, type SessionFacts } from "../../../../gateway/mcp/sessions/session-id.ts";

const ids = new SessionIds(() => Buffer.alloc(32, 1));
const FACTS: SessionFacts = {
  issuedAt: 1_780_000_000_000,
  protocolVersion: "2025-11-25",
  capabilities: { roots: { listChanged: true }, sampling: {}, elicitation: { form: {}, url: {} } },
  client: { name: "claude-code", version: "2.4.1" },
};

describe("a session's id", () => {
  it("gives back what it was made of, to the same key and secret alone", () => {
    const id = ids.mint("key_a", FACTS);
    expect(ids.read("key_a", id)).toEqual(FACTS);
    expect(ids.read("key_b", id)).toBeNull();
    expect(new SessionIds(() => Buffer.alloc(32, 2)).read("key_a", id)).toBeNull();
    expect(ids.mint("key_a", FACTS)).not.toBe(id);
  });

  it("is made of characters that a header may hold, and is a few hundred long", () => {
    const id = ids.mint("key_a", FACTS);
    expect(id).toMatch(/^[\x21-\x7e]+$/);
    expect(id.length).toBeLessThan(400);
  });

  it("is nothing any more once a character is changed, added or taken away", () => {
    const id = ids.mint("key_a", FACTS);
    const at = fc.nat({ max: id.length - 1 });
    const character = fc.oneof(
      fc.constantFrom("A", "Q", "g", "w", "0", "9", "-", "_", ".", "=", "+", "/", " "),
      fc.string({ minLength: 1, maxLength: 1 }),
    );
    fc.assert(
      fc.property(at, character, (at, character) => {
        fc.pre(id[at] !== character);
        expect(ids.read("key_a", `${id.slice(0, at)}${character}${id.slice(at + 1)}`)).toBeNull();
        expect(ids.read("key_a", `${id.slice(0, at)}${id.slice(at + 1)}`)).toBeNull();
        expect(ids.read("key_a", `${id.slice(0, at)}${character}${id.slice(at)}`)).toBeNull();
      }),
      { numRuns: 2_000 },
    );
  });

  it("is not what a client makes up", () => {
    fc.assert(fc.property(fc.string(), (text) => ids.read("key_a", text) === null));
    expect(ids.read("key_a", "a".repeat(100_000))).toBeNull();
    expect(ids.read("key_a", `${"a".repeat(22)}.e30.${"a".repeat(43)}`)).toBeNull();
  });

  it("is bounded whatever the client said of itself", () => {
    const json = fc.jsonValue() as fc.Arbitrary<unknown>;
    const facts = fc.record({
      issuedAt: fc.nat(),
      protocolVersion: fc.string({ unit: "grapheme", maxLength: 200 }),
      capabilities: fc.dictionary(fc.string({ maxLength: 300 }), json),
      client: fc.record({
        name: fc.string({ unit: "grapheme", maxLength: 500 }),
        version: fc.string({ unit: "grapheme", maxLength: 500 }),
      }),
    });
    fc.assert(
      fc.property(facts, (facts) => {
        const id = ids.mint("key_a", facts);
        expect(id.length).toBeLessThan(1_800);
        expect(ids.read("key_a", id)?.issuedAt).toBe(facts.issuedAt);
      }),
    );
  });

  it("leaves out what clients add of their own first, details next, the rest last", () => {
    const long = "x".repeat(300);
    const remembered = (capabilities: Record<string, unknown>) =>
      ids.read("key_a", ids.mint("key_a", { ...FACTS, capabilities }))?.capabilities;
    expect(remembered({ sampling: {}, extensions: { long }, experimental: { long } })).toEqual({ sampling: {} });
    expect(remembered({ sampling: { long }, roots: {} })).toEqual({ sampling: {}, roots: {} });
    expect(remembered({ [long]: {} })).toEqual({});
  });
});
