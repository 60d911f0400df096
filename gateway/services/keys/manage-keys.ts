import type { CreateKey, CreatedKey, KeyView, UpdateKey } from "../../contract/key.ts";
import { GatewayError } from "../../core/errors.ts";
import { getKeyState, spentInPeriod } from "../../core/keys/key-state.ts";
import { sandboxSpend } from "../../core/usage/aggregate.ts";
import type { Clock } from "../../lib/clock.ts";
import { newLocalKey, sha256 } from "../../lib/ids.ts";
import { usdFromNano } from "../../lib/money.ts";
import type { StoredKey } from "../../store/document.ts";
import { StoreWriteError } from "../../store/store.ts";
import type { Store } from "../../store/store.ts";
import type { Events } from "../events.ts";
import type { Forecasts, SpentIn } from "../budgets/forecasts.ts";
import { changedKey, checkOllamaDefault, getFaces, getLimits, newKey } from "./key-record.ts";
import type { KeyRing } from "./key-ring.ts";

export interface ManageKeysDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly keyRing: KeyRing;
  readonly forecasts: Forecasts;
  readonly events: Events;
}

/** Making, changing and revoking local keys. Every change is on the disk before it is answered. */
export class ManageKeys {
  readonly #deps: ManageKeysDeps;

  constructor(deps: ManageKeysDeps) {
    this.#deps = deps;
  }

  /** Newest first. */
  async list(): Promise<readonly KeyView[]> {
    const { store, forecasts } = this.#deps;
    const limited = [...store.document.keys.values()].filter(({ limit_nano: limit }) => limit !== null);
    await forecasts.prepare(new Set(limited.map(({ reset }) => reset)), ["key"]);
    return this.views();
  }

  /** Lists keys without forecasts that need unread data. */
  views(): readonly KeyView[] {
    const spentIn = new Map<string, SpentIn>();
    return [...this.#deps.store.document.keys.values()]
      .toSorted((a, b) => b.created_at - a.created_at || (a.id < b.id ? 1 : -1))
      .map((record) => this.#view(record, spentIn));
  }

  /** Creates a key. Its secret is returned only here: only its SHA-256 is stored. */
  async create(input: CreateKey, origin: StoredKey["origin"] = "created", secret = newLocalKey()): Promise<CreatedKey> {
    const { store, clock } = this.#deps;
    const record = newKey(input, origin, getFaces(secret), clock.now());
    await this.#change(record.id, () => checkOllamaDefault(record, store.document.keys));
    return { key: this.#view(record), secret };
  }

  /**
   * Ensures that this key exists with exactly these limits (environment keys, recreated at each start). While the disk
   * refuses writes, the key works from memory.
   * @returns whether it is on the disk
   * @throws StoreWriteError in a folder of a newer version
   */
  async ensure(input: CreateKey, secret: string): Promise<boolean> {
    const hash = sha256(secret);
    const known = [...this.#deps.store.document.keys.values()].find((record) => record.hash === hash);
    const fresh = known ?? newKey(input, "environment", getFaces(secret), this.#deps.clock.now());
    const updateRecord = (newest: StoredKey | undefined): StoredKey => {
      const record: StoredKey = { ...(newest ?? fresh), ...getLimits(input), disabled: false, origin: "environment" };
      return newest !== undefined && JSON.stringify(record) === JSON.stringify(newest) ? newest : record;
    };
    try {
      await this.#change(fresh.id, updateRecord);
      return true;
    } catch (error) {
      if (!(error instanceof StoreWriteError)) throw error;
      this.#deps.store.commitRelaxed([{ op: "put", in: "keys", record: updateRecord(known) }]);
      this.applyChanges();
      return false;
    }
  }

  /**
   * Disables keys of an earlier environment that the current one lacks, because rotating a key there removes the old
   * one. If the disk refuses the write, they are refused until the next start retries.
   * @param secrets in the current environment
   * @returns the names of the disabled keys
   */
  async disableOthers(secrets: readonly string[]): Promise<readonly string[]> {
    const named = new Set(secrets.map(sha256));
    const gone = [...this.#deps.store.document.keys.values()].filter(
      ({ origin, hash, disabled }) => origin === "environment" && !named.has(hash) && !disabled,
    );
    for (const { id } of gone) {
      try {
        await this.update(id, { disabled: true });
      } catch (error) {
        if (!(error instanceof StoreWriteError)) throw error;
        const key = this.#deps.keyRing.get(id);
        if (key !== undefined) key.revoked = true;
      }
    }
    return gone.map(({ name }) => name);
  }

  async update(id: string, change: UpdateKey): Promise<KeyView> {
    const { keys } = this.#deps.store.document;
    const changeRecord = (newest: StoredKey | undefined): StoredKey =>
      checkOllamaDefault(changedKey(requireKey(newest, id), change), keys);
    return this.#view(await this.#change(id, changeRecord));
  }

  /** Revokes a key: it is refused once the response is sent, and its running streams end within a second. */
  async revoke(id: string): Promise<void> {
    await this.#change(id, (newest) => {
      requireKey(newest, id);
      return null;
    });
  }

  async #change<R extends StoredKey | null>(id: string, make: (newest: StoredKey | undefined) => R): Promise<R> {
    const changed = await this.#deps.store.change("keys", id, make);
    this.applyChanges();
    return changed;
  }

  /** Records were changed: what runs follows them. */
  applyChanges(): void {
    this.#deps.keyRing.reload();
    this.#deps.events.emit({ type: "keys.changed" });
  }

  /** @param spentIn by their periods, when keys have spent */
  #view(record: StoredKey, spentIn = new Map<string, SpentIn>()): KeyView {
    const { spend } = this.#deps.store.document;
    const row = spend.get(record.id);
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
      hosted_tools: record.hosted_tools ?? null,
      stored_objects: record.stored_objects ?? null,
      mask_secrets: record.mask_secrets ?? null,
      mask_words: record.mask_words ?? null,
      ollama_default: record.ollama_default ?? false,
      disabled: record.disabled,
      origin: record.origin,
      created_at: record.created_at,
      state: getKeyState(record, row, now),
      spent_nano: spent,
      sandbox_nano: spentInPeriod(spend.get(sandboxSpend(record.id)), record.reset, now),
      held_nano: meter?.reserved ?? 0,
      in_flight: meter?.inFlight ?? 0,
      last_used_at: row?.last_used_at ?? null,
      ends_at: this.#predictEnd(record, spent, spentIn),
    };
  }

  #predictEnd(
    { id, limit_nano: limit, reset }: StoredKey,
    spent: number,
    spentIn: Map<string, SpentIn>,
  ): number | null {
    if (limit === null || reset === "never") return null;
    const { forecasts } = this.#deps;
    const found = spentIn.get(reset) ?? forecasts.readSpend(reset, "key", true);
    spentIn.set(reset, found);
    return forecasts.predictEnd(reset, limit, spent, found.get(id) ?? []);
  }
}

/** @throws GatewayError not_found */
function requireKey(record: StoredKey | undefined, id: string): StoredKey {
  if (record !== undefined) return record;
  throw new GatewayError("not_found", `There is no key with the id "${id}".`, { param: "id" });
}
