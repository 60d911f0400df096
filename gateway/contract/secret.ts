import * as z from "zod";

/** Zero-width characters, marks of direction, soft hyphens and byte order marks, as web pages and chats put them in. */
const INVISIBLE = /[\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF]/g;
const QUOTED = /^(["'`“”‘’])(.*)["'`“”‘’]$/s;
const SCHEME = /^(authorization:\s*)?bearer\s+/i;

/** A key as its provider gave it out: without spaces around it, quotes, `Bearer` in front and invisible characters. */
export function cleanSecret(text: string): string {
  let cleaned = text.replace(INVISIBLE, "").trim();
  for (let before = ""; before !== cleaned;) {
    before = cleaned;
    cleaned = cleaned.replace(QUOTED, "$2").replace(SCHEME, "").trim();
  }
  return cleaned;
}

/** Tells whether a key is valid in a header: only visible ASCII characters. */
export const isPlainSecret = (secret: string): boolean => /^[!-~]*$/.test(secret);

/** Message for a key with other characters. */
export const SECRET_FORM =
  "a key has no spaces, line breaks or characters other than ASCII's: copy it again from its provider's page";

/** Text of a key, cleaned. */
export const getSecretSchema = (most: number) =>
  z.string().overwrite(cleanSecret).min(1).max(most).refine(isPlainSecret, SECRET_FORM);
