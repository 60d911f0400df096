import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/** Facts in a session's id: enough to make the session again after it was forgotten. */
export interface SessionFacts {
  /** Unix milliseconds. */
  readonly issuedAt: number;
  /** The revision that client and server agreed on. */
  readonly protocolVersion: string;
}

/** A change of the payload gets another number: ids of the old form are then unknown. */
const FORM = 1;
/** Max characters of an id that is parsed, far above those created here. */
const MAX_ID = 2_048;
const SHAPE = /^[\w-]{22}\.[\w-]+\.[\w-]{43}$/;

/**
 * Makes and reads session ids: `<128 random bits>.<payload>.<HMAC-SHA256>`, each in base64url. An id contains the
 * session's initial facts, so that sessions survive a restart: most clients do not start over if theirs is unknown. The
 * payload is readable by any holder and not secret. An id is bound to the key of its session, and does not replace
 * authentication by key.
 */
export class SessionIds {
  readonly #secretOf: (keyId: string) => Buffer;

  /** @param secretOf 32 bytes for a key; ids made with others are unknown */
  constructor(secretOf: (keyId: string) => Buffer) {
    this.#secretOf = secretOf;
  }

  /** @param facts with a revision that the server supports */
  mint(keyId: string, { issuedAt, protocolVersion }: SessionFacts): string {
    const payload = Buffer.from(JSON.stringify([FORM, issuedAt, protocolVersion])).toString("base64url");
    const signed = `${randomBytes(16).toString("base64url")}.${payload}`;
    return `${signed}.${this.#sign(keyId, signed)}`;
  }

  /** Null when the id was not made here for this key, or not in today's form. */
  read(keyId: string, id: string): SessionFacts | null {
    if (id.length > MAX_ID || !SHAPE.test(id)) return null;
    const end = id.lastIndexOf(".");
    const signed = id.slice(0, end);
    // Compared as text: several base64url texts decode to the same bytes, and only one of them was created here.
    if (!timingSafeEqual(Buffer.from(id.slice(end + 1)), Buffer.from(this.#sign(keyId, signed)))) return null;
    const payload = Buffer.from(signed.slice(signed.indexOf(".") + 1), "base64url").toString();
    // Ids of earlier versions have more fields after these.
    const [form, issuedAt, protocolVersion] = JSON.parse(payload) as readonly [number, number, string];
    return form === FORM ? { issuedAt, protocolVersion } : null;
  }

  #sign(keyId: string, signed: string): string {
    const text = JSON.stringify(["mcp-session", keyId, signed]);
    return createHmac("sha256", this.#secretOf(keyId)).update(text).digest("base64url");
  }
}
