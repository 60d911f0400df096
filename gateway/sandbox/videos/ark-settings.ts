import { invalidParameter } from "../ark-failure.ts";
import type { Fields } from "../fields.ts";
import { RATE } from "./film.ts";
import { promptSettings } from "./ark-suffixes.ts";
import { sizeByRatio } from "./sizes.ts";
import { framesOf } from "./task.ts";

/** What of a body beside `content` matters for the task. */
export interface SeedanceSettings {
  /** Place in `FILM_SIZES`. */
  readonly size: number;
  readonly frames: number;
  /** The length was told in pictures, and is told so in the answer. */
  readonly byFrames: boolean;
  /** Null: any. */
  readonly seed: number | null;
  readonly lastFrame: boolean;
  readonly audio: boolean;
  readonly draft: boolean;
  readonly flex: boolean;
}

const RATIOS = ["16:9", "4:3", "1:1", "3:4", "9:16", "21:9"];
const FREE_RATIOS = ["adaptive", "keep_ratio"];
const MOST_SEED = 4_294_967_295;
const USUAL_SECONDS = 5;

/**
 * @param id the provider's own id of the model: its number tells what it takes.
 * @throws Failure (400) in Ark's words (docs/providers/ark.md#videos).
 */
export function seedanceSettings(body: Fields, id: string, prompt: string): SeedanceSettings {
  const version = Number(/seedance-(\d-\d)/.exec(id)?.[1]?.replace("-", ".") ?? "2.0");
  const settings = version < 1.5 ? { ...body, ...promptSettings(prompt) } : body;
  const switchOf = (name: string): boolean | undefined => {
    const value = settings[name];
    if (value === undefined || value === null || typeof value === "boolean") return value ?? undefined;
    throw invalidParameter(name, "expected true or false.");
  };
  for (const name of ["camera_fixed", "watermark"]) switchOf(name);
  const draft = switchOf("draft") ?? false;
  if (draft && version !== 1.5) throw invalidParameter("draft", "the model makes no drafts.");
  wholeIn(settings, "execution_expires_after", 3_600, 259_200);
  wholeIn(settings, "priority", 0, 9);
  const seed = wholeIn(settings, "seed", -1, MOST_SEED);
  return {
    size: sizeFor(settings, id, version, draft),
    ...lengthOf(settings, version),
    seed: seed === undefined || seed === -1 ? null : seed,
    lastFrame: switchOf("return_last_frame") ?? false,
    audio: (switchOf("generate_audio") ?? true) && version >= 1.5,
    draft,
    flex: tierOf(settings, version) === "flex",
  };
}

function tierOf(settings: Fields, version: number): unknown {
  const tier = settings["service_tier"];
  if (tier == null) return "default";
  if (version >= 2) throw invalidParameter("service_tier", "must be empty.");
  if (tier === "default" || tier === "flex") return tier;
  throw invalidParameter("service_tier", "expected default or flex.");
}

function sizeFor(settings: Fields, id: string, version: number, draft: boolean): number {
  const known = version >= 2 ? ["480p", "720p", "1080p", "4k"] : ["480p", "720p", "1080p"];
  const usual = draft ? "480p" : /-1-0-pro/.test(id) ? "1080p" : "720p";
  const asked = settings["resolution"] ?? usual;
  const resolution = known.find((candidate) => candidate === asked);
  if (resolution === undefined) throw invalidParameter("resolution", `expected ${known.join(", ")}.`);
  if (draft && resolution !== "480p") throw invalidParameter("resolution", "a draft is 480p.");
  const ratio = settings["ratio"] ?? "16:9";
  // Of what the pictures have: nobody here looks at them.
  if (FREE_RATIOS.some((free) => free === ratio)) return sizeByRatio(resolution, "16:9");
  const found = RATIOS.find((candidate) => candidate === ratio);
  if (found === undefined) throw invalidParameter("ratio", `expected ${[...RATIOS, "adaptive"].join(", ")}.`);
  return sizeByRatio(resolution, found);
}

/** Seconds by generation. That 2.5 makes 30 is a guess (docs/providers/ark.md#videos). */
function lengthOf(settings: Fields, version: number): { frames: number; byFrames: boolean } {
  const frames = wholeIn(settings, "frames", 29, 289);
  if (frames !== undefined) {
    if (version < 1.5 && (frames - 25) % 4 === 0) return { frames, byFrames: true };
    throw invalidParameter("frames", version < 1.5 ? "expected 25 + 4n." : "the model takes a duration.");
  }
  const [least, most] = version < 1.5 ? [2, 12] : version < 2 ? [4, 12] : [4, version < 2.5 ? 15 : 30];
  const asked = settings["duration"] ?? USUAL_SECONDS;
  // The model decides.
  if (asked === -1 && version >= 1.5) return { frames: framesOf(USUAL_SECONDS), byFrames: false };
  const seconds = wholeIn({ duration: asked }, "duration", least, most) ?? USUAL_SECONDS;
  return { frames: seconds * RATE, byFrames: false };
}

function wholeIn(settings: Fields, name: string, least: number, most: number): number | undefined {
  const value = settings[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value === "number" && Number.isInteger(value) && value >= least && value <= most) return value;
  throw invalidParameter(name, `expected a whole number from ${least} to ${most}.`);
}
