import type { AddressView } from "../../../gateway/contract/address.ts";
import type { Settings } from "../../../gateway/contract/control.ts";
import { UsageError } from "../command.ts";
import type { Command, CommandValues } from "../command.ts";
import { plainText } from "../table.ts";
import { choiceOption, given, integerOption, listOption, numberOption } from "../values.ts";

/** Takes a limit away. */
const NONE = "none";
const DEFAULT_PORT = 6174;

/** One line a setting. */
export function settingsText(settings: Settings): string {
  const { monthly_budget_usd, sandbox, media_keep_days, media_max_gib, allow_targets, backup_keep } = settings;
  const { record_bodies, record_keep_days, record_max_mib, price_list_url: url, price_list_daily: daily } = settings;
  const lines: readonly (readonly [string, string])[] = [
    ["Monthly budget", monthly_budget_usd === null ? NONE : `$${monthly_budget_usd}`],
    ["Sandbox", sandbox],
    ["Results are kept", media_keep_days === null ? "for ever" : `for ${media_keep_days} days`],
    ["Size of the library", media_max_gib === null ? "not bounded" : `at most ${media_max_gib} GiB`],
    ["Allowed targets", allow_targets.length === 0 ? NONE : allow_targets.join(", ")],
    ["Recording", record_bodies ? `on, for ${record_keep_days} days and at most ${record_max_mib} MiB` : "off"],
    ["Daily backups", backup_keep === null ? NONE : `the newest ${backup_keep} are kept`],
    ["Port", settings.port === null ? String(DEFAULT_PORT) : String(settings.port)],
    ["Local network", settings.lan ? "on: other machines may call it with a key" : "off"],
    ...(url === null ? [] : [["Price list", `${url}, fetched ${daily ? "daily" : "manually"}`] as const]),
  ];
  const width = Math.max(...lines.map(([name]) => name.length));
  return lines.map(([name, value]) => `${name.padEnd(width)}  ${value}`).join("\n");
}

/** Where the next start listens, when that is elsewhere; else what the command line holds against the setting. */
function addressNote(address: AddressView, change: Partial<Settings>): string[] {
  const { next, fixed, restart_needed: restartNeeded, can_restart: canRestart } = address;
  const lines: string[] = [];
  if (change.port !== undefined && fixed.port)
    lines.push(`--port or POSTERN_PORT goes before the setting: ${next.port}.`);
  if (change.lan !== undefined && fixed.host)
    lines.push(`--host or POSTERN_HOST goes before the setting: ${next.host}.`);
  if (!restartNeeded) return lines;
  const how = canRestart ? '"postern restart" starts it again' : "Stop Postern and start it again";
  return [...lines, `From the next start on Postern listens on ${next.host}:${next.port}. ${how}.`];
}

/** A switch that takes a word, so that leaving it out leaves it as it is. */
function onOrOff(values: CommandValues, name: string): boolean | undefined {
  const word = choiceOption(values, name, ["on", "off"]);
  return word === undefined ? undefined : word === "on";
}

/** A value, null for `none`, undefined when the option was not given. */
function orNone<T>(values: CommandValues, name: string, read: (values: CommandValues, name: string) => T): T | null {
  return values.text(name) === NONE ? null : read(values, name);
}

export const showSettings: Command = {
  name: "settings",
  about: "the budget, the sandbox, what is kept, where Postern listens, which private addresses it may reach",
  options: {},
  async run({ control }) {
    const settings = await control.call("getSettings");
    return { json: settings, text: plainText(settingsText(settings)) };
  },
};

export const changeSettings: Command = {
  name: "settings set",
  about: "change some of them; the others stay",
  options: {
    "monthly-budget-usd": { value: "USD", about: "of all keys together, per UTC month, or none" },
    sandbox: { value: "MODE", about: "auto (while no provider is connected), on or off" },
    "media-keep-days": { value: "N", about: "remove results that are older, or none" },
    "media-max-gib": { value: "N", about: "remove the oldest results while the library is larger, or none" },
    "allow-targets": {
      value: "HOST:PORT,…",
      about: "private addresses that webhook deliveries and downloads may reach (replaces the list), or none",
    },
    record: { value: "on|off", about: "record requests and responses on this machine" },
    "record-keep-days": { value: "N", about: "delete recordings that are older" },
    "record-max-mib": { value: "N", about: "delete the oldest recordings while there are more" },
    "backup-keep": { value: "N", about: "make a backup each day and keep so many of them, or none" },
    "price-list": { value: "URL", about: "a list of LiteLLM's or models.dev's shape to fetch prices from, or none" },
    "price-list-daily": { value: "on|off", about: "fetch it every day; it is only offered" },
    port: { value: "PORT", about: "where Postern listens from the next start on; none for 6174" },
    lan: {
      value: "on|off",
      about: "let other machines call /v1 and /mcp from the next start on; keys protect it alone",
    },
  },
  async run({ control }, values) {
    const targets = orNone(values, "allow-targets", listOption);
    const change = given({
      monthly_budget_usd: orNone(values, "monthly-budget-usd", numberOption),
      sandbox: choiceOption(values, "sandbox", ["auto", "on", "off"]),
      media_keep_days: orNone(values, "media-keep-days", integerOption),
      media_max_gib: orNone(values, "media-max-gib", numberOption),
      allow_targets: targets === null ? [] : targets,
      record_bodies: onOrOff(values, "record"),
      record_keep_days: integerOption(values, "record-keep-days"),
      record_max_mib: integerOption(values, "record-max-mib"),
      backup_keep: orNone(values, "backup-keep", integerOption),
      price_list_url: orNone(values, "price-list", (all, name) => all.text(name)),
      price_list_daily: onOrOff(values, "price-list-daily"),
      port: orNone(values, "port", integerOption),
      lan: onOrOff(values, "lan"),
    });
    if (Object.keys(change).length === 0) throw new UsageError('"postern settings set --help" lists what can be set.');
    const settings = await control.call("updateSettings", change);
    const listens = change.port !== undefined || change.lan !== undefined;
    const notes = listens ? addressNote(await control.call("address"), change) : [];
    return { json: settings, text: plainText([settingsText(settings), ...notes].join("\n")) };
  },
};
