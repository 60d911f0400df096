import { describe, expect, it } from "vitest";
import type { State } from "../../../gateway/contract/control.ts";
import {
  getBaseUrl,
  getFacts,
  isSameTray,
  getMcpUrl,
  opensOnClick,
  createTrayIcon,
  createTrayModel,
  type TrayFacts,
} from "../../../main/policy/tray-model.ts";
import { chooseWords } from "../../../main/policy/words-zh.ts";
import { english } from "../../../main/policy/words.ts";

const facts: TrayFacts = {
  url: "http://127.0.0.1:6174",
  status: "running",
  todayNano: 420_000,
  budget: null,
  inFlight: 2,
  videos: 0,
  notifications: true,
  autostart: null,
  update: null,
};
const labels = (change: Partial<TrayFacts>) =>
  createTrayModel({ ...facts, ...change }, english).items.map((item) => (item.kind === "separator" ? "-" : item.label));

describe("trayModel", () => {
  it("says state, spend and traffic, and offers to open, copy, pause and quit", () => {
    expect(createTrayModel(facts, english)).toStrictEqual({
      tooltip: "Postern: Running on 6174",
      items: [
        { kind: "action", label: "Open Postern", action: "open" },
        { kind: "separator" },
        { kind: "text", label: "Running on 6174" },
        { kind: "text", label: "Today $0.00042" },
        { kind: "text", label: "2 requests in flight" },
        { kind: "separator" },
        { kind: "action", label: "Copy base URL", action: "copy-base-url" },
        { kind: "action", label: "Copy MCP address", action: "copy-mcp" },
        { kind: "separator" },
        { kind: "action", label: "Pause", action: "pause" },
        { kind: "check", label: "Notifications", checked: true, action: "toggle-notifications" },
        { kind: "separator" },
        { kind: "action", label: "Quit Postern", action: "quit" },
      ],
    });
  });

  it.each([
    [{ inFlight: 0 }, "Nothing in flight"],
    [{ inFlight: 1 }, "1 request in flight"],
    [{ inFlight: 250 }, "250 requests in flight"],
    [{ videos: 1 }, "1 video being made"],
    [{ videos: 7 }, "7 videos being made"],
    [{ todayNano: 0 }, "Today $0.00"],
    [{ todayNano: 12_345_000_000 }, "Today $12.35"],
    [{ budget: { leftNano: 1_500_000_000, limitNano: 20_000_000_000 } }, "$1.50 of $20.00 left this month"],
    [{ budget: { leftNano: 0, limitNano: 20_000_000_000 } }, "$0.00 of $20.00 left this month"],
    [{ status: "stopping" }, "Stopping"],
    [{ status: "paused" }, "Paused"],
    [{ status: "paused" }, "Resume"],
    [{ status: "storage" }, "The disk refuses writes: paid calls are refused"],
    [{ status: "storage" }, "Pause"],
    [{ url: "http://127.0.0.1:51234" }, "Running on 51234"],
    [{ autostart: false }, "Start at login"],
    [{ update: "1.2.3" }, "Restart to update to 1.2.3"],
  ] satisfies [Partial<TrayFacts>, string][])("with %j it says %s", (change, expected) => {
    expect(labels(change)).toContain(expected);
  });

  it.each([
    [{}, ["Resume", "Start at login", "left this month", "being made", "Restart to update"]],
    [{ status: "paused" }, ["Pause"]],
    [{ status: "stopping" }, ["Pause", "Resume"]],
  ] satisfies [Partial<TrayFacts>, string[]][])("with %j it has none of %j", (change, absent) => {
    for (const part of absent) {
      const found = labels(change).filter((label) => label === part || (part.includes(" ") && label.includes(part)));
      expect(found, part).toStrictEqual([]);
    }
  });

  it("ends without two separators in a row, whatever is shown", () => {
    for (const status of ["running", "paused", "stopping", "storage"] as const) {
      expect(labels({ status }).join("|")).not.toContain("-|-");
    }
  });

  it("speaks Chinese where the system does", () => {
    expect(chooseWords("en-GB")).toBe(english);
    expect(chooseWords("")).toBe(english);
    expect(createTrayModel(facts, chooseWords("zh-CN")).items[0]).toMatchObject({ label: "打开 Postern" });
  });
});

describe("isSameTray", () => {
  it("is true for what looks the same and false for any change", () => {
    const shown = createTrayModel(facts, english);
    expect(isSameTray(shown, createTrayModel({ ...facts }, english))).toBe(true);
    expect(isSameTray(null, shown)).toBe(false);
    const changes: Partial<TrayFacts>[] = [
      { inFlight: 3 },
      { todayNano: 430_000 },
      { status: "stopping" },
      { notifications: false },
      { autostart: true },
    ];
    for (const change of changes) {
      expect(isSameTray(shown, createTrayModel({ ...facts, ...change }, english)), JSON.stringify(change)).toBe(false);
    }
  });
});

it("copies the addresses that clients are pointed at", () => {
  expect(getBaseUrl("http://127.0.0.1:6174")).toBe("http://127.0.0.1:6174/v1");
  expect(getMcpUrl("http://127.0.0.1:6174")).toBe("http://127.0.0.1:6174/mcp");
});

it.each([
  ["darwin", false, "template"],
  ["darwin", true, "template"],
  ["win32", false, "dark"],
  ["win32", true, "light"],
  ["linux", false, "light"],
  ["linux", true, "light"],
] as const)("on %s with a dark panel %s the icon is %s", (platform, isDark, expected) => {
  expect(createTrayIcon(platform, isDark)).toBe(expected);
});

it("opens by a click wherever a click does not open the menu", () => {
  expect((["darwin", "win32", "linux"] as const).map(opensOnClick)).toStrictEqual([false, true, true]);
});

it("takes real spend only, the sandbox's is another field, and never less than nothing for what is left", () => {
  const today = { nano: 5, sandbox_nano: 7 };
  const month = { nano: 30, sandbox_nano: 1_000 };
  const state = { url: facts.url, status: "running", today, month, in_flight: 3 };
  const read = (limit: number | null) => getFacts({ ...state, monthly_budget_nano: limit } as unknown as State);
  expect(read(null)).toStrictEqual({ url: facts.url, status: "running", todayNano: 5, budget: null, inFlight: 3 });
  expect(read(100).budget).toStrictEqual({ limitNano: 100, leftNano: 70 });
  expect(read(20).budget).toStrictEqual({ limitNano: 20, leftNano: 0 });
});
