import type { Setting, SettingName, Settings } from "./settings.ts";

/** The word for no value in an option of the command. */
export const NONE = "none";

/** Reads a setting's value from `text` in the command or the environment; undefined: it is no value of this setting. */
export function settingFromText(setting: Setting, text: string): Settings[SettingName] | undefined {
  if (text === NONE && setting.kind === "list") return [];
  if (text === NONE && "none" in setting) return null;
  switch (setting.kind) {
    case "switch":
      return text === "on" || text === "off" ? text === "on" : undefined;
    case "choice":
      return setting.choices.includes(text) ? text : undefined;
    case "url":
    case "proxy":
    case "model":
      return text;
    case "list":
      return text.split(",").flatMap((entry) => (entry.trim() === "" ? [] : [entry.trim()]));
    default: {
      const number = text.trim() === "" ? Number.NaN : Number(text);
      const fits = setting.kind === "integer" ? Number.isInteger(number) : Number.isFinite(number);
      return fits ? number : undefined;
    }
  }
}

/** Describes the values that `settingFromText` accepts, for the sentence about any other text. */
export function describeValues(setting: Setting): string {
  switch (setting.kind) {
    case "switch":
      return "on or off";
    case "choice":
      return `${setting.choices.slice(0, -1).join(", ")} or ${setting.choices.at(-1)}`;
    case "integer":
      return "a whole number";
    case "url":
      return "an http or https URL";
    case "proxy":
      return "system, off or the address of a proxy";
    case "list":
      return setting.entry?.words ?? "a list with commas";
    default:
      return "a number";
  }
}
