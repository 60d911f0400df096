import { describe, expect, it } from "vitest";
import {
  isDown,
  lockedNotice,
  OUTAGE_CALM_MS,
  listOutageNotices,
  createOutageStep,
  type Outages,
} from "../../../main/policy/outage-notices.ts";
import { english } from "../../../main/policy/words.ts";
import { connectionInStates } from "../fakes/rows.ts";

it.each([
  [["open"], true],
  [["refused"], true],
  [["out_of_credit"], true],
  [["open", "refused"], true],
  [["open", "ready"], false],
  [["open", "cooling"], false],
  [["cooling"], false],
  [["locked"], false],
  [["ready"], false],
  [[], false],
] as const)("with keys %j it is down: %s", (states, expected) => {
  expect(isDown(connectionInStates(states))).toBe(expected);
  expect(isDown(connectionInStates(states, { enabled: false }))).toBe(false);
});

describe("an outage", () => {
  let known: Outages = new Map();
  const step = (now: number, ...connections: Parameters<typeof connectionInStates>[]) => {
    const next = createOutageStep(
      known,
      connections.map((one) => connectionInStates(...one)),
      now,
    );
    known = next.known;
    return listOutageNotices(next, english).map(({ title }) => title);
  };

  it("is reported once, and its end once", () => {
    known = new Map();
    expect(step(0, [["ready"]])).toStrictEqual([]);
    expect(step(1, [["open"]])).toStrictEqual(["OpenAI does not respond"]);
    expect(step(2, [["open"]])).toStrictEqual([]);
    expect(step(3, [["ready"]])).toStrictEqual(["OpenAI can be used again"]);
    expect(step(4, [["ready"]])).toStrictEqual([]);
  });

  it("is not reported again and again of a connection that comes and goes", () => {
    known = new Map();
    expect(step(0, [["open"]])).toHaveLength(1);
    expect(step(1, [["ready"]])).toHaveLength(1);
    expect(step(2, [["open"]])).toStrictEqual([]);
    expect(step(3, [["ready"]])).toStrictEqual([]);
    expect(step(OUTAGE_CALM_MS, [["open"]])).toHaveLength(1);
  });

  it("ends in silence when the connection is removed, switched off or has no keys any more", () => {
    known = new Map();
    step(0, [["open"]]);
    expect(step(1)).toStrictEqual([]);
    expect(step(2, [["ready"]])).toStrictEqual([]);
    step(OUTAGE_CALM_MS * 2, [["open"]]);
    expect(step(OUTAGE_CALM_MS * 2 + 1, [["ready"], { enabled: false }])).toStrictEqual([]);
  });

  it("of several is one notice", () => {
    known = new Map();
    const both = (state: "open" | "ready"): Parameters<typeof connectionInStates>[] => [
      [[state], { id: "a", name: "A" }],
      [[state], { id: "b", name: "B" }],
    ];
    expect(step(0, ...both("open"))).toStrictEqual(["2 providers do not respond"]);
    expect(step(1, ...both("ready"))).toStrictEqual(["2 providers can be used again"]);
  });

  it.each([
    ["open", "All recent requests failed. Postern keeps retrying.\nTimed out"],
    ["refused", "The provider refuses its key.\nTimed out"],
    ["out_of_credit", "The provider says that the account is out of credit.\nTimed out"],
  ] as const)("says why it is %s", (state, body) => {
    const credentials = [
      { hint: "", state, until: null, since: null, reason: "Timed\nout", unreachable: false, credit: null, models: [] },
    ];
    const result = createOutageStep(new Map(), [connectionInStates([], { credentials })], 0);
    expect(listOutageNotices(result, english)).toMatchObject([{ body, opens: { page: "connections" } }]);
  });
});

it("says which connections' keys are locked", () => {
  expect(lockedNotice([connectionInStates(["ready"])], english)).toBeNull();
  const locked = [
    connectionInStates(["locked"], { name: "A" }),
    connectionInStates(["ready", "locked"], { name: "B" }),
  ];
  expect(lockedNotice(locked, english)).toMatchObject({
    title: "Provider keys are locked",
    body: expect.stringContaining("A, B"),
  });
});
