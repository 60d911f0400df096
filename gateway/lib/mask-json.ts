import { setImmediate as nextTurn } from "node:timers/promises";
import { escapeJson } from "./masks.ts";
import type { MaskOptions, Masks } from "./masks.ts";

/** Values of the protocol: names that have to stay what they are. */
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
/** Data that is no text, if its value looks like it: arguments of tools have these names too. */
const OPAQUE: ReadonlySet<string> = new Set([
  "signature",
  "thoughtSignature",
  "thought_signature",
  "encrypted_content",
  "data",
  "b64_json",
]);
/** Base64; keys have dots, or are shorter than signatures in its form for addresses. */
const OPAQUE_VALUE = /^"(?:[A-Za-z0-9+/]{40,}={0,2}|[\w+/=-]{200,})"$/;
/** Characters that are masked in one turn of the event loop. */
const SLICE = 32 * 1024;
/** Characters on each side of a border between slices, where no secret may be: a private key of 8,192 bits has 6,400. */
const CONTEXT = 8 * 1024;
const MOST_BORDERS = 50;
/** Characters of a value from which it may be media. */
const SHORTEST_MEDIA = 10_000;
/** Characters of media that are read in one turn. */
const MEDIA_SLICE = 1024 * 1024;
const MEDIA = /^(?:data:[^,"\\]{0,200},)?(?=[\w+/=\\-]{1000})/;
/** PHP escapes slashes. */
const NOT_BASE64 = /[^\w+/=\\-]|\\(?!\/)/;

/**
 * Masks the secrets in the values of a JSON text. All other bytes stay as they are, so that a prompt that was cached
 * stays cached. Long texts are masked in slices, between which other calls run.
 * @returns the same text if it has no secret
 */
export async function maskJson(text: string, masks: Masks): Promise<string> {
  const pieces: string[] = [];
  const reasoning: { readonly place: number; readonly value: string }[] = [];
  let copied = 0;
  let field = "";
  let rested = 0;
  for (let start = text.indexOf('"'), end = 0; start >= 0; start = text.indexOf('"', end)) {
    if (start - rested > SLICE) {
      rested = start;
      await nextTurn();
    }
    end = findEnd(text, start);
    if (isName(text, end)) {
      field = text.slice(start + 1, end - 1);
      continue;
    }
    if (end - start > SHORTEST_MEDIA && (await isMedia(text, start + 1, end - 1))) continue;
    const token = text.slice(start, end);
    if (OPAQUE.has(field) && OPAQUE_VALUE.test(token)) continue;
    const value = token.includes("\\") ? parse(token) : token.slice(1, -1);
    if (value === null) continue;
    if (field === "thinking") {
      pieces.push(text.slice(copied, start), token);
      reasoning.push({ place: pieces.length - 1, value });
      copied = end;
      continue;
    }
    const withWords = !PROTOCOL.has(field) || /\s/.test(value);
    const options = { withWords, inJson: field === "arguments" };
    // Most values are short, and waiting for each would cost more than looking at it.
    const shown = value.length <= SLICE ? maskShort(value, masks, options) : await maskValue(value, masks, options);
    if (shown === null) continue;
    pieces.push(text.slice(copied, start), shown);
    copied = end;
  }
  // A provider signs its reasoning: only what was masked there comes back in it as a mask.
  for (const { place, value } of reasoning) {
    pieces[place] = (await maskValue(value, masks, { isOnlyKnown: true })) ?? pieces[place] ?? "";
  }
  return pieces.length === 0 ? text : pieces.join("") + text.slice(copied);
}

/** Masks a text that is no JSON. */
export async function maskLong(text: string, masks: Masks): Promise<string> {
  return (await maskSlices(text, masks, {}, (slice) => slice)) ?? text;
}

/** Masks the value of a JSON text that needs one slice; null if it has no secret. */
function maskShort(value: string, masks: Masks, options: MaskOptions): string | null {
  const masked = masks.mask(value, options);
  return masked === value ? null : JSON.stringify(masked);
}

/** Masks the value of a JSON text; null if it has no secret. */
async function maskValue(value: string, masks: Masks, options: MaskOptions): Promise<string | null> {
  const masked = await maskSlices(value, masks, options, escapeJson);
  return masked === null ? null : `"${masked}"`;
}

async function maskSlices(
  text: string,
  masks: Masks,
  options: MaskOptions,
  write: (slice: string) => string,
): Promise<string | null> {
  let written = "";
  let isMasked = false;
  for (let start = 0; start < text.length;) {
    const end = chooseEnd(text, start, masks);
    const slice = text.slice(start, end);
    const masked = masks.mask(slice, options);
    isMasked ||= masked !== slice;
    written += write(masked);
    start = end;
    if (start < text.length) await nextTurn();
  }
  return isMasked ? written : null;
}

/** Returns an end of a slice that is not in a secret. */
function chooseEnd(text: string, start: number, masks: Masks): number {
  if (start + SLICE >= text.length) return text.length;
  for (let longest = start + SLICE, tries = 0; longest > start && tries < MOST_BORDERS; tries++) {
    const end = findBreak(text, start, longest);
    const from = Math.max(start, end - CONTEXT);
    const secret = masks.findSecretAcross(text.slice(from, end + CONTEXT), end - from);
    if (secret === null) return end;
    longest = from + secret - 1;
  }
  return start + SLICE;
}

/** Returns the offset after the last line break or space of a slice; its end without one. */
function findBreak(text: string, start: number, longest: number): number {
  const slice = text.slice(start, longest);
  const end = slice.lastIndexOf("\n") + 1 || slice.lastIndexOf(" ") + 1;
  return end > 0 ? start + end : longest;
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

/** Whether all of a long value is base64. */
async function isMedia(text: string, start: number, end: number): Promise<boolean> {
  const head = MEDIA.exec(text.slice(start, start + 1_300));
  if (head === null) return false;
  for (let at = start + head[0].length; at < end; at += MEDIA_SLICE) {
    if (NOT_BASE64.test(text.slice(at, Math.min(end, at + MEDIA_SLICE)))) return false;
    if (end - at > MEDIA_SLICE) await nextTurn();
  }
  return true;
}

function parse(token: string): string | null {
  try {
    return JSON.parse(token) as string;
  } catch {
    return null;
  }
}
