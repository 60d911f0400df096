import type { KnownSecrets } from "../../lib/known-secrets.ts";
import { redactJson } from "../../lib/redact.ts";
import { omitMedia } from "./omit-media.ts";

export interface StoredText {
  readonly text: string;
  readonly cut: boolean;
  readonly redacted: boolean;
  readonly omitted: number;
}

/** Returns the stored part of a body: without media and apparent secrets, at most this many bytes of the rest. */
export function createStoredText(sent: Buffer, most: number, secrets: KnownSecrets): StoredText {
  const { bytes, omitted } = omitMedia(sent);
  const cut = bytes.length > most;
  const text = cut ? getText(bytes.subarray(0, most)) : bytes.toString("utf8");
  const clean = redactJson(text, (value) => secrets.cleanText(value));
  return { text: clean, cut, redacted: clean !== text, omitted };
}

/** Drops a character that was cut at the end. */
function getText(bytes: Buffer): string {
  return bytes.toString("utf8").replace(/\uFFFD$/, "");
}

/**
 * Redacts apparent keys in the pieces of one text, also across pieces: those are joined, and the following ones left
 * empty.
 */
export function redactPieces(
  pieces: readonly string[],
  secrets: KnownSecrets,
): {
  readonly pieces: readonly string[];
  readonly redacted: boolean;
} {
  const known = (value: string): string => secrets.cleanText(value);
  const whole = pieces.join("");
  const clean = redactJson(whole, known);
  if (clean === whole) return { pieces, redacted: false };
  const each = pieces.map((piece) => redactJson(piece, known));
  if (each.join("") === clean) return { pieces: each, redacted: true };
  return { pieces: [clean, ...pieces.slice(1).map(() => "")], redacted: true };
}
