import { createHash, timingSafeEqual } from "node:crypto";
import { GatewayError } from "../../core/errors.ts";
import { spentInPeriod } from "../../core/keys/key-state.ts";
import type { Clock } from "../../lib/clock.ts";
import { BoundedMap } from "../../lib/bounded-map.ts";
import type { StoredKey } from "../../store/document.ts";
import type { Store } from "../../store/store.ts";
import { SpendingLimit } from "../../core/money/hold.ts";
import { InFlight, RequestWindow } from "../../core/keys/key-state.ts";

/** Current usage of one local key: requests per minute, running calls, money. In memory only. */
class KeyMeter {
  readonly limit: SpendingLimit;
  readonly flights = new InFlight();
  #window: RequestWindow | null = null;

  constructor(limit: SpendingLimit) {
    this.limit = limit;
  }

  get reserved(): number {
    return this.limit.reserved;
  }

  get inFlight(): number {
    return this.flights.count;
  }

  /** Returns 0 if one more request fits `limit` per minute (null: no limit), else the seconds until one does. */
  minuteWait(limit: number | null, at: number): number {
    if (limit === null) {
      this.#window = null;
      return 0;
    }
    this.#window ??= new RequestWindow(limit);
    this.#window.setLimit(limit);
    return this.#window.wait(at);
  }

  /** Counts a request that was let in. */
  enterMinute(at: number): void {
    this.#window?.enter(at);
  }
}

/** Meter of calls within an admitted request: they spend the same money without a slot of their own. */
class InnerMeter extends KeyMeter {
  override minuteWait(): number {
    return 0;
  }

  override enterMinute(): void {}
}

/** A local key as requests meet it: its record now, and what it is using. */
export interface RingKey {
  /** Replaced when the key's limits change; a running request sees the newest. */
  record: StoredKey;
  /** The key was revoked. */
  revoked: boolean;
  readonly hash: Buffer;
  readonly meter: KeyMeter;
}

/** Returns the key for further calls within one request: they count for its money but not for its rate. */
export function withinRequest(key: RingKey): RingKey {
  return {
    get record() {
      return key.record;
    },
    get revoked() {
      return key.revoked;
    },
    hash: key.hash,
    meter: new InnerMeter(key.meter.limit),
  };
}

/** SHA-256 of a key sent by a client. */
interface Digest {
  readonly bytes: Buffer;
  readonly hex: string;
}

/** Max cached header digests: hashing costs more than all other checks of a request. */
const DIGESTS = 1_000;
const MAX_KEY_LENGTH = 1_000;

/** All local keys, looked up by the SHA-256 of the sent key. */
export class KeyRing {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #byHash = new Map<string, RingKey>();
  readonly #byId = new Map<string, RingKey>();
  #keyless: RingKey | null = null;
  readonly #digests = new BoundedMap<string, Digest>(DIGESTS);

  constructor(store: Store, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
    this.reload();
  }

  /** Reloads keys from the document. Call it after every change of keys. */
  reload(): void {
    const { keys, spend } = this.#store.document;
    for (const [id, key] of this.#byId) {
      if (keys.has(id)) continue;
      key.revoked = true;
      this.#byId.delete(id);
      this.#byHash.delete(key.record.hash);
    }
    for (const record of keys.values()) {
      const known = this.#byId.get(record.id);
      if (known !== undefined) {
        known.record = record;
        continue;
      }
      const key: RingKey = {
        record,
        revoked: false,
        hash: Buffer.from(record.hash, "hex"),
        meter: new KeyMeter(
          new SpendingLimit(
            (): number | null => key.record.limit_nano,
            (): number => spentInPeriod(spend.get(record.id), key.record.reset, this.#clock.now()),
          ),
        ),
      };
      this.#byId.set(record.id, key);
      this.#byHash.set(record.hash, key);
    }
    this.#keyless = [...this.#byId.values()].find(({ record }) => record.ollama_default === true) ?? null;
  }

  /** Nano USD that calls hold of the limits of all keys. */
  get heldNano(): number {
    let sum = 0;
    for (const { meter } of this.#byId.values()) sum += meter.reserved;
    return sum;
  }

  get(id: string): RingKey | undefined {
    return this.#byId.get(id);
  }

  /**
   * The key for Ollama requests without one; null if the owner chose none.
   * @throws GatewayError key_disabled, key_expired; invalid_api_key for a key without a spend limit.
   */
  get keyless(): RingKey | null {
    const key = this.#keyless;
    if (key === null) return null;
    const objection = this.objection(key);
    if (objection !== null) throw objection;
    if (key.record.limit_nano !== null) return key;
    throw new GatewayError(
      "invalid_api_key",
      `The key "${key.record.name}" is for Ollama requests without a key, and has no spend limit. Set one.`,
    );
  }

  /** Whether it is a key of this Postern, in use or not. */
  knows(given: string): boolean {
    return this.#byHash.has(this.#digest(given).hex);
  }

  /**
   * Finds the key for the secret that a client sent.
   * @throws GatewayError invalid_api_key, key_disabled, key_expired.
   */
  authenticate(given: string): RingKey {
    const { hex, bytes } = this.#digest(given);
    const key = this.#byHash.get(hex);
    if (key === undefined || !timingSafeEqual(key.hash, bytes)) {
      throw new GatewayError(
        "invalid_api_key",
        "This key is not known here. Make one on the Keys page, or check for a typing mistake.",
      );
    }
    const objection = this.objection(key);
    if (objection !== null) throw objection;
    return key;
  }

  /** Returns why this key may no longer be used, or null. Checked again while a stream runs. */
  objection(key: RingKey): GatewayError | null {
    const { record } = key;
    if (key.revoked) return new GatewayError("invalid_api_key", `The key "${record.name}" was revoked.`);
    if (record.disabled)
      return new GatewayError(
        "key_disabled",
        `The key "${record.name}" is switched off. Switch it on again on the Keys page.`,
      );
    if (record.expires_at !== null && this.#clock.now() >= record.expires_at) {
      const when = new Date(record.expires_at).toISOString();
      return new GatewayError(
        "key_expired",
        `The key "${record.name}" expired at ${when}. Give it a later date on the Keys page, or make another.`,
      );
    }
    return null;
  }

  #digest(given: string): Digest {
    const known = this.#digests.get(given);
    if (known !== undefined) return known;
    const bytes = createHash("sha256").update(given.slice(0, MAX_KEY_LENGTH)).digest();
    const digest = { bytes, hex: bytes.toString("hex") };
    // A header as long as headers may be is not worth keeping.
    if (given.length <= 200) this.#digests.set(given, digest);
    return digest;
  }
}
