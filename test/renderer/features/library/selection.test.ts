import { expect, it } from "vitest";
import { MOST_SELECTED, toggle, withAll } from "../../../../renderer/features/library/selection.ts";
import { mediaView } from "./library-fake.ts";

it("takes a result in and out", () => {
  const one = toggle(new Map(), mediaView(1));
  expect([...one.keys()]).toEqual(["med_1"]);
  expect(toggle(one, mediaView(1)).size).toBe(0);
  expect(one.size).toBe(1);
});

it("holds as many as the gateway takes at once", () => {
  const many = Array.from({ length: MOST_SELECTED + 5 }, (_, index) => mediaView(index));
  const full = withAll(toggle(new Map(), mediaView(7)), many);
  expect([full.size, full.has("med_7"), full.has(`med_${MOST_SELECTED - 1}`)]).toEqual([MOST_SELECTED, true, true]);
  expect(full.has(`med_${MOST_SELECTED}`)).toBe(false);
});
