import { createHmac } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SessionIds, type SessionFacts } from "../../../../gateway/mcp/sessions/session-id.ts";

const ids = new SessionIds(() => Buffer.alloc(32, 1));
const FACTS: SessionFacts = {
  issuedAt: 1_780_000_000_000,
  protocolVersion: "2025-11-25",
};

describe("a session's id", () => {
  it("gives back what it was made of, to the same key and secret alone", () => {
    const id = ids.mint("key_a", FACTS);
    expect(ids.read("key_a", id)).toEqual(FACTS);
    expect(ids.read("key_b", id)).toBeNull();
    expect(new SessionIds(() => Buffer.alloc(32, 2)).read("key_a", id)).toBeNull();
    expect(ids.mint("key_a", FACTS)).not.toBe(id);
  });

  it("is made of characters that a header may hold, and is short", () => {
    const id = ids.mint("key_a", FACTS);
    expect(id).toMatch(/^[\x21-\x7e]+$/);
    expect(id.length).toBeLessThan(150);
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

  it("is read too where an earlier version put more into it", () => {
    const payload = Buffer.from(JSON.stringify([1, 7, "2025-06-18", { roots: {} }, "claude-code", "2.4.1"]));
    const signed = `${"a".repeat(22)}.${payload.toString("base64url")}`;
    const text = JSON.stringify(["mcp-session", "key_a", signed]);
    const signature = createHmac("sha256", Buffer.alloc(32, 1)).update(text).digest("base64url");
    expect(ids.read("key_a", `${signed}.${signature}`)).toEqual({ issuedAt: 7, protocolVersion: "2025-06-18" });
  });
});
