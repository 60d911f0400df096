import fc from "fast-check";
import { expect, it } from "vitest";
import { GatewayError } from "../../../gateway/core/errors.ts";
import { BodyRoom } from "../../../gateway/http/body-room.ts";

/** What is thrown: a code, or nothing. */
function codeOf(work: () => void): string | null {
  try {
    work();
    return null;
  } catch (error) {
    if (error instanceof GatewayError) return error.code;
    throw error;
  }
}

it("refuses what no room is left for, and says when to come back", () => {
  const room = new BodyRoom(1_000);
  room.open("a").add(700);
  const other = room.open("b");
  other.add(300);
  expect(() => other.add(1)).toThrow(
    expect.objectContaining({ code: "concurrency_limit_exceeded", status: 429, details: { retryAfter: 5 } }),
  );
});

it("leaves a quarter to others, however many bodies one key sends", () => {
  const room = new BodyRoom(1_000);
  for (let body = 0; body < 75; body += 1) room.open("hostile").add(10);
  expect(codeOf(() => room.open("hostile").add(1))).toBe("concurrency_limit_exceeded");
  expect(codeOf(() => room.open("other").add(250))).toBeNull();
});

it("says of a body that never fits that it is too large, not to come back", () => {
  const room = new BodyRoom(1_000);
  const share = room.open("a");
  share.add(700);
  expect(codeOf(() => share.add(51))).toBe("request_too_large");
  expect(room.largest(3)).toBe(250);
});

it("unpacks one body of a key after another, and those of others next to them", async () => {
  const room = new BodyRoom(1_000);
  const gate = Promise.withResolvers<void>();
  const started: string[] = [];
  const work = (name: string, until = gate.promise) => {
    return () => {
      started.push(name);
      return until;
    };
  };
  const first = room.open("a").runInOrder(work("first"));
  const second = room.open("a").runInOrder(work("second", Promise.resolve()));
  const other = room.open("b").runInOrder(work("other", Promise.resolve()));
  await other;
  expect(started).toEqual(["first", "other"]);
  gate.resolve();
  await Promise.all([first, second]);
  expect(started).toEqual(["first", "other", "second"]);
});

it("never gives out more than there is, and has all of it back when every body has gone", () => {
  const step = fc.record({
    body: fc.nat(7),
    owner: fc.constantFrom("a", "b", "c"),
    bytes: fc.nat(400),
    close: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const room = new BodyRoom(1_000);
      const open = new Map<number, { share: ReturnType<BodyRoom["open"]>; owner: string; bytes: number }>();
      const heldBy = (owner: string | null): number =>
        [...open.values()]
          .filter((one) => owner === null || one.owner === owner)
          .reduce((sum, one) => sum + one.bytes, 0);
      for (const { body, owner, bytes, close } of steps) {
        const known = open.get(body) ?? { share: room.open(owner), owner, bytes: 0 };
        open.set(body, known);
        if (close) {
          known.share.close();
          known.share.close();
          open.delete(body);
          continue;
        }
        const fits = known.bytes + bytes <= 750 && heldBy(null) + bytes <= 1_000 && heldBy(known.owner) + bytes <= 750;
        expect(codeOf(() => known.share.add(bytes)) === null).toBe(fits);
        if (fits) known.bytes += bytes;
      }
      for (const { share } of open.values()) share.close();
      expect(codeOf(() => room.open("a").add(750))).toBeNull();
      expect(codeOf(() => room.open("b").add(250))).toBeNull();
    }),
  );
});
