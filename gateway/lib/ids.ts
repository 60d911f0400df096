import { createHash, randomBytes, randomUUID } from "node:crypto";

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** `length` characters of base62 from the system's random source, without modulo bias. */
export function randomBase62(length: number): string {
  let text = "";
  while (text.length < length) {
    for (const byte of randomBytes(length * 2)) {
      // 248 = 4 × 62: larger bytes would make the first characters likelier.
      if (byte < 248 && text.length < length) text += BASE62[byte % 62];
    }
  }
  return text;
}

/** A request id, as `x-request-id` shows it. */
export function newRequestId(): string {
  return `req_${randomUUID()}`;
}

/** An id for a record of ours: `prefix_` and 16 characters of base62. */
export function newId(prefix: string): string {
  return `${prefix}_${randomBase62(16)}`;
}

/** A new local key: `sk-` and 48 characters of base62 (about 285 random bits). */
export function newLocalKey(): string {
  return `sk-${randomBase62(48)}`;
}

/** SHA-256 in hex, of a text in UTF-8 or of bytes. */
export function sha256(data: string | Uint8Array): string {
  return createHash("sha256").update(data).digest("hex");
}

const CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** A ULID: 48 bits of time and 80 random ones in 26 characters, so that ids sort by the moment they were made. */
export function newUlid(now: number): string {
  let time = "";
  for (let rest = Math.max(0, Math.floor(now)); time.length < 10; rest = Math.floor(rest / 32)) {
    time = `${CROCKFORD[rest % 32]}${time}`;
  }
  return time + Array.from(randomBytes(16), (byte) => CROCKFORD[byte % 32]).join("");
}
