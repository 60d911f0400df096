import { describe, expect, it } from "vitest";
import type { AddressView } from "../../../gateway/contract/address.ts";
import { initialSettings, type Settings } from "../../../gateway/contract/settings.ts";
import { startFakeControl } from "./fake-control.ts";

const settings: Settings = {
  ...initialSettings,
  monthly_budget_usd: 20,
  media_keep_days: 30,
  allow_targets: ["127.0.0.1:3000", "nas.local:9000"],
};

const address: AddressView = {
  url: "http://127.0.0.1:6174",
  host: "127.0.0.1",
  port: 6_174,
  others: [],
  fixed: { host: false, port: false },
  next: { host: "127.0.0.1", port: 6_174 },
  restart_needed: false,
  can_restart: false,
};

describe("settings", () => {
  it("are shown one a line, and as JSON", async () => {
    await using control = await startFakeControl({ "GET /control/settings": { body: settings } });
    const { code, out } = await control.run(["settings"]);
    expect({ code, lines: out.split("\n") }).toEqual({
      code: 0,
      lines: [
        "Monthly budget       $20",
        "Routes               on",
        "Sandbox              auto",
        "Pictures             not described",
        "Pictures as words    off",
        "Results are kept     for 30 days",
        "Size of the library  not bounded",
        "Cancelled media      finished and saved",
        "Allowed targets      127.0.0.1:3000, nas.local:9000",
        "Allowed hosts        none",
        "Allowed origins      none",
        "Recording            off",
        "Daily backups        the newest 7 are kept",
        "Port                 6174",
        "Local network        off",
        "Outbound proxy       of the environment and the system",
        "Time limits          5 s to connect, 120 s to the first byte of a stream, 300 s of silence within a response, 600 s to a whole response",
        "Newer versions       not looked for",
        "Web search           none",
        "Telemetry            sent to nobody",
      ],
    });
    const json = await control.run(["settings", "--json"]);
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
    [
      ["--allowed-hosts", "nas,*.ts.net", "--allowed-origins", "none"],
      { allowed_hosts: ["nas", "*.ts.net"], allowed_origins: [] },
    ],
    [["--record", "on", "--record-keep-days", "3"], { record_bodies: true, record_keep_days: 3 }],
    [["--record", "off", "--record-max-mib", "64"], { record_bodies: false, record_max_mib: 64 }],
    [["--routes", "off"], { routes: false }],
    [["--routes", "on"], { routes: true }],
    [["--backup-keep", "30"], { backup_keep: 30 }],
    [["--backup-keep", "none"], { backup_keep: null }],
    [
      ["--picture-model", "gpt-4.1-mini", "--pictures-as-words", "on"],
      { picture_model: "gpt-4.1-mini", pictures_as_words: true },
    ],
    [["--picture-model", "none"], { picture_model: null }],
    [["--price-list", "https://models.dev/api.json"], { price_list_url: "https://models.dev/api.json" }],
    [["--price-list", "none", "--price-list-daily", "off"], { price_list_url: null, price_list_daily: false }],
  ])("changes what is named and nothing else: %j", async (options, change) => {
    await using control = await startFakeControl({ "PATCH /control/settings": { body: { ...settings, ...change } } });
    const { code } = await control.run(["settings", "set", ...options]);
    expect(code).toBe(0);
    expect(control.calls.at(-1)?.body).toEqual(change);
  });

  it.each([
    [[]],
    [["--media-keep-days", "some"]],
    [["--media-keep-days", "1.5"]],
    [["--sandbox", "maybe"]],
    [["--lan", "yes"]],
    [["--routes", "yes"]],
    [["--record", "true"]],
    [["--port", "6174.5"]],
    [["--backup-keep", "all"]],
  ])("refuses %j before anything is asked", async (options) => {
    await using control = await startFakeControl({});
    const { code } = await control.run(["settings", "set", ...options]);
    expect(code).toBe(2);
    expect(control.calls).toEqual([]);
  });

  it.each<[string[], Partial<Settings>, Partial<AddressView>, string[]]>([
    [["--port", "none"], { port: null }, {}, []],
    [
      ["--port", "7000"],
      { port: 7_000 },
      { next: { host: "127.0.0.1", port: 7_000 }, restart_needed: true, can_restart: true },
      ['From the next start on Postern listens on 127.0.0.1:7000. "postern restart" starts it again.'],
    ],
    [
      ["--port", "7000"],
      { port: 7_000 },
      { fixed: { host: false, port: true } },
      ["--port or POSTERN_PORT goes before the setting: 6174."],
    ],
    [
      ["--lan", "on"],
      { lan: true },
      { next: { host: "0.0.0.0", port: 6_174 }, restart_needed: true },
      ["From the next start on Postern listens on 0.0.0.0:6174. Stop Postern and start it again."],
    ],
    [
      ["--lan", "off"],
      { lan: false },
      { fixed: { host: true, port: false } },
      ["--host or POSTERN_HOST goes before the setting: 127.0.0.1."],
    ],
  ])("%j says what becomes of it", async (options, change, where, notes) => {
    await using control = await startFakeControl({
      "PATCH /control/settings": { body: { ...settings, ...change } },
      "GET /control/address": { body: { ...address, ...where } },
    });
    const { code, out } = await control.run(["settings", "set", ...options]);
    expect(code).toBe(0);
    expect(control.calls[0]?.body).toEqual(change);
    const table = /^\S.*? {2,}\S/;
    expect(out.split("\n").filter((line) => !table.test(line))).toEqual(notes);
  });
});
