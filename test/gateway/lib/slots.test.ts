import { describe, expect, it } from "vitest";
import { Slots } from "../../../gateway/lib/slots.ts";

describe("slots", () => {
  it("hold what was added until it is removed, and use its place again", () => {
    const slots = new Slots<string>();
    const [a, b] = [slots.add("a"), slots.add("b")];
    expect([slots.get(a), slots.get(b), slots.size, [...slots]]).toEqual(["a", "b", 2, ["a", "b"]]);
    slots.remove(a, "a");
    expect([slots.get(a), slots.size, [...slots]]).toEqual([null, 1, ["b"]]);
    expect(slots.add("c")).toBe(a);
    expect([...slots]).toEqual(["c", "b"]);
  });

  it("leave a place alone that is another's by now, and one that never was", () => {
    const slots = new Slots<string>();
    const place = slots.add("a");
    slots.remove(-1, "a");
    slots.remove(place, "a");
    slots.remove(place, "a");
    slots.add("b");
    slots.remove(place, "a");
    expect([slots.size, [...slots]]).toEqual([1, ["b"]]);
  });

  it("may lose and gain values while they are walked over", () => {
    const slots = new Slots<number>();
    const places = [1, 2, 3].map((value) => slots.add(value));
    const met: number[] = [];
    for (const value of slots) {
      met.push(value);
      if (value === 1) slots.remove(places[1] ?? -1, 2);
    }
    expect(met).toEqual([1, 3]);
  });
});
