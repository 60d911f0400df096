import { describe, expect, it } from "vitest";
import type { Settings } from "../../../gateway/contract/control.ts";
import { refusal, startFakeControl } from "./fake-control.ts";
import { postern } from "./run.ts";

const settings: Settings = {
  monthly_budget_usd: 20,
  sandbox: "auto",
  media_keep_days: 30,
  media_max_gib: null,
  allow_targets: ["127.0.0.1:3000", "nas.local:9000"],
  record_bodies: false,
  record_keep_days: 7,
  record_max_mib: 512,
  port: null,
  lan: false,
  backup_keep: 7,
};

describe("settings", () => {
  it("are shown one a line, and as JSON", async () => {
    await using control = await startFakeControl({ "GET /control/settings": { body: settings } });
    const { code, out } = await postern(["settings", "--data-dir", control.folder]);
    expect({ code, lines: out.split("\n") }).toEqual({
      code: 0,
      lines: [
        "Monthly budget       $20",
        "Sandbox              auto",
        "Results are kept     for 30 days",
        "Size of the library  not bounded",
        "Allowed targets      127.0.0.1:3000, nas.local:9000",
      ],
    });
    const json = await postern(["settings", "--json", "--data-dir", control.folder]);
    expect(JSON.parse(json.out)).toEqual(settings);
  });
});

describe("settings set", () => {
  it.each<[string[], Partial<Settings>]>([
    [["--media-keep-days", "7", "--media-max-gib", "2.5"], { media_keep_days: 7, media_max_gib: 2.5 }],
    [
      ["--media-keep-days", "none", "--media-max-gib", "none", "--monthly-budget-usd", "none"],
      { media_keep_days: null, media_max_gib: null, monthly_budget_usd: null },
    ],
    [["--allow-targets", "127.0.0.1:3000, nas.local:9000"], { allow_targets: ["127.0.0.1:3000", "nas.local:9000"] }],
    [["--allow-targets", "none", "--sandbox", "off"], { allow_targets: [], sandbox: "off" }],
  ])("changes what is named and nothing else: %j", async (options, change) => {
    await using control = await startFakeControl({ "PATCH /control/settings": { body: { ...settings, ...change } } });
    const { code } = await postern(["settings", "set", ...options, "--data-dir", control.folder]);
    expect(code).toBe(0);
    expect(control.calls.at(-1)?.body).toEqual(change);
  });

  it.each([[[]], [["--media-keep-days", "some"]], [["--media-keep-days", "1.5"]], [["--sandbox", "maybe"]]])(
    "refuses %j before anything is asked",
    async (options) => {
      await using control = await startFakeControl({});
      const { code } = await postern(["settings", "set", ...options, "--data-dir", control.folder]);
      expect(code).toBe(2);
      expect(control.calls).toEqual([]);
    },
  );

  it("says in the gateway's words what may not be allowed", async () => {
    const sentence = '"169.254.169.254:80" cannot be allowed: link-local and metadata addresses are never reached.';
    await using control = await startFakeControl({
      "PATCH /control/settings": { status: 400, body: refusal("invalid_value", sentence) },
    });
    const ended = await postern([
      "settings",
      "set",
      "--allow-targets",
      "169.254.169.254:80",
      "--data-dir",
      control.folder,
    ]);
    expect(ended).toEqual({ code: 1, out: "", error: sentence });
  });
});
