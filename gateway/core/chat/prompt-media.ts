import { asList, isRecord } from "../../lib/records.ts";
import type { PromptMedium } from "../models/model.ts";

type Body = Readonly<Record<string, unknown>>;

/** Block types that contain a medium, in the providers' dialects. */
const BLOCKS: Readonly<Record<string, PromptMedium>> = {
  image_url: "image",
  input_image: "image",
  image: "image",
  input_audio: "audio",
  audio_url: "audio",
  video_url: "video",
  input_file: "file",
  document: "file",
};

/** The media in a request's prompt. */
export function findMedia(body: Body): ReadonlySet<PromptMedium> {
  const found = new Set<PromptMedium>();
  for (const turn of getTurns(body)) {
    for (const block of getBlocks(turn)) {
      const medium = getMedium(block);
      if (medium !== null) found.add(medium);
    }
  }
  return found;
}

/** Returns the request without its audio. */
export function withoutAudio(body: Body): Body {
  const silent = (turn: unknown): unknown =>
    isRecord(turn) && Array.isArray(turn["content"])
      ? { ...turn, content: turn["content"].filter((block) => getMedium(block) !== "audio") }
      : turn;
  return { ...body, messages: getTurns(body).map(silent) };
}

function getTurns(body: Body): readonly unknown[] {
  const turns = body["messages"] ?? body["input"];
  return asList(turns);
}

function getBlocks(turn: unknown): readonly unknown[] {
  const content = isRecord(turn) ? turn["content"] : null;
  return asList(content);
}

function getMedium(block: unknown): PromptMedium | null {
  if (!isRecord(block) || typeof block["type"] !== "string") return null;
  if (block["type"] === "file" && isRecord(block["file"])) return getMediumOfData(block["file"]["file_data"]);
  return BLOCKS[block["type"]] ?? null;
}

function getMediumOfData(data: unknown): PromptMedium {
  if (typeof data !== "string") return "file";
  return data.startsWith("data:audio/") ? "audio" : data.startsWith("data:image/") ? "image" : "file";
}
