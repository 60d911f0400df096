import type { Fields } from "../fields.ts";

/**
 * Settings at the end of a prompt, as the first generation takes them, by both of their names
 * (docs/providers/ark.md#videos).
 */
const NAMES: Readonly<Record<string, string>> = {
  rs: "resolution",
  resolution: "resolution",
  rt: "ratio",
  ratio: "ratio",
  dur: "duration",
  duration: "duration",
  seed: "seed",
};

/** `--rs 720p --dur 5`: those of them that matter here. */
export function promptSettings(prompt: string): Fields {
  const settings: Record<string, unknown> = {};
  for (const [, written = "", value = ""] of prompt.slice(-500).matchAll(/--([a-z]{2,20})\s{1,4}(\S{1,20})/g)) {
    const name = NAMES[written];
    if (name !== undefined) settings[name] = /^-?\d+$/.test(value) ? Number(value) : value;
  }
  return settings;
}
