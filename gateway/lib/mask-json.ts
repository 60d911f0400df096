import { setImmediate as nextTurn } from "node:timers/promises";
import type { Masks } from "./masks.ts";

/** Values of the protocol: names that have to stay what they are, and data that is no text. */
const PROTOCOL: ReadonlySet<string> = new Set([
  "model",
  "role",
  "type",
  "id",
  "call_id",
  "item_id",
  "tool_call_id",
  "tool_use_id",
  "previous_response_id",
  "required",
  "format",
  "media_type",
  "mime_type",
  "mimeType",
  "status",
  "effort",
  "service_tier",
]);
const OPAQUE: ReadonlySet<string> = new Set([
  "signature",
  "thoughtSignature",
  "thought_signature",
  "encrypted_content",
  "data",
  "b64_json",
]);
/** Characters that are masked in one turn of the event loop. */
const SLICE = 256 * 1024;
const MEDIA = /^"(?:data:[^,"]{0,200},)?[A-Za-z0-9+/_=-]{1000}/;

/**
 * Masks the secrets in the values of a JSON text. All other bytes stay as they are, so that a prompt that was cached
 * stays cached. Long texts are masked in slices, between which other calls run.
 * @returns the same text if it has no secret
 */
export async function maskJson(text: string, masks: Masks): Promise<string> {
  const isScannedWhole = masks.hasEscapedForms && text.includes("\\u");
  let hint = masks.findHint(text);
  if (hint === text.length && !isScannedWhole) return text;
  let masked = "";
  let copied = 0;
  let field = "";
  let worked = 0;
  for (let start = text.indexOf('"'), end = 0; start >= 0; start = text.indexOf('"', end)) {
    end = findEnd(text, start);
    if (isName(text, end)) {
      field = text.slice(start + 1, end - 1);
      continue;
    }
    if (hint < start) hint = masks.findHint(text, start);
    if (hint === text.length && !isScannedWhole) break;
    const isHinted = hint < end || (isScannedWhole && text.slice(start, end).includes("\\u"));
    if (!isHinted || OPAQUE.has(field) || isMedia(text, start, end)) continue;
    const value = parse(text.slice(start, end));
    if (value === null) continue;
    worked += value.length;
    const shown = value.length > SLICE ? await maskLong(value, masks) : masks.mask(value, !PROTOCOL.has(field));
    if (worked > SLICE) {
      worked = 0;
      await nextTurn();
    }
    if (shown === value) continue;
    masked += text.slice(copied, start) + JSON.stringify(shown);
    copied = end;
  }
  return masked + text.slice(copied);
}

/** Masks a text that is no JSON. */
export async function maskLong(text: string, masks: Masks): Promise<string> {
  if (text.length <= SLICE) return masks.mask(text);
  let masked = "";
  for (let start = 0; start < text.length;) {
    const end = chooseEnd(text, start);
    masked += masks.mask(text.slice(start, end));
    start = end;
    await nextTurn();
  }
  return masked;
}

/** Returns an end of a slice at a line break or a space, which no secret contains. */
function chooseEnd(text: string, start: number): number {
  const longest = start + SLICE;
  if (longest >= text.length) return text.length;
  const line = text.lastIndexOf("\n", longest);
  if (line > start) return line + 1;
  const space = text.lastIndexOf(" ", longest);
  return space > start ? space + 1 : longest;
}

/** Returns the offset after the closing quote. */
function findEnd(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(quote - 1 - backslashes) === 0x5c) backslashes += 1;
    if (backslashes % 2 === 0) return quote + 1;
  }
  return text.length;
}

function isName(text: string, end: number): boolean {
  let at = end;
  while (at < text.length && text.charCodeAt(at) <= 0x20) at += 1;
  return text.charCodeAt(at) === 0x3a;
}

function isMedia(text: string, start: number, end: number): boolean {
  return end - start > 10_000 && MEDIA.test(text.slice(start, start + 1_300));
}

function parse(token: string): string | null {
  try {
    return JSON.parse(token) as string;
  } catch {
    return null;
  }
}
