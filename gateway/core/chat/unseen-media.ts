import { isRecord, mapItems } from "../../lib/records.ts";

/**
 * Pictures and files in a chat prompt, for models that take none: their places in each client dialect, including tool
 * results, and their replacement by text.
 */

type Fields = Readonly<Record<string, unknown>>;

/** Dialects of clients; they carry the same content in differently named blocks. */
export type PromptDialect = "chat" | "messages" | "responses";

/** The media that a model does not take. */
export interface Untaken {
  readonly pictures: boolean;
  /** PDF and other files. */
  readonly files: boolean;
}

/** A picture or a file in a prompt. */
export interface UnseenMedium {
  readonly kind: "picture" | "file";
  /**
   * Data URL with the medium itself, or its URL. Null if it is only referenced by an id, which only the provider that
   * stores it can resolve.
   */
  readonly url: string | null;
  /** The client's name for a file. */
  readonly name: string | null;
}

/** Finds media in order of appearance. @param body checked by its dialect; its depth is limited (core/json-depth.ts). */
export function unseenMedia(dialect: PromptDialect, body: Fields, untaken: Untaken): readonly UnseenMedium[] {
  const found: UnseenMedium[] = [];
  mapMedia(dialect, body, untaken, (medium) => {
    found.push(medium);
    return null;
  });
  return found;
}

/**
 * Returns the body with a text in place of each medium; everything else is unchanged.
 * @param words one text per medium found by `unseenMedia`, in the same order.
 */
export function withWords(dialect: PromptDialect, body: Fields, untaken: Untaken, words: readonly string[]): Fields {
  let next = 0;
  return mapMedia(dialect, body, untaken, () => words[next++] ?? null);
}

/** @param map returns the replacement of a medium; null: unchanged */
function mapMedia(
  dialect: PromptDialect,
  body: Fields,
  untaken: Untaken,
  map: (medium: UnseenMedium) => string | null,
): Fields {
  const textType = dialect === "responses" ? "input_text" : "text";
  const each = (block: Fields): Fields => {
    if (block["type"] === "tool_result") return mapItems(block, "content", each);
    const { source } = block;
    // Anthropic's document may contain text and pictures.
    if (block["type"] === "document" && isRecord(source) && source["type"] === "content") {
      const mapped = mapItems(source, "content", each);
      return mapped === source ? block : { ...block, source: mapped };
    }
    const medium = getMedium(block);
    if (medium === null || !(medium.kind === "picture" ? untaken.pictures : untaken.files)) return block;
    const text = map(medium);
    if (text === null) return block;
    // The cache mark of the replaced block is kept.
    const cache = block["cache_control"];
    return { type: textType, text, ...(cache === undefined ? {} : { cache_control: cache }) };
  };
  return dialect === "responses"
    ? mapItems(body, "input", (item) => mapItems(mapItems(item, "content", each), "output", each))
    : mapItems(body, "messages", (turn) => mapItems(turn, "content", each));
}

function getMedium(block: Fields): UnseenMedium | null {
  switch (block["type"]) {
    // Chat, where some clients omit the object around the URL; Responses.
    case "image_url":
    case "input_image": {
      const image = block["image_url"];
      return getPicture(getText(isRecord(image) ? image["url"] : image));
    }
    case "image":
      return getPicture(getSourceUrl(block["source"], "image/png"));
    case "file":
      return isRecord(block["file"]) ? getChatFile(block["file"]) : null;
    case "input_file":
      return getFile(getFileUrl(block["file_data"]) ?? getText(block["file_url"]), block["filename"]);
    case "document": {
      // The document's source is plain text, not a medium.
      if (isRecord(block["source"]) && block["source"]["type"] === "text") return null;
      return getFile(getSourceUrl(block["source"], "application/pdf"), block["title"]);
    }
    default:
      return null;
  }
}

const getPicture = (url: string | null): UnseenMedium => ({ kind: "picture", url, name: null });
const getFile = (url: string | null, name: unknown): UnseenMedium => ({ kind: "file", url, name: getText(name) });

/** The chat API's file part, which some clients use for pictures and audio. */
function getChatFile({ file_data: data, filename }: Fields): UnseenMedium | null {
  if (typeof data === "string" && data.startsWith("data:image/")) return getPicture(data);
  if (typeof data === "string" && data.startsWith("data:audio/")) return null;
  return getFile(getFileUrl(data), filename);
}

/** Reads a file's data, for which some clients send a URL, and some the bare base64 of a PDF. */
function getFileUrl(data: unknown): string | null {
  if (typeof data !== "string" || data === "") return null;
  return /^(?:data|https?):/i.test(data) ? data : `data:application/pdf;base64,${data}`;
}

/** Anthropic's `source`: base64, an address, or an id of its Files API. */
function getSourceUrl(source: unknown, usualType: string): string | null {
  if (!isRecord(source)) return null;
  const data = getText(source["data"]);
  if (data === null) return getText(source["url"]);
  return `data:${getText(source["media_type"]) ?? usualType};base64,${data}`;
}

function getText(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
