import { createHash, randomBytes, randomFillSync } from "node:crypto";

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/**
 * Returns `length` base62 characters from the system's random source, without modulo bias.
 * @param takeBytes `randomBytes` for a secret, whose bytes must not stay in a pool
 */
export function randomBase62(length: number, takeBytes: (size: number) => Uint8Array = takeRandom): string {
  let text = "";
  while (text.length < length) {
    for (const byte of takeBytes(length * 2)) {
      // 248 = 4 × 62: larger bytes would make the first characters likelier.
      if (byte < 248 && text.length < length) text += BASE62[byte % 62];
    }
  }
  return text;
}

const HEX = Buffer.from("0123456789abcdef", "latin1");
/** Template of a version 4 UUID (RFC 9562, 5.4), whose random digits are overwritten. */
const requestId = Buffer.from("req_00000000-0000-4000-8000-000000000000", "latin1");
const random = Buffer.allocUnsafeSlow(2_048);
let used = random.length;

/** Reserves random bytes of the pool, and returns their offset. */
function reserveRandom(size: number): number {
  if (used + size > random.length) {
    randomFillSync(random);
    used = 0;
  }
  used += size;
  return used - size;
}

/** Pooled random bytes for ids: separate system calls take a quarter of a second for 20,000 ids. */
function takeRandom(size: number): Uint8Array {
  const start = reserveRandom(size);
  return random.subarray(start, start + size);
}

/**
 * A request id, as `x-request-id` shows it: `req_` and a UUID. Each request has one, and Node's `randomUUID` makes some
 * twenty strings on the way to it.
 */
export function newRequestId(): string {
  const start = reserveRandom(16);
  let at = 4;
  for (let index = 0; index < 16; index += 1) {
    const byte = random[start + index] as number;
    // The dashes come after 4, 6, 8 and 10 bytes.
    if (index === 4 || index === 6 || index === 8 || index === 10) at += 1;
    // The version and the variant are parts of these two digits.
    const high = index === 6 ? 4 : index === 8 ? 8 | ((byte >> 4) & 3) : byte >> 4;
    requestId[at] = HEX[high] as number;
    requestId[at + 1] = HEX[byte & 15] as number;
    at += 2;
  }
  return requestId.toString("latin1");
}

/** An id for a record of ours: `prefix_` and 16 characters of base62. */
export function newId(prefix: string): string {
  return `${prefix}_${randomBase62(16)}`;
}

/** A new local key: `sk-` and 48 characters of base62 (about 285 random bits). */
export function newLocalKey(): string {
  return `sk-${randomBase62(48, randomBytes)}`;
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
