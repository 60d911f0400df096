import { describe, expect, it } from "vitest";
import type { State } from "../../../gateway/contract/control.ts";
import {
  baseUrl,
  factsOf,
  isSameTray,
  opensOnClick,
  trayIcon,
  trayModel,
  type TrayFacts,
} from "../../../main/policy/tray-model.ts";

const facts: TrayFacts = { url: "http://127.0.0.1:6174", status: "running", todayNano: 420_000, inFlight: 2 };
const labels = (change: Partial<TrayFacts>) =>
  trayModel({ ...facts, ...change }).items.map((item) => (item.kind === "separator" ? "-" : item.label));

describe("trayModel", () => {
  it("says state, spend and traffic, and offers to open, copy and quit", () => {
    expect(trayModel(facts)).toStrictEqual({
      tooltip: "Postern: Running on 6174",
      items: [
        { kind: "action", label: "Open Postern", action: "open" },
        { kind: "separator" },
        { kind: "text", label: "Running on 6174" },
        { kind: "text", label: "Today $0.00042" },
        { kind: "text", label: "2 requests in flight" },
        { kind: "separator" },
        { kind: "action", label: "Copy base URL", action: "copy-base-url" },
        { kind: "separator" },
        { kind: "action", label: "Quit Postern", action: "quit" },
      ],
    });
  });

  it.each([
    [{ inFlight: 0 }, "Nothing in flight"],
    [{ inFlight: 1 }, "1 request in flight"],
    [{ inFlight: 250 }, "250 requests in flight"],
    [{ todayNano: 0 }, "Today $0.00"],
    [{ todayNano: 12_345_000_000 }, "Today $12.35"],
    [{ status: "stopping" }, "Stopping"],
    [{ status: "storage" }, "The disk refuses writes: paid calls are refused"],
    [{ url: "http://127.0.0.1:51234" }, "Running on 51234"],
  ] satisfies [Partial<TrayFacts>, string][])("with %j it says %s", (change, expected) => {
    expect(labels(change)).toContain(expected);
  });
});

describe("isSameTray", () => {
  it("is true for what looks the same and false for any change", () => {
    const shown = trayModel(facts);
    expect(isSameTray(shown, trayModel({ ...facts }))).toBe(true);
    expect(isSameTray(null, shown)).toBe(false);
    for (const change of [{ inFlight: 3 }, { todayNano: 430_000 }, { status: "stopping" as const }]) {
      expect(isSameTray(shown, trayModel({ ...facts, ...change })), JSON.stringify(change)).toBe(false);
    }
  });
});

it("copies the address that clients are pointed at", () => {
  expect(baseUrl("http://127.0.0.1:6174")).toBe("http://127.0.0.1:6174/v1");
});

it.each([
  ["darwin", false, "template"],
  ["darwin", true, "template"],
  ["win32", false, "dark"],
  ["win32", true, "light"],
  ["linux", false, "light"],
  ["linux", true, "light"],
] as const)("on %s with a dark panel %s the icon is %s", (platform, isDark, expected) => {
  expect(trayIcon(platform, isDark)).toBe(expected);
});

it("opens by a click wherever a click does not open the menu", () => {
  expect((["darwin", "win32", "linux"] as const).map(opensOnClick)).toStrictEqual([false, true, true]);
});

it("takes real spend only: the sandbox's is another field", () => {
  const today = { nano: 5, sandbox_nano: 7 };
  const state = { url: facts.url, status: "running", today, in_flight: 3 } as unknown as State;
  expect(factsOf(state)).toStrictEqual({ url: facts.url, status: "running", todayNano: 5, inFlight: 3 });
});
