import { isRecord } from "../../lib/records.ts";

/** Finds non-text content in a prompt, in any dialect and at any depth, also in tool results. */

type Fields = Readonly<Record<string, unknown>>;

export interface PromptContents {
  readonly pictures: boolean;
  readonly files: boolean;
}

const WORDS_ALONE: PromptContents = { pictures: false, files: false };

/**
 * Visits each block of a conversation once, and stops when all kinds are found. All turns count, because a model
 * without vision cannot take earlier pictures either.
 */
export function getContents(body: Fields): PromptContents {
  const turns = body["messages"] ?? body["input"];
  if (!Array.isArray(turns)) return WORDS_ALONE;
  let found: Found | null = null;
  for (let index = 0; index < turns.length; index += 1) {
    const turn: unknown = turns[index];
    if (!isRecord(turn)) continue;
    const { content, output } = turn;
    if (typeof content !== "object" && typeof output !== "object") continue;
    found ??= { pictures: false, files: false };
    look(content, found);
    // Results of functions and of computer use, in the Responses dialect.
    look(output, found);
    if (found.pictures && found.files) break;
  }
  return found ?? WORDS_ALONE;
}

interface Found {
  pictures: boolean;
  files: boolean;
}

/** @param content blocks, or a block. The depth of bodies was limited before (core/json-depth.ts). */
function look(content: unknown, found: Found): void {
  if (Array.isArray(content)) {
    for (const block of content as readonly unknown[]) if (isRecord(block)) collectBlock(block, found);
  } else if (isRecord(content)) collectBlock(content, found);
}

function collectBlock(block: Fields, found: Found): void {
  switch (block["type"]) {
    // Chat; Responses; Anthropic; Responses' results of computer use.
    case "image_url":
    case "input_image":
    case "image":
    case "computer_screenshot":
      found.pictures = true;
      return;
    case "input_file":
    case "container_upload":
      found.files = true;
      return;
    case "file":
      lookAtFile(block, found);
      return;
    case "document":
      lookAtDocument(block["source"], found);
      return;
    case "tool_result":
      look(block["content"], found);
      return;
    default:
  }
}

/** The chat API's file part, which some clients use for pictures and audio. */
function lookAtFile({ file }: Fields, found: Found): void {
  const data = isRecord(file) ? file["file_data"] : null;
  if (typeof data !== "string") found.files = true;
  else if (data.startsWith("data:image/")) found.pictures = true;
  else if (!data.startsWith("data:audio/")) found.files = true;
}

/** Anthropic's document: inline content is text, and may include pictures. */
function lookAtDocument(source: unknown, found: Found): void {
  const type = isRecord(source) ? source["type"] : null;
  if (type === "content" && isRecord(source)) look(source["content"], found);
  else if (type !== "text") found.files = true;
}
