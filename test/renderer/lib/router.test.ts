import * as fc from "fast-check";
import { expect, it } from "vitest";
import { parseRoute, routeHash } from "../../../renderer/lib/router.ts";

it.each([
  ["", "", {}],
  ["#/", "", {}],
  ["#/keys", "keys", {}],
  ["#/keys?state=active&q=a%20b", "keys", { state: "active", q: "a b" }],
  ["#/history?agent=codex&range=7d", "usage", { source: "logs", client: "codex", range: "7d" }],
  ["#overview?key=k1", "overview", { key: "k1" }],
])("%s leads to %s", (hash, path, params) => {
  const route = parseRoute(hash);
  expect([route.path, Object.fromEntries(route.params)]).toEqual([path, params]);
});

it("reads back what it wrote, without empty filters", () => {
  fc.assert(
    fc.property(
      fc.constantFrom("keys", "overview"),
      fc.dictionary(fc.string({ minLength: 1 }), fc.string()),
      (path, params) => {
        const route = parseRoute(routeHash(path, { ...params, gone: null }));
        const stored = Object.entries(params).filter(([, value]) => value !== "");
        expect([route.path, [...route.params]]).toEqual([path, stored.filter(([name]) => name !== "gone")]);
      },
    ),
  );
});
