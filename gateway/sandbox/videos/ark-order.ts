import { isRecord } from "../../lib/records.ts";
import { arkMissing, invalidParameter } from "../ark-failure.ts";
import { type Fields, textOf } from "../fields.ts";
import { RATE, sizeByRatio } from "./sizes.ts";
import { framesOf } from "./task.ts";

const ROLES: Readonly<Record<string, readonly string[]>> = {
  image_url: ["first_frame", "last_frame", "reference_image"],
  video_url: ["reference_video"],
  audio_url: ["reference_audio"],
};
const MOST: Readonly<Record<string, number>> = {
  first_frame: 1,
  last_frame: 1,
  reference_image: 9,
  reference_video: 3,
  reference_audio: 3,
};

/**
 * The prompt in a checked `content`.
 * @throws Failure (400) in Ark's words (docs/providers/ark.md#videos)
 */
export function seedancePrompt(content: unknown): string {
  if (content === undefined || content === null) throw arkMissing("content");
  if (!Array.isArray(content) || content.length === 0) throw invalidParameter("content", "expected a list of parts.");
  const counts: Record<string, number> = {};
  const texts: string[] = [];
  let drafts = 0;
  for (const [index, part] of content.entries()) {
    const path = `content[${index}]`;
    const type = isRecord(part) ? (textOf(part["type"]) ?? "") : "";
    if (!isRecord(part) || (type !== "text" && type !== "draft_task" && ROLES[type] === undefined)) {
      throw invalidParameter(`${path}.type`, "expected text, image_url, video_url, audio_url or draft_task.");
    }
    if (type === "text") texts.push(textAt(part, path));
    else if (type === "draft_task") drafts += 1;
    else {
      const role = roleAt(part, type, path);
      counts[role] = (counts[role] ?? 0) + 1;
    }
  }
  checkCounts(counts, texts.length + drafts);
  return texts.join("\n");
}

function textAt(part: Fields, path: string): string {
  const text = textOf(part["text"]);
  if (text === undefined) throw arkMissing(`${path}.text`);
  return text;
}

/** Checks the address too. */
function roleAt(part: Fields, type: string, path: string): string {
  const place = part[type];
  const url = isRecord(place) ? textOf(place["url"]) : undefined;
  if (url === undefined) throw arkMissing(`${path}.${type}.url`);
  // Films are fetched, never sent along.
  const inline = type === "video_url" ? "" : "|data:";
  if (!new RegExp(`^(https?://|asset://${inline})`, "i").test(url)) {
    throw invalidParameter(`${path}.${type}.url`, "expected an address that can be fetched.");
  }
  const roles = ROLES[type] ?? [];
  const role = part["role"] ?? roles[0];
  const known = roles.find((candidate) => candidate === role);
  if (known === undefined) throw invalidParameter(`${path}.role`, `expected ${roles.join(", ")}.`);
  return known;
}

function checkCounts(counts: Readonly<Record<string, number>>, texts: number): void {
  const of = (role: string): number => counts[role] ?? 0;
  const frames = of("first_frame") + of("last_frame");
  const references = of("reference_image") + of("reference_video") + of("reference_audio");
  for (const [role, most] of Object.entries(MOST)) {
    if (of(role) > most) throw invalidParameter("content", `at most ${most} of ${role}.`);
  }
  if (frames > 0 && references > 0) {
    throw invalidParameter("content", "first and last frame cannot be mixed with reference media.");
  }
  if (of("last_frame") > of("first_frame")) throw invalidParameter("content", "last_frame needs a first_frame.");
  if (references > 0 && references === of("reference_audio")) {
    throw invalidParameter("content", "reference_audio needs an image or a video.");
  }
  if (texts + frames + references === 0) throw arkMissing("content.text");
}

/** What of a body beside `content` matters for the task. */
interface SeedanceSettings {
  /** Place in `FILM_SIZES`. */
  readonly size: number;
  readonly frames: number;
  /** The length was told in pictures, and is told so in the response. */
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
function promptSettings(prompt: string): Fields {
  const settings: Record<string, unknown> = {};
  for (const [, written = "", value = ""] of prompt.slice(-500).matchAll(/--([a-z]{2,20})\s{1,4}(\S{1,20})/g)) {
    const name = NAMES[written];
    if (name !== undefined) settings[name] = /^-?\d+$/.test(value) ? Number(value) : value;
  }
  return settings;
}
