import { isRecord } from "../lib/records.ts";
import type { Document } from "./translation.ts";

/**
 * Fields that a provider wants back with its reasoning, besides the text. Clients of other dialects keep them in the
 * only place that they return unchanged: the signature of Anthropic's thinking, and a reasoning item's encrypted
 * content.
 */
export interface CarriedThinking {
  /** The reasoning came in the field `reasoning`, which not every server accepts back under another name. */
  readonly isReasoning?: true;
  /** `reasoning_details` of OpenRouter and compatible servers. */
  readonly details?: readonly unknown[];
  /** Anthropic's thinking with its signatures. */
  readonly blocks?: readonly unknown[];
}

/** Prefix of our signatures; `1` is the version of the format. */
const MARK = "postern.1.";

/** @returns a text for {@link readCarried}; empty if there is nothing to carry */
export function carry(thinking: CarriedThinking): string {
  const { isReasoning, details = [], blocks = [] } = thinking;
  if (isReasoning !== true && details.length === 0 && blocks.length === 0) return "";
  const carried = {
    ...(isReasoning === true ? { isReasoning } : {}),
    ...(details.length === 0 ? {} : { details }),
    ...(blocks.length === 0 ? {} : { blocks }),
  };
  return MARK + Buffer.from(JSON.stringify(carried)).toString("base64url");
}

/** Whether a signature, or an encrypted content, was made by {@link carry}: its owner would refuse it. */
export function isCarried(text: unknown): text is string {
  return typeof text === "string" && text.startsWith(MARK);
}

/** Reads what {@link carry} wrote. Never throws; altered text yields nothing. */
export function readCarried(text: unknown): CarriedThinking {
  if (!isCarried(text)) return {};
  try {
    const decoded: unknown = JSON.parse(Buffer.from(text.slice(MARK.length), "base64url").toString());
    if (!isRecord(decoded)) return {};
    return {
      ...(decoded["isReasoning"] === true ? { isReasoning: true } : {}),
      ...(Array.isArray(decoded["details"]) ? { details: decoded["details"] } : {}),
      ...(Array.isArray(decoded["blocks"]) ? { blocks: decoded["blocks"] } : {}),
    };
  } catch {
    return {};
  }
}

/** Builds the fields of an assistant's chat message that carry this reasoning. */
export function formatThought(text: string, { isReasoning, details = [], blocks = [] }: CarriedThinking): Document {
  return {
    ...(text === "" ? {} : { [isReasoning === true ? "reasoning" : "reasoning_content"]: text }),
    ...(details.length === 0 ? {} : { reasoning_details: details }),
    ...(blocks.length === 0 ? {} : { thinking_blocks: blocks }),
  };
}

/** No carried fields. */
export const NOTHING_CARRIED: CarriedThinking = {};

/** Reads the carried fields of a chat message or of a delta. */
export function readCarriedFields(message: Document): CarriedThinking {
  const { reasoning_content: content, reasoning, reasoning_details: details, thinking_blocks: blocks } = message;
  const isReasoning = typeof content !== "string" && typeof reasoning === "string" && reasoning !== "";
  const hasDetails = Array.isArray(details) && details.length > 0;
  const hasBlocks = Array.isArray(blocks) && blocks.length > 0;
  // Most chunks of a stream have none of these fields.
  if (!isReasoning && !hasDetails && !hasBlocks) return NOTHING_CARRIED;
  return {
    ...(isReasoning ? { isReasoning } : {}),
    ...(hasDetails ? { details } : {}),
    ...(hasBlocks ? { blocks } : {}),
  };
}

/**
 * Joins the pieces of one thought: details of the same kind and index become one, as in a response that is not
 * streamed.
 */
export function joinThinking(one: CarriedThinking, other: CarriedThinking): CarriedThinking {
  const details = [...(one.details ?? [])];
  for (const detail of other.details ?? []) {
    const last = details.at(-1);
    if (isRecord(last) && isRecord(detail) && isSame(last, detail))
      details[details.length - 1] = growDetail(last, detail);
    else details.push(detail);
  }
  const blocks = [...(one.blocks ?? []), ...(other.blocks ?? [])];
  return {
    ...(one.isReasoning === true || other.isReasoning === true ? { isReasoning: true } : {}),
    ...(details.length === 0 ? {} : { details }),
    ...(blocks.length === 0 ? {} : { blocks }),
  };
}

function isSame(one: Document, other: Document): boolean {
  return one["type"] === other["type"] && one["index"] === other["index"] && one["type"] !== "reasoning.encrypted";
}

const GROWING: readonly string[] = ["text", "summary"];

function growDetail(detail: Document, piece: Document): Document {
  const whole: Record<string, unknown> = { ...detail };
  for (const [field, value] of Object.entries(piece)) {
    const before = whole[field];
    if (GROWING.includes(field) && typeof before === "string" && typeof value === "string")
      whole[field] = before + value;
    else if (value !== null && value !== undefined) whole[field] = value;
  }
  return whole;
}
