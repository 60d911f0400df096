import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { SessionView } from "../../../../gateway/contract/sessions.ts";
import { SessionSums, type SessionFigures } from "../../../../gateway/core/sessions/session-sums.ts";

const NOON = Date.UTC(2026, 10, 24, 12);

const one = (changes: Partial<SessionFigures> = {}): SessionFigures => ({
  session: "s1",
  project: "",
  agent: "",
  client: "claude-cli",
  model: "m1",
  at: NOON,
  ms: 100,
  nano: 10,
  sandbox: false,
  failed: false,
  measured: true,
  tokens: 30,
  output_tokens: 10,
  cached_tokens: 15,
  ...changes,
});

test("a session adds up its requests", () => {
  const sums = new SessionSums();
  for (const changes of [
    { project: "shop" },
    { at: NOON + 1_000, ms: 500, agent: "a1", model: "m2", nano: null },
    {
      at: NOON + 2_000,
      failed: true,
      measured: false,
      ms: 9_000,
      agent: "a2",
      tokens: 0,
      output_tokens: 0,
      cached_tokens: 0,
    },
    { at: NOON + 3_000, sandbox: true, agent: "a1", client: "curl", project: "docs" },
  ])
    sums.count(one(changes));
  expect(sums.get("s1")).toEqual({
    id: "s1",
    project: "docs",
    clients: ["curl", "claude-cli"],
    models: ["m1", "m2"],
    agents: 2,
    started_at: NOON - 7_000,
    ended_at: NOON + 3_000,
    requests: 4,
    failed: 1,
    cost_nano: 20,
    unpriced: 1,
    sandbox: 1,
    input_tokens: 60,
    cached_input_tokens: 45,
    output_tokens: 30,
    slowest_ms: 500,
  } satisfies SessionView);
  expect(sums.get("s2")).toBeNull();
});

const some = fc.record({
  session: fc.constantFrom("s1", "s2", "s3"),
  project: fc.constantFrom("", "shop", "docs"),
  agent: fc.constantFrom("", "a", "b"),
  model: fc.constantFrom("m1", "m2", "m3"),
  nano: fc.option(fc.nat(100)),
});

test("read back or counted as they come, in any mixture, sessions are the same", () => {
  fc.assert(
    fc.property(fc.array(some, { maxLength: 40 }), fc.nat(40), (drawn, cut) => {
      const all = drawn.map((changes, place) => one({ ...changes, at: NOON + place }));
      const counted = new SessionSums();
      for (const each of all) counted.count(each);
      const read = new SessionSums();
      // What comes while it is read back is counted between.
      for (const each of all.slice(cut)) read.count(each);
      for (const each of all.slice(0, cut).toReversed()) read.countEarlier(each);
      read.sort();
      expect(read.list()).toEqual(counted.list());
    }),
  );
});

describe("more sessions than are kept", () => {
  test("the one that rests for longest goes", () => {
    const sums = new SessionSums(2);
    for (const [place, session] of ["a", "b", "a", "c"].entries()) sums.count(one({ session, at: NOON + place }));
    expect(sums.list().map(({ id }) => id)).toEqual(["c", "a"]);
    expect(sums.forgot).toBe(true);
  });

  test("what begins while they are read back takes the place of the oldest", () => {
    const sums = new SessionSums(2);
    sums.countEarlier(one({ session: "b", at: NOON - 1 }));
    sums.countEarlier(one({ session: "a", at: NOON - 2 }));
    sums.count(one({ session: "c", at: NOON }));
    sums.countEarlier(one({ session: "b", at: NOON - 3 }));
    sums.sort();
    expect(sums.list().map(({ id, requests }) => [id, requests])).toEqual([
      ["c", 1],
      ["b", 2],
    ]);
    expect(sums.forgot).toBe(true);
  });

  test("of those that are read back, the newest stay whole", () => {
    const sums = new SessionSums(2);
    for (const [place, session] of ["c", "b", "a", "b", "c"].entries())
      sums.countEarlier(one({ session, at: NOON - place }));
    sums.sort();
    expect(sums.list().map(({ id, requests }) => [id, requests])).toEqual([
      ["c", 2],
      ["b", 2],
    ]);
    expect(sums.forgot).toBe(true);
  });

  test("a thousand agents and models do not fill it", () => {
    const sums = new SessionSums();
    for (let place = 0; place < 1_000; place += 1) {
      sums.count(one({ at: NOON + place, agent: `a${place}`, model: `m${place}`, client: `c${place}` }));
    }
    expect(sums.get("s1")).toMatchObject({ agents: 100, models: { length: 8 }, clients: { length: 8 } });
    expect(sums.get("s1")?.models[0]).toBe("m999");
  });
});
