import { randomBytes } from "node:crypto";
import { Webhook } from "standardwebhooks";

const PREFIX = "whsec_";
const LEAST_BYTES = 24;
const MOST_BYTES = 64;
const OWN_BYTES = 32;

/** Whether it is `whsec_` and the base64 of 24 to 64 bytes (Standard Webhooks 1.0), padded and without white space. */
export function isWebhookSecret(text: string): boolean {
  if (!text.startsWith(PREFIX)) return false;
  const encoded = text.slice(PREFIX.length);
  const key = Buffer.from(encoded, "base64");
  // Node's decoder passes over what is no base64; only what encodes to the same again was.
  return key.toString("base64") === encoded && key.length >= LEAST_BYTES && key.length <= MOST_BYTES;
}

/** `whsec_` and 32 random bytes. */
export const newWebhookSecret = (): string => `${PREFIX}${randomBytes(OWN_BYTES).toString("base64")}`;

/** What is signed. The payload is sent as exactly these characters in UTF-8. */
export interface SignedMessage {
  readonly id: string;
  /** Unix seconds of this attempt. */
  readonly timestamp: number;
  readonly payload: string;
}

/**
 * The headers of Standard Webhooks 1.0: HMAC-SHA256 over `id.timestamp.payload`, one `v1,<base64>` for each secret.
 * @throws Error for no secret, and for one that is too short to protect anything
 */
export function webhookHeaders(message: SignedMessage, secrets: readonly string[]): Record<string, string> {
  if (secrets.length === 0) throw new Error("there is no webhook secret to sign with");
  const { id, timestamp, payload } = message;
  const signatures = secrets.map((secret) => {
    if (!isWebhookSecret(secret)) throw new Error("the webhook secret is not whsec_ and the base64 of 24 to 64 bytes");
    return new Webhook(secret).sign(id, new Date(timestamp * 1_000), payload);
  });
  return {
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": signatures.join(" "),
  };
}
