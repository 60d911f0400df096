import fc from "fast-check";
import { expect, it } from "vitest";
import { ResponseRoom, type Leave } from "../../../gateway/upstream/response-room.ts";

it("lets in what fits at once, and the next when one has left, in their order", () => {
  const room = new ResponseRoom(100);
  const started: string[] = [];
  const first = room.enter(60, () => started.push("first"));
  const second = room.enter(50, () => started.push("second"));
  room.enter(10, () => started.push("third"));
  expect(started).toEqual(["first"]);
  first();
  first();
  expect(started).toEqual(["first", "second", "third"]);
  second();
});

it("gives the room alone to what is larger than it", () => {
  const room = new ResponseRoom(100);
  const started: string[] = [];
  const small = room.enter(1, () => started.push("small"));
  const huge = room.enter(1_000, () => started.push("huge"));
  small();
  room.enter(1, () => started.push("after"));
  expect(started).toEqual(["small", "huge"]);
  huge();
  expect(started).toEqual(["small", "huge", "after"]);
});

it("who leaves while it waits keeps no one waiting", () => {
  const room = new ResponseRoom(100);
  const started: string[] = [];
  room.enter(100, () => started.push("first"));
  const waiting = room.enter(100, () => started.push("second"));
  const last = room.enter(10, () => started.push("third"));
  waiting();
  waiting();
  last();
  expect(started).toEqual(["first"]);
});

it("never lets in more than there is, and everybody in the end", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.integer({ min: 1, max: 150 }), fc.nat(3))), (steps) => {
      const room = new ResponseRoom(100);
      const inside = new Map<number, number>();
      const leaves: Leave[] = [];
      const pending = (): number => [...inside.values()].reduce((sum, bytes) => sum + bytes, 0);
      for (const [index, [bytes, leaving]] of steps.entries()) {
        leaves.push(
          room.enter(bytes, () => {
            inside.set(index, Math.min(100, bytes));
            expect(pending()).toBeLessThanOrEqual(100);
          }),
        );
        const gone = [...inside.keys()][leaving];
        if (gone === undefined) continue;
        inside.delete(gone);
        leaves[gone]?.();
      }
      while (inside.size > 0) {
        const [first = 0] = inside.keys();
        inside.delete(first);
        leaves[first]?.();
      }
      let empty = false;
      room.enter(100, () => (empty = true));
      expect(empty).toBe(true);
    }),
  );
});
