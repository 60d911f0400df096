import type { AddressView } from "../../../gateway/contract/address.ts";
import { NONE, settingFromText, describeValues } from "../../../gateway/contract/setting-text.ts";
import {
  settingNames,
  getSetting,
  type Setting,
  type SettingName,
  type Settings,
} from "../../../gateway/contract/settings.ts";
import { UsageError } from "../command-errors.ts";
import type { Command, CommandOption, CommandValues } from "../command.ts";

type Value = Settings[SettingName];
const isOff = (value: Value): boolean =>
  value === null || value === false || (Array.isArray(value) && value.length === 0);

/** @returns an empty text if nothing is to be shown */
function formatValue(setting: Setting, value: Value): string {
  if (value === null) return setting.kind === "switch" || !("none" in setting) ? "" : (setting.none ?? "");
  const write = setting.shown as ((value: Value) => string) | undefined;
  if (write !== undefined) return write(value);
  if (typeof value === "boolean") return value ? "on" : "off";
  return typeof value === "object" ? value.join(", ") || NONE : String(value);
}

/** A line for each setting, or for some that belong together. */
export function settingsText(settings: Settings): string {
  const lines = settingNames.flatMap((name) => {
    const setting = getSetting(name);
    const text = formatValue(setting, settings[name]);
    if (setting.title === undefined || text === "") return [];
    const rest = isOff(settings[name]) ? [] : settingNames.filter((other) => getSetting(other).after === name);
    return [
      [
        setting.title,
        [text, ...rest.map((other) => formatValue(getSetting(other), settings[other]))].join(""),
      ] as const,
    ];
  });
  const width = Math.max(...lines.map(([title]) => title.length));
  return lines.map(([title, text]) => `${title.padEnd(width)}  ${text}`).join("\n");
}

/** Names the address of the next start when that is another one, else the option that overrides the setting. */
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

const nameOption = (name: SettingName): string => getSetting(name).option ?? name.replaceAll("_", "-");

function describeOption(name: SettingName): CommandOption {
  const setting = getSetting(name);
  return { value: setting.kind === "switch" ? "on|off" : setting.value, about: setting.about };
}

/** @returns an empty object when the option was not given */
function given(name: SettingName, values: CommandValues): Partial<Settings> {
  const option = nameOption(name);
  const text = values.text(option);
  if (text === undefined) return {};
  const setting = getSetting(name);
  const value = settingFromText(setting, text);
  if (value === undefined) throw new UsageError(`--${option} takes ${describeValues(setting)}, not "${text}".`);
  return { [name]: value };
}

export const showSettings: Command = {
  name: "settings",
  about: "the budget, the sandbox, what is kept, where Postern listens, which private addresses it may reach",
  options: {},
  async run({ control }) {
    const settings = await control.call("getSettings");
    return { json: settings, text: settingsText(settings) };
  },
};

export const changeSettings: Command = {
  name: "settings set",
  about: "change some of them; the others stay",
  options: Object.fromEntries(settingNames.map((name) => [nameOption(name), describeOption(name)])),
  async run({ control }, values) {
    const change: Partial<Settings> = Object.assign({}, ...settingNames.map((name) => given(name, values)));
    if (Object.keys(change).length === 0) throw new UsageError('"postern settings set --help" lists what can be set.');
    const settings = await control.call("updateSettings", change);
    const waits = settingNames.some((name) => name in change && getSetting(name).atRestart === true);
    const notes = waits ? addressNote(await control.call("address"), change) : [];
    return { json: settings, text: [settingsText(settings), ...notes].join("\n") };
  },
};
