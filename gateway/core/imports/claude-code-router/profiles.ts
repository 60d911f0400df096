import type { SourceFields } from "../fields.ts";
import { readItems, readMembers, readText } from "../values.ts";
import type { Target } from "./config.ts";

/** `profile.profiles` of version 3: which models it has Claude Code ask for, in all and by class. */

const BY_CLASS = { opusModel: "opus", sonnetModel: "sonnet", haikuModel: "haiku", fableModel: "fable" } as const;

export interface ProfileModels {
  readonly own: string | null;
  readonly byClass: ReadonlyMap<string, string>;
}

/** The models of the profile of Claude Code that is in use; the other profiles are marked as left. */
export function readProfiles(profile: unknown, fields: SourceFields, target: Target): ProfileModels {
  const profiles = readItems(readMembers(profile)["profiles"]).map(readMembers);
  const used = profiles.findIndex(({ agent, enabled }) => agent === "claude-code" && enabled !== false);
  for (const name of Object.keys(readMembers(profile))) if (name !== "profiles") fields.left([name], "not-supported");
  for (const index of profiles.keys()) fields.left(["profiles", index], index === used ? "not-supported" : "unused");
  const byClass = new Map<string, string>();
  const found = profiles[used];
  if (found === undefined) return { own: null, byClass };
  const read = (name: string): string | null => {
    if (readText(found[name]) === null) return null;
    const model = target(found[name]);
    if (model === null) fields.left(["profiles", used, name], "unknown-provider");
    else fields.recordTaken(["profiles", used, name], `model ${model} of routes for Claude Code`);
    return model;
  };
  for (const [name, group] of Object.entries(BY_CLASS)) {
    const model = read(name);
    if (model !== null) byClass.set(group, model);
  }
  return { own: read("model"), byClass };
}
