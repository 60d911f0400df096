import type { Settings } from "../../../gateway/contract/control.ts";
import { UsageError } from "../command.ts";
import type { Command, CommandValues } from "../command.ts";
import { plainText } from "../table.ts";
import { choiceOption, given, integerOption, listOption, numberOption } from "../values.ts";

/** Takes a limit away. */
const NONE = "none";

/** One line a setting. */
export function settingsText(settings: Settings): string {
  const { monthly_budget_usd, sandbox, media_keep_days, media_max_gib, allow_targets } = settings;
  const lines: readonly (readonly [string, string])[] = [
    ["Monthly budget", monthly_budget_usd === null ? NONE : `$${monthly_budget_usd}`],
    ["Sandbox", sandbox],
    ["Results are kept", media_keep_days === null ? "for ever" : `for ${media_keep_days} days`],
    ["Size of the library", media_max_gib === null ? "not bounded" : `at most ${media_max_gib} GiB`],
    ["Allowed targets", allow_targets.length === 0 ? NONE : allow_targets.join(", ")],
  ];
  const width = Math.max(...lines.map(([name]) => name.length));
  return lines.map(([name, value]) => `${name.padEnd(width)}  ${value}`).join("\n");
}

/** A value, null for `none`, undefined when the option was not given. */
function orNone<T>(values: CommandValues, name: string, read: (values: CommandValues, name: string) => T): T | null {
  return values.text(name) === NONE ? null : read(values, name);
}

export const showSettings: Command = {
  name: "settings",
  about: "the budget, the sandbox, what the library keeps, and which private addresses may be reached",
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
    sandbox: { value: "MODE", about: "auto (while no vendor is connected), on or off" },
    "media-keep-days": { value: "N", about: "remove results that are older, or none" },
    "media-max-gib": { value: "N", about: "remove the oldest results while the library is larger, or none" },
    "allow-targets": {
      value: "HOST:PORT,…",
      about: "private addresses that callbacks and downloads may reach, in place of those before, or none",
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
    });
    if (Object.keys(change).length === 0) throw new UsageError('"postern settings set --help" lists what can be set.');
    const settings = await control.call("updateSettings", change);
    return { json: settings, text: plainText(settingsText(settings)) };
  },
};
