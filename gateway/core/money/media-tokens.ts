import { readPicture } from "../media/picture-type.ts";

/**
 * Counts the max tokens of pictures, audio and documents in a prompt, by the providers' documentation. A medium given
 * by URL or id can be as large as the provider accepts.
 */

/** How a model's owner counts pictures: a base plus a figure per square of 28 pixels, up to a max. */
interface PictureRule {
  readonly most: number;
  /** Absent if all count as the largest. */
  readonly bySize?: { readonly each: number; readonly perSquare: number };
}

const SQUARE = 28;

/**
 * OpenAI: up to 2.46 tokens per 32-pixel square, and 10,000 such squares at 1.2 for pictures at original size; or up to
 * 85 plus 170 per 512-pixel square. Anthropic: 28-pixel squares, up to 2,576 pixels per side. Google: up to 2,240 each,
 * whatever their size. xAI: 256 for each of up to 7 tiles. Qwen: 28-pixel squares, up to 16,384.
 */
const PICTURES: Readonly<Record<string, PictureRule>> = {
  openai: { most: 12_000, bySize: { each: 300, perSquare: 2.46 } },
  anthropic: { most: 4_784, bySize: { each: 5, perSquare: 1 } },
  google: { most: 2_240 },
  xai: { most: 1_792 },
  dashscope: { most: 16_384, bySize: { each: 5, perSquare: 1 } },
};
/** Others cut pictures into tiles of their own, with up to 16 pixels square for a token. */
const OTHER_PICTURES: PictureRule = { most: 16_384, bySize: { each: 1_600, perSquare: 3.1 } };
/** gpt-4o-mini counts 2,833 plus 5,667 for each of up to 8 tiles, so that pictures cost the same as at gpt-4o. */
const DEAR_PICTURES: PictureRule = { most: 48_200 };
const HAS_DEAR_PICTURES = /^(?:openai\/)?gpt-4o-mini/;

/** Enough of a picture in base64 to find its size in. */
const HEAD_CHARACTERS = 87_380;
const DATA_URL = /^data:[^,]{0,200},/;

/**
 * @param owner of the model; null where that is not known. @param model the provider's name for it.
 * @param data base64 or a data URL; anything else is an address.
 */
export function mostPictureTokens(owner: string | null, model: string, data: unknown): number {
  const { most, bySize } = HAS_DEAR_PICTURES.test(model) ? DEAR_PICTURES : (PICTURES[owner ?? ""] ?? OTHER_PICTURES);
  if (bySize === undefined) return most;
  const size = readSize(data);
  if (size === null) return most;
  const squares = Math.ceil(size.width / SQUARE) * Math.ceil(size.height / SQUARE);
  return Math.min(most, Math.ceil(bySize.each + bySize.perSquare * squares));
}

function readSize(data: unknown): { readonly width: number; readonly height: number } | null {
  if (typeof data !== "string") return null;
  const start = DATA_URL.exec(data)?.[0].length ?? 0;
  return readPicture(Buffer.from(data.slice(start, start + HEAD_CHARACTERS), "base64"));
}

/** Base64 characters of a token of sound: 32 tokens a second at Google, of sound packed to 6 kbit/s, and half as many. */
const BASE64_PER_SOUND_TOKEN = 16;
/** A second of each: nothing is shorter. */
const SHORTEST_SOUND = 100;

export function mostSoundTokens(data: string): number {
  return SHORTEST_SOUND + Math.ceil(data.length / BASE64_PER_SOUND_TOKEN);
}

/** Text of a page, and its picture: Anthropic names 3,000 tokens and a picture, others less. */
const TEXT_PER_PAGE = 3_000;
const PER_PAGE = TEXT_PER_PAGE + 4_784;
const BYTES_PER_BASE64 = 0.75;

/**
 * Returns one token per byte, as for unknown text, plus the cost of each listed page; at least one page. A PDF with a
 * compressed page tree lists no pages, but has few for its size.
 */
export function mostDocumentTokens(data: string): number {
  const bytes = Buffer.from(data.slice(DATA_URL.exec(data)?.[0].length ?? 0), "base64");
  let pages = 0;
  for (let at = bytes.indexOf(PAGE); at >= 0; at = bytes.indexOf(PAGE, at + PAGE.length)) pages += 1;
  return Math.ceil(data.length * BYTES_PER_BASE64) + Math.max(1, pages) * PER_PAGE;
}

const PAGE = Buffer.from("/Page");

/**
 * Returns max pages times tokens per page for a document given by URL or id. Anthropic: 100 pages, 600 with a context
 * of a million tokens; Google: 1,000 pages of 258 tokens
 * (https://platform.claude.com/docs/en/build-with-claude/pdf-support,
 * https://ai.google.dev/gemini-api/docs/document-processing, 2026-11-28). Others document no bound: a hundred pages are
 * assumed.
 */
export function mostLinkedDocumentTokens(owner: string | null, context: number): number {
  if (owner === "google") return Math.min(context, 1_000 * 258);
  const pages = owner === "anthropic" && context >= 1_000_000 ? 600 : 100;
  return Math.min(context, pages * TEXT_PER_PAGE);
}
