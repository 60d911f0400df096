import type { CreateKey, CreatedKey, KeyView, UpdateKey } from "../../contract/key.ts";
import { GatewayError } from "../../core/errors.ts";
import { keyState, spentInPeriod } from "../../core/keys/key-state.ts";
import type { Clock } from "../../lib/clock.ts";
import { newId, newLocalKey, sha256 } from "../../lib/ids.ts";
import { nanoFromUsd, usdFromNano } from "../../lib/money.ts";
import type { StoredKey } from "../../store/document.ts";
import type { Store } from "../../store/store.ts";
import type { Events } from "../events.ts";
import type { KeyRing } from "./key-ring.ts";

export interface ManageKeysDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly keyRing: KeyRing;
  readonly events: Events;
}

/** Making, changing and revoking local keys. Every change is on the disk before it is answered. */
export class ManageKeys {
  readonly #deps: ManageKeysDeps;

  constructor(deps: ManageKeysDeps) {
    this.#deps = deps;
  }

  /** Newest first. */
  list(): readonly KeyView[] {
    return [...this.#deps.store.document.keys.values()]
      .toSorted((a, b) => b.created_at - a.created_at || (a.id < b.id ? 1 : -1))
      .map((record) => this.#view(record));
  }

  /** The only time that the whole key is told: at rest there is only its SHA-256. */
  async create(input: CreateKey, origin: StoredKey["origin"] = "created", secret = newLocalKey()): Promise<CreatedKey> {
    const record: StoredKey = {
      id: newId("key"),
      hash: sha256(secret),
      prefix: secret.slice(0, 5),
      last4: secret.slice(-4),
      ...limitsOf(input),
      disabled: false,
      origin,
      created_at: this.#deps.clock.now(),
    };
    await this.#put(record);
    return { key: this.#view(record), secret };
  }

  /** Makes sure that exactly this key exists with exactly these limits (environment keys, put back at each start). */
  async ensure(input: CreateKey, secret: string): Promise<void> {
    const hash = sha256(secret);
    const known = [...this.#deps.store.document.keys.values()].find((record) => record.hash === hash);
    if (known === undefined) {
      await this.create(input, "environment", secret);
      return;
    }
    const wanted: StoredKey = {
      ...known,
      ...limitsOf(input),
      disabled: false,
      origin: "environment",
    };
    if (JSON.stringify(wanted) !== JSON.stringify(known)) await this.#put(wanted);
  }

  async update(id: string, change: UpdateKey): Promise<KeyView> {
    const record = this.#require(id);
    const { limit_usd, ...rest } = change;
    const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
    const limit = limit_usd === undefined ? {} : { limit_nano: limit_usd === null ? null : nanoFromUsd(limit_usd) };
    const changed: StoredKey = { ...record, ...given, ...limit };
    await this.#put(changed);
    return this.#view(changed);
  }

  /** From the moment of the answer on, the key is refused; running streams of it are ended within a second. */
  async revoke(id: string): Promise<void> {
    this.#require(id);
    await this.#deps.store.commit([{ op: "delete", in: "keys", id }]);
    this.#changed();
  }

  async #put(record: StoredKey): Promise<void> {
    await this.#deps.store.commit([{ op: "put", in: "keys", record }]);
    this.#changed();
  }

  #changed(): void {
    this.#deps.keyRing.reload();
    this.#deps.events.emit({ type: "keys.changed" });
  }

  #require(id: string): StoredKey {
    const record = this.#deps.store.document.keys.get(id);
    if (record === undefined)
      throw new GatewayError("not_found", `There is no key with the id "${id}".`, { param: "id" });
    return record;
  }

  #view(record: StoredKey): KeyView {
    const row = this.#deps.store.document.spend.get(record.id);
    const now = this.#deps.clock.now();
    const spent = spentInPeriod(row, record.reset, now);
    const meter = this.#deps.keyRing.get(record.id)?.meter;
    return {
      id: record.id,
      hint: `${record.prefix}…${record.last4}`,
      name: record.name,
      models: record.models === null ? null : [...record.models],
      limit_usd: record.limit_nano === null ? null : usdFromNano(record.limit_nano),
      reset: record.reset,
      expires_at: record.expires_at,
      rpm: record.rpm,
      concurrency: record.concurrency,
      disabled: record.disabled,
      origin: record.origin,
      created_at: record.created_at,
      state: keyState(record, row, now),
      spent_nano: spent,
      held_nano: meter?.held ?? 0,
      in_flight: meter?.inFlight ?? 0,
      last_used_at: row?.last_used_at ?? null,
    };
  }
}

/** The limits of a new key: what is not given is not limited. */
function limitsOf(input: CreateKey) {
  return {
    name: input.name,
    models: input.models ?? null,
    limit_nano: input.limit_usd == null ? null : nanoFromUsd(input.limit_usd),
    reset: input.reset ?? "never",
    expires_at: input.expires_at ?? null,
    rpm: input.rpm ?? null,
    concurrency: input.concurrency ?? null,
  };
}
