import { describe, expect, it } from "vitest";
import type { UpdateState as BridgeState } from "../../../renderer/bridge.ts";
import {
  explainFailure,
  IDLE,
  unsupportedBecause,
  updateStep,
  type UpdateEvent,
  type UpdateState,
} from "../../../main/policy/update-state.ts";

it.each([
  [{ isPackaged: false }, /git pull/],
  [{ hasFeed: false }, /without an address/],
  [{ isAppImage: false }, /apt install .*\.deb.* or .*dnf install .*\.rpm/],
  [{ platform: "darwin", isAppImage: false }, null],
  [{ platform: "win32", isAppImage: false }, null],
  [{}, null],
] as const)("with %j it is unsupported: %s", (change, expected) => {
  const facts = { isPackaged: true, platform: "linux", isAppImage: true, hasFeed: true, ...change } as const;
  const reason = unsupportedBecause(facts);
  if (expected === null) expect(reason).toBeNull();
  else expect(reason).toMatch(expected);
});

it.each([
  ["Could not get code signature for running application", /^macOS lets only signed apps .* Install the newer version/],
  ["Code signature at URL file:///x did not pass validation", /^macOS lets only signed apps /],
  ["HttpError: 404", /^HttpError: 404$/],
])("explains %s", (message, expected) => {
  expect(explainFailure(message)).toMatch(expected);
});

describe("updateStep", () => {
  const events: Record<UpdateEvent["type"], UpdateEvent> = {
    check: { type: "check" },
    none: { type: "none" },
    found: { type: "found", version: "2.0.0" },
    download: { type: "download" },
    progress: { type: "progress", percent: 41.9 },
    downloaded: { type: "downloaded", version: "2.0.0" },
    failed: { type: "failed", message: "No network." },
  };
  /** What each event makes of each state; what is not listed changes nothing. */
  const table: Partial<Record<UpdateState["state"], Partial<Record<UpdateEvent["type"], UpdateState["state"]>>>> = {
    idle: { check: "checking", failed: "failed" },
    checking: { none: "idle", found: "available", failed: "failed" },
    available: { check: "checking", download: "downloading", failed: "failed" },
    downloading: { downloaded: "ready", failed: "failed" },
    ready: { failed: "failed" },
    failed: { check: "checking" },
    unsupported: {},
  };
  it.each(Object.keys(table) as UpdateState["state"][])("from %s", (state) => {
    for (const [name, event] of Object.entries(events)) {
      const before: UpdateState = { state, version: "2.0.0", message: null };
      const expected = table[state]?.[name as UpdateEvent["type"]] ?? state;
      expect(updateStep(before, event).state, name).toBe(expected);
    }
  });

  it("downloads nothing without the owner's word, and goes on to ready with it", () => {
    const run = (...names: UpdateEvent["type"][]) =>
      names.reduce((state, name) => updateStep(state, events[name]), IDLE);
    expect(run("check", "found", "progress", "downloaded")).toStrictEqual({
      state: "available",
      version: "2.0.0",
      message: null,
    });
    expect(run("check", "found", "download", "progress").message).toBe("41 %");
    // The pages know the same shape.
    const ready: BridgeState = run("check", "found", "download", "downloaded");
    expect(ready).toMatchObject({ state: "ready", version: "2.0.0" });
    expect(run("check", "failed")).toStrictEqual({ state: "failed", version: null, message: "No network." });
  });
});
