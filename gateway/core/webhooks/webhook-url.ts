import { decryptText, encryptAlike } from "../../lib/aes-gcm.ts";

/** Separates a URL without its query from the encrypted whole URL: no webhook URL has a fragment. */
const MARK = "#aes:";

/**
 * Returns the stored form of a webhook URL. A URL with a query is encrypted, because the query may be a token; the
 * encryption is deterministic, so that receivers can be compared.
 * @param key 32 bytes
 */
export function encryptUrl(url: string, key: Buffer): string {
  const query = url.indexOf("?");
  if (query < 0) return url;
  return url.slice(0, query) + MARK + encryptAlike(url, key).join(":");
}

/** Returns the URL of a record; null if another key encrypted it. */
export function decryptUrl(stored: string, key: Buffer): string | null {
  const [, encrypted] = stored.split(MARK, 2);
  if (encrypted === undefined) return stored;
  const [iv = "", text = "", tag = ""] = encrypted.split(":");
  return decryptText(iv, text, tag, key);
}

export const isEncryptedUrl = (stored: string): boolean => stored.includes(MARK);

/** Returns the URL of a record for display: without its query if that is encrypted. */
export const showUrl = (stored: string): string => stored.split(MARK, 1)[0] ?? "";
