import { describe, expect, it } from "vitest";
import type { ConnectionView, CredentialHealth } from "../../../gateway/contract/connection.ts";
import { getHealth, getTroubles } from "../../../renderer/components/connection-health.ts";
import { connectionView, credentialHealth } from "../../support/views.ts";

type Key = Partial<CredentialHealth>;

function connection(keys: readonly Key[], change: Partial<ConnectionView> = {}): ConnectionView {
  return connectionView({
    last_success_at: 1_000,
    credentials: keys.map(credentialHealth),
    models: { count: 1, checked_at: 1_000, error: null },
    ...change,
  });
}

const refused: Key = { state: "refused", reason: "401", until: 9 };
const unpaid: Key = { state: "out_of_credit", reason: "402" };
const locked: Key = { state: "locked" };
const open: Key = { state: "open", reason: "503", until: 9 };
const failed: Key = { state: "failed", reason: "500" };
const gone: Key = { state: "failed", reason: "ECONNREFUSED", unreachable: true };
const cooling: Key = { state: "cooling", reason: "429", until: 9 };
const fails = { state: "open", reason: "503", until: 9, since: 1, unreachable: false, model: "a" } as const;
const never = { last_success_at: null };

describe("the one health of a connection", () => {
  it.each<[string, readonly Key[], Partial<ConnectionView>, string]>([
    ["it responded", [{}], {}, "healthy healthy test success"],
    ["nobody has asked it yet", [{}], never, "unknown untested test neutral"],
    [
      "it responds and lists nothing",
      [{}],
      { ...never, models: { count: 0, checked_at: null, error: "404" } },
      "unknown no_list test neutral",
    ],
    [
      "its calls work and its list does not",
      [{}],
      { models: { count: 0, checked_at: null, error: "404" } },
      "healthy healthy test success",
    ],
    ["it is disabled, whatever its key", [refused], { enabled: false }, "off off test neutral"],
    ["its program is not there", [gone], { origin: "local", present: false }, "absent not_running test neutral"],
    ["its key is refused", [refused], {}, "invalid_key refused replace_key danger"],
    ["the environment's key is refused", [refused], { origin: "environment" }, "invalid_key refused test danger"],
    ["its credit is used up", [unpaid], {}, "out_of_credit no_credit top_up danger"],
    ["its key cannot be opened", [locked], {}, "locked locked replace_key danger"],
    ["no key works, for several reasons", [locked, unpaid, refused], {}, "invalid_key refused replace_key danger"],
    ["nobody is there", [gone], {}, "down unreachable test danger"],
    ["nobody is there, by one of its keys", [failed, gone], {}, "down unreachable test danger"],
    ["it fails again and again", [open], {}, "down failing test danger"],
    ["it failed once", [failed], {}, "degraded last_failed test warning"],
    ["it has only ever failed", [failed], never, "down last_failed test danger"],
    ["one key fails for long, one for the first time", [open, failed], {}, "degraded last_failed test warning"],
    ["it asked to wait", [cooling], {}, "degraded rate_limited test warning"],
    ["one of two keys is refused", [{}, refused], {}, "degraded some_keys replace_key warning"],
    ["one of two keys waits", [{}, cooling], {}, "degraded some_keys test warning"],
    ["one of its models fails", [{ models: [fails] }], {}, "degraded some_models test warning"],
  ])("%s", (_name, keys, change, text) => {
    const { state, sentence, action, tone } = getHealth(connection(keys, change));
    expect([state, sentence, action, tone].join(" ")).toBe(text);
  });

  it("brings what was said, and until when", () => {
    expect(getHealth(connection([cooling]))).toMatchObject({ reason: "429", until: 9 });
    expect(getHealth(connection([{}]))).toMatchObject({ reason: null, until: null });
  });
});

describe("the connections that need a person", () => {
  const well = connection([{}], { id: "well" });
  const slow = connection([cooling], { id: "slow" });
  const dead = connection([gone], { id: "dead" });
  const off = connection([refused], { id: "off", enabled: false });
  const named = (connections: readonly ConnectionView[]): string[] =>
    getTroubles(connections).map(({ connection: { id } }) => id);

  it("are the worst first, without what does well, was not tested or is off", () => {
    expect(named([well, slow, dead, off])).toEqual(["dead", "slow"]);
    expect(named([slow, well])).toEqual(["slow"]);
    expect(named([well, off, connection([{}], never)])).toEqual([]);
    expect(named([])).toEqual([]);
  });
});
