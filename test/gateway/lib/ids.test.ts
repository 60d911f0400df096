import { expect, it } from "vitest";
import { newRequestId } from "../../../gateway/lib/ids.ts";

it("names requests by UUIDs of version 4, no two alike", () => {
  const ids = Array.from({ length: 1_000 }, newRequestId);
  for (const id of ids) {
    expect(id).toMatch(/^req_[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  }
  expect(new Set(ids).size).toBe(ids.length);
  // Each digit of the rest is random: in a thousand ids all sixteen are met at each place.
  const fixed = [12, 17, 18, 22, 23, 27];
  for (let at = 4; at < 40; at += 1) if (!fixed.includes(at)) expect(new Set(ids.map((id) => id[at])).size).toBe(16);
});
