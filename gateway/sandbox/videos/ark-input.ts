import { isRecord } from "../../lib/records.ts";
import { arkMissing, invalidParameter } from "../ark-failure.ts";
import type { Fields } from "../fields.ts";
import { textOf } from "../fields.ts";

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
