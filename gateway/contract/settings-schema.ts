import * as z from "zod";
import { usdUpTo } from "./bounds.ts";
import { modelIdSchema } from "./model-view.ts";
import { parseProxy, proxyModes } from "./proxy.ts";
import { settingNames, getSetting, type Setting, type SettingName, type Settings } from "./settings.ts";

function getSchema(setting: Setting): z.ZodType {
  switch (setting.kind) {
    case "switch":
      return z.boolean();
    case "choice":
      return z.enum(setting.choices);
    case "list": {
      const text = z.string().max(setting.longest);
      const { entry } = setting;
      const checked = entry === undefined ? text : text.regex(entry.form, { error: `expected ${entry.words}` });
      return z.array(checked).max(setting.most);
    }
    case "url":
      return orNone(setting, z.url({ protocol: /^https?$/, error: "expected an http or https URL" }).max(2_048));
    case "proxy":
      return z.string().trim().max(2_048).refine(isProxyChoice, "expected system, off or the address of a proxy");
    case "model":
      return orNone(setting, modelIdSchema);
    case "usd":
      return orNone(setting, usdUpTo(setting.max));
    default: {
      const number = setting.kind === "integer" ? z.number().int() : z.number();
      return orNone(setting, number.min(setting.min).max(setting.max));
    }
  }
}

const orNone = (setting: Setting, schema: z.ZodType): z.ZodType => ("none" in setting ? schema.nullable() : schema);

const isProxyChoice = (text: string): boolean => proxyModes.some((mode) => mode === text) || parseProxy(text) !== null;

type Shape = { [Name in SettingName]: z.ZodType<Settings[Name]> };

/** Schema of the values in the control API, made from the declarations. */
export const settingsSchema = z.object(
  Object.fromEntries(settingNames.map((name) => [name, getSchema(getSetting(name))])) as Shape,
);
