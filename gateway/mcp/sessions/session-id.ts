import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { isRecord } from "../../lib/records.ts";

/** What a session's id remembers: enough to make the session again after it was forgotten. */
export interface SessionFacts {
  /** Unix milliseconds. */
  readonly issuedAt: number;
  /** The revision that client and server agreed on. */
  readonly protocolVersion: string;
  /** What the client said in its `initialize`, as far as it fits. */
  readonly capabilities: Record<string, unknown>;
  readonly client: { readonly name: string; readonly version: string };
}

/** A change of the payload gets another number: ids of the old form are then unknown. */
const FORM = 1;
/** Bytes of JSON. The capabilities of today's clients have around 100. */
const MOST_CAPABILITIES = 256;
const MOST_NAME = 64;
const MOST_VERSION = 32;
/** Far above the longest that is made here: nothing longer is looked at. */
const MOST_ID = 2_048;
const SHAPE = /^[\w-]{22}\.[\w-]+\.[\w-]{43}$/;

/**
 * Makes and reads session ids: `<128 random bits>.<payload>.<HMAC-SHA256>`, each in base64url. Because an id holds what
 * the client said at the beginning, sessions survive a restart: most clients do not begin again when theirs is unknown.
 * Anyone who has an id can read its payload; nothing in it is secret. It is bound to the key that began the session, and is
 * no proof of who sends it: keys are.
 */
export class SessionIds {
  readonly #secretOf: (keyId: string) => Buffer;

  /** @param secretOf 32 bytes for a key; ids made with others are unknown */
  constructor(secretOf: (keyId: string) => Buffer) {
    this.#secretOf = secretOf;
  }

  mint(keyId: string, facts: SessionFacts): string {
    const { issuedAt, protocolVersion, capabilities, client } = facts;
    const payload = JSON.stringify([
      FORM,
      issuedAt,
      protocolVersion.slice(0, MOST_VERSION),
      bounded(capabilities),
      client.name.slice(0, MOST_NAME),
      client.version.slice(0, MOST_VERSION),
    ]);
    const signed = `${randomBytes(16).toString("base64url")}.${Buffer.from(payload).toString("base64url")}`;
    return `${signed}.${this.#sign(keyId, signed)}`;
  }

  /** Null when the id was not made here for this key, or not in today's form. */
  read(keyId: string, id: string): SessionFacts | null {
    if (id.length > MOST_ID || !SHAPE.test(id)) return null;
    const end = id.lastIndexOf(".");
    const signed = id.slice(0, end);
    // Compared as texts: several texts of base64url stand for the same bytes, and only one of them was made here.
    if (!timingSafeEqual(Buffer.from(id.slice(end + 1)), Buffer.from(this.#sign(keyId, signed)))) return null;
    return factsOf(Buffer.from(signed.slice(signed.indexOf(".") + 1), "base64url").toString());
  }

  #sign(keyId: string, signed: string): string {
    const text = JSON.stringify(["mcp-session", keyId, signed]);
    return createHmac("sha256", this.#secretOf(keyId)).update(text).digest("base64url");
  }
}

/** What was signed here has the shape that was written here, of this or of another form. */
function factsOf(payload: string): SessionFacts | null {
  const fields = JSON.parse(payload) as unknown[];
  if (fields[0] !== FORM) return null;
  const [, issuedAt, protocolVersion, capabilities, name, version] = fields as [
    number,
    number,
    string,
    Record<string, unknown>,
    string,
    string,
  ];
  return { issuedAt, protocolVersion, capabilities, client: { name, version } };
}

/** Without what clients add of their own if that is too long, and empty if the rest is too long as well. */
function bounded(capabilities: Record<string, unknown>): Record<string, unknown> {
  if (fits(capabilities)) return capabilities;
  const { experimental: _, extensions: __, ...standard } = capabilities;
  return fits(standard) ? standard : shallow(standard);
}

/** Names alone: `{}` for each capability, which says that it is there. */
function shallow(capabilities: Record<string, unknown>): Record<string, unknown> {
  const names = Object.keys(capabilities).filter((name) => isRecord(capabilities[name]));
  const bare = Object.fromEntries(names.map((name) => [name, {}]));
  return fits(bare) ? bare : {};
}

function fits(value: unknown): boolean {
  return Buffer.byteLength(JSON.stringify(value)) <= MOST_CAPABILITIES;
}
