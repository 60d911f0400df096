import { GatewayError } from "../../core/errors.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Change, StoredWebhookSecret } from "../../store/document.ts";
import type { Commit } from "../../store/record-changes.ts";
import type { Store } from "../../store/store.ts";
import type { Notices } from "../notices.ts";
import { randomBytes } from "node:crypto";
import { Webhook } from "standardwebhooks";

/** Milliseconds for which an earlier secret still signs, so that receivers can be given the new one. */
const OVERLAP_MS = 24 * 60 * 60 * 1_000;
/** Max earlier secrets, rotated within a day, that still sign: each is one more signature in a header. */
const MOST_EARLIER = 4;

export interface WebhookSecretsDeps {
  readonly store: Pick<Store, "document" | "transact" | "secrets">;
  readonly clock: Clock;
  readonly notices: Pick<Notices, "add">;
  /** POSTERN_WEBHOOK_SECRET, validated; it overrides the stored secret. */
  readonly fromEnvironment: string | null;
}

interface OpenSecret {
  readonly record: StoredWebhookSecret;
  readonly value: string;
}

const holds = ({ signs_until: until }: StoredWebhookSecret): boolean => until === null;

/** Manages the secrets that sign webhooks: made once, encrypted at rest, rotated with an overlap. Never logged. */
export class WebhookSecrets {
  readonly #deps: WebhookSecretsDeps;

  constructor(deps: WebhookSecretsDeps) {
    this.#deps = deps;
  }

  get fromEnvironment(): boolean {
    return this.#deps.fromEnvironment !== null;
  }

  /** Unix milliseconds until which an earlier secret also signs; null if none does. */
  get previousUntil(): number | null {
    if (this.fromEnvironment) return null;
    return this.#earlier()[0]?.record.signs_until ?? null;
  }

  /**
   * Returns the current secret, which is created on the first call.
   * @throws GatewayError storage_unavailable while secrets cannot be decrypted
   */
  async current(): Promise<string> {
    const { fromEnvironment } = this.#deps;
    if (fromEnvironment !== null) return fromEnvironment;
    return (
      this.#holding() ?? (await this.#runExclusive(async (commit) => this.#holding() ?? (await this.#make(commit))))
    ).value;
  }

  /** Returns all signing secrets, the current one first. @throws as `current` */
  async signing(): Promise<readonly string[]> {
    const current = await this.current();
    return this.fromEnvironment ? [current] : [current, ...this.#earlier().map(({ value }) => value)];
  }

  /**
   * Creates a new secret; the earlier one also signs for 24 hours, if it can be decrypted.
   * @throws GatewayError conflict if the environment sets the secret
   */
  async rotate(): Promise<void> {
    if (this.fromEnvironment) {
      throw new GatewayError(
        "conflict",
        "The webhook secret is set by POSTERN_WEBHOOK_SECRET. Change it there and start Postern again, or remove it there to rotate it here.",
      );
    }
    await this.#runExclusive((commit) => this.#make(commit));
  }

  async #make(commit: Commit): Promise<OpenSecret> {
    const { store, clock, notices } = this.#deps;
    const records = [...store.document.webhook_secrets.values()];
    const holding = this.#open(holds)[0];
    const now = clock.now();
    const earlier = this.#earlier().slice(0, holding === undefined ? MOST_EARLIER : MOST_EARLIER - 1);
    const retainedIds = new Set(earlier.map(({ record }) => record.id));
    const changes: Change[] = [];
    if (holding !== undefined) {
      retainedIds.add(holding.record.id);
      const record = { ...holding.record, signs_until: now + OVERLAP_MS };
      changes.push({ op: "put", in: "webhook_secrets", record });
    }
    const gone = records.filter(({ id }) => !retainedIds.has(id)).map(({ id }) => id);
    for (const id of gone) changes.push({ op: "delete", in: "webhook_secrets", id });
    const value = newWebhookSecret();
    const record = { id: await store.secrets.add(value), created_at: now, signs_until: null };
    await commit([...changes, { op: "put", in: "webhook_secrets", record }]);
    // When the disk refuses this, they stay in the secrets file, encrypted, and nothing names them.
    await store.secrets.remove(gone).catch(() => undefined);
    if (holding === undefined && records.some(({ signs_until }) => signs_until === null)) {
      notices.add(
        "warning",
        "The webhook secret could not be read and a new one was made. Give it to the receivers of your webhooks.",
      );
    }
    return { record, value };
  }

  /** Returns the current secret, if it can be decrypted. @throws GatewayError storage_unavailable */
  #holding(): OpenSecret | undefined {
    const holding = this.#open(holds)[0];
    if (holding === undefined) this.#refuseLocked();
    return holding;
  }

  /** Returns the earlier secrets that still sign, latest expiry first. */
  #earlier(): readonly OpenSecret[] {
    const now = this.#deps.clock.now();
    return this.#open(({ signs_until }) => signs_until !== null && signs_until > now);
  }

  #open(which: (record: StoredWebhookSecret) => boolean): readonly OpenSecret[] {
    const { document, secrets } = this.#deps.store;
    return [...document.webhook_secrets.values()]
      .filter(which)
      .toSorted((a, b) => (b.signs_until ?? b.created_at) - (a.signs_until ?? a.created_at))
      .flatMap((record) => {
        const value = secrets.get(record.id);
        return value === undefined ? [] : [{ record, value }];
      });
  }

  #refuseLocked(): void {
    const { locked } = this.#deps.store.secrets;
    if (locked !== null) throw new GatewayError("storage_unavailable", locked);
  }

  /** Making and rotating go one after another. */
  #runExclusive<T>(work: (commit: Commit) => Promise<T>): Promise<T> {
    return this.#deps.store.transact([{ in: "webhook_secrets" }], work);
  }
}

const PREFIX = "whsec_";
const LEAST_BYTES = 24;
const MOST_BYTES = 64;
const OWN_BYTES = 32;

/** Whether it is `whsec_` and the base64 of 24 to 64 bytes (Standard Webhooks 1.0), padded and without white space. */
export function isWebhookSecret(text: string): boolean {
  if (!text.startsWith(PREFIX)) return false;
  const encoded = text.slice(PREFIX.length);
  const key = Buffer.from(encoded, "base64");
  // Node's decoder ignores invalid base64, so the value is valid only if it encodes to itself again.
  return key.toString("base64") === encoded && key.length >= LEAST_BYTES && key.length <= MOST_BYTES;
}

/** `whsec_` and 32 random bytes. */
export const newWebhookSecret = (): string => `${PREFIX}${randomBytes(OWN_BYTES).toString("base64")}`;

/** The signed content. The payload is sent as exactly these characters in UTF-8. */
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
