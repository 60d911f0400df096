import { createCipheriv, createDecipheriv, randomBytes, randomUUID } from "node:crypto";
import { join } from "node:path";
import { Mutex } from "../lib/mutex.ts";
import * as z from "zod";
import { parseJson, replaceWithJson } from "./disk/atomic-file.ts";
import type { StoreFs } from "./disk/store-fs.ts";
import { StoreWriteError } from "./store.ts";
import type { KeyProtection, Secrets } from "./store.ts";

/** The folder's data keys, as far as they can be had on this start. */
export interface OpenedKeys {
  /** The key that seals new secrets; null before the first one is made, or while it is locked. */
  readonly bytes: Uint8Array | null;
  /** All that were opened. */
  readonly opened: readonly Uint8Array[];
  /** Why one of them was not opened, and what to do; null when all were. */
  readonly locked: string | null;
  /** Why nothing may be written on this start, or null. */
  readonly refusal: string | null;
  /** Opens those that a keychain opens now which did not before. */
  openMore(): Promise<void>;
  /** Encrypts again what waited for that. */
  renew(): Promise<void>;
  /** Makes a key for new secrets and stores it in front of those that are there. */
  make(): Promise<Uint8Array>;
  readonly protection: KeyProtection;
  moveToKeychain(): Promise<void>;
}

export const SECRETS_FILE = "secrets.json";

const sealedSecret = z.object({ iv: z.string(), tag: z.string(), data: z.string() });
const secretsFile = z.object({
  format: z.literal("postern-secrets"),
  version: z.literal(1),
  entries: z.record(z.string(), sealedSecret),
});
type SealedSecret = z.infer<typeof sealedSecret>;
type Entries = Readonly<Record<string, SealedSecret>>;

/** @returns the encrypted secrets in the bytes of a file; null if the format is unknown */
export function parseSecrets(bytes: Buffer): Entries | null {
  try {
    return secretsFile.parse(parseJson(bytes)).entries;
  } catch {
    return null;
  }
}

const NOT_WRITTEN = "The secret could not be written to the data folder.";
const NOT_MOVED =
  "The provider keys were not moved to the keychain: it refused, or the disk did. They are encrypted as before.";

/** Provider keys under AES-256-GCM, each bound to its id, in one file that is replaced whole. */
export class SealedSecrets implements Secrets {
  readonly #fs: StoreFs;
  readonly #path: string;
  readonly #keys: OpenedKeys;
  readonly #readOnly: boolean;
  #entries: Entries;
  #open: ReadonlyMap<string, string>;
  readonly #listeners: (() => void)[] = [];
  /** Changes go one after another. */
  readonly #mutex = new Mutex();
  #closed = false;

  constructor(fs: StoreFs, dir: string, keys: OpenedKeys, entries: Entries, readOnly: boolean) {
    this.#fs = fs;
    this.#path = join(dir, SECRETS_FILE);
    this.#keys = keys;
    this.#readOnly = readOnly;
    this.#entries = entries;
    this.#open = openAll(entries, keys.opened);
  }

  get locked(): string | null {
    const { locked, refusal } = this.#keys;
    return refusal ?? (this.#listUnopened().length > 0 ? locked : null);
  }

  /** Ids whose bytes were altered. Empty while a key is unavailable that may have encrypted them. */
  get damaged(): string[] {
    return this.#keys.locked === null && this.#keys.opened.length > 0 ? this.#listUnopened() : [];
  }

  get(id: string): string | undefined {
    return this.#open.get(id);
  }

  all(): readonly string[] {
    return [...this.#open.values()];
  }

  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  async add(value: string, boundTo?: string): Promise<string> {
    const id = boundTo === undefined ? randomUUID() : `${randomUUID()}.${boundTo}`;
    await this.#change(async () => {
      const key = this.#keys.bytes ?? (await this.#keys.make());
      await this.#store({ ...this.#entries, [id]: seal(id, value, key) });
      this.#open = new Map([...this.#open, [id, value]]);
      for (const listener of this.#listeners) listener();
    });
    return id;
  }

  async remove(ids: readonly string[]): Promise<void> {
    await this.#change(async () => {
      const gone = new Set(ids);
      const left = Object.entries(this.#entries).filter(([id]) => !gone.has(id));
      if (left.length === Object.keys(this.#entries).length) return;
      await this.#store(Object.fromEntries(left));
      this.#open = new Map([...this.#open].filter(([id]) => !gone.has(id)));
    });
  }

  get protection(): KeyProtection {
    const { protection } = this.#keys;
    return { ...protection, movable: protection.movable && !this.#readOnly && this.#keys.refusal === null };
  }

  reopen(): Promise<void> {
    return this.#mutex.run(async () => {
      if (this.#closed) return;
      await this.#keys.openMore();
      this.#open = openAll(this.#entries, this.#keys.opened);
      if (!this.#readOnly && this.#keys.refusal === null) await this.#keys.renew();
      for (const listener of this.#listeners) listener();
    });
  }

  moveToKeychain(): Promise<void> {
    return this.#change(() => this.#keys.moveToKeychain(), NOT_MOVED);
  }

  /** Accepts no more changes. Resolves when none is running. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#mutex.waitUntilSettled();
  }

  #change(work: () => Promise<void>, failure = NOT_WRITTEN): Promise<void> {
    if (this.#closed) return Promise.reject(new StoreWriteError("The store is closed."));
    return this.#mutex.run(() => this.#runGuarded(work, failure));
  }

  async #runGuarded(work: () => Promise<void>, failure: string): Promise<void> {
    if (this.#closed) throw new StoreWriteError("The store is closed.");
    if (this.#readOnly)
      throw new StoreWriteError("This data folder was written by a newer Postern and is read-only here.");
    if (this.#keys.refusal !== null) throw new StoreWriteError(this.#keys.refusal);
    try {
      await work();
    } catch (error) {
      throw new StoreWriteError(failure, { cause: error });
    }
  }

  #listUnopened(): string[] {
    return Object.keys(this.#entries).filter((id) => !this.#open.has(id));
  }

  async #store(entries: Entries): Promise<void> {
    await replaceWithJson(this.#fs, this.#path, { format: "postern-secrets", version: 1, entries });
    this.#entries = entries;
  }
}

const CIPHER = "aes-256-gcm";
const IV_BYTES = 12;

function seal(id: string, value: string, key: Uint8Array): SealedSecret {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, key, iv).setAAD(Buffer.from(id));
  const data = Buffer.concat([cipher.update(value, "utf8"), cipher.final()]);
  return { iv: iv.toString("base64"), tag: cipher.getAuthTag().toString("base64"), data: data.toString("base64") };
}

function openAll(entries: Entries, keys: readonly Uint8Array[]): Map<string, string> {
  const open = new Map<string, string>();
  for (const [id, sealed] of Object.entries(entries)) {
    for (const key of keys) {
      const value = unseal(id, sealed, key);
      if (value !== undefined) open.set(id, value);
    }
  }
  return open;
}

function unseal(id: string, { iv, tag, data }: SealedSecret, key: Uint8Array): string | undefined {
  try {
    const decipher = createDecipheriv(CIPHER, key, Buffer.from(iv, "base64"), { authTagLength: 16 });
    decipher.setAAD(Buffer.from(id)).setAuthTag(Buffer.from(tag, "base64"));
    return Buffer.concat([decipher.update(Buffer.from(data, "base64")), decipher.final()]).toString("utf8");
  } catch {
    return undefined;
  }
}
