import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { getMessage } from "../lib/message-of.ts";
import { moveKeysOfBackups } from "./backups/backup-keys.ts";
import { FILE, KEY_FILE, parseKeyFile, writeKeyFile } from "./key-file.ts";
import type { SealedKey } from "./key-file.ts";
import type { Quarantine } from "./quarantine.ts";
import { SECRETS_FILE, SealedSecrets, parseSecrets, type OpenedKeys } from "./secrets.ts";
import type { StoreFs } from "./disk/store-fs.ts";
import type { KeyProtection, KeySealer } from "./store.ts";

const KEY_BYTES = 32;

/** The key lies in its file as it is, and the file's mode (0600) is what protects it. */
export function fileSealer(): KeySealer {
  return {
    backend: FILE,
    async seal(key) {
      return Buffer.from(key).toString("base64");
    },
    async open(sealed) {
      return Buffer.from(sealed, "base64");
    },
  };
}

/**
 * Opens the provider keys of a data folder. Secrets encrypted by an unavailable keychain stay encrypted and are
 * reported by `locked`; newly entered provider keys are stored in addition. Damaged files go to quarantine together,
 * because neither is usable alone.
 */
export async function openSecrets(
  fs: StoreFs,
  dir: string,
  sealer: KeySealer,
  quarantine: Quarantine,
  readOnly: boolean,
): Promise<SealedSecrets> {
  const names = new Set(await fs.list(dir));
  const sealedBytes = names.has(SECRETS_FILE) ? await fs.readWhole(join(dir, SECRETS_FILE)) : null;
  const keyBytes = names.has(KEY_FILE) ? await fs.readWhole(join(dir, KEY_FILE)) : null;
  const entries = sealedBytes === null ? {} : parseSecrets(sealedBytes);
  const stored = keyBytes === null ? null : parseKeyFile(keyBytes);
  const key = new FolderKeys(fs, dir, sealer);
  if (stored !== null && entries !== null) {
    await key.open(stored);
    if (!readOnly) await key.renew();
    const secrets = new SealedSecrets(fs, dir, key, entries, readOnly);
    await leaveOutDamaged(secrets, sealedBytes ?? Buffer.alloc(0), quarantine);
    return secrets;
  }
  const useless = [
    ...(entries === null || Object.keys(entries).length > 0 ? [SECRETS_FILE] : []),
    ...(keyBytes !== null && stored === null ? [KEY_FILE] : []),
  ];
  const message = entries === null ? SECRETS_DAMAGED : KEY_DAMAGED;
  const aside = useless.length === 0 || (await quarantine.move(useless, "damaged", message));
  // Files that could not be set aside must not be overwritten.
  if (!aside) key.refusal = NOT_ASIDE;
  else if (stored !== null) await key.open(stored);
  return new SealedSecrets(fs, dir, key, {}, readOnly);
}

/** Secrets that the right key does not open were changed on the disk. */
async function leaveOutDamaged(secrets: SealedSecrets, bytes: Buffer, quarantine: Quarantine): Promise<void> {
  const { damaged } = secrets;
  if (damaged.length === 0) return;
  const message = `${damaged.length} of the provider keys were damaged; enter them again.`;
  if (await quarantine.keep(SECRETS_FILE, bytes, "damaged", message)) {
    // When the disk refuses this, they are reported once more at the next start.
    await secrets.remove(damaged).catch(() => undefined);
  }
}

const SECRETS_DAMAGED = "The file of provider keys was damaged; enter the keys again, or restore a backup.";
const KEY_DAMAGED =
  "The key that opens the provider keys was damaged or missing; enter the provider keys again, or restore a backup.";
const NOT_ASIDE =
  "The files of the provider keys are damaged and could not be set aside. Make room on the disk and start Postern again.";

class FolderKeys implements OpenedKeys {
  readonly #fs: StoreFs;
  readonly #dir: string;
  readonly #sealer: KeySealer;
  #stored: readonly SealedKey[] = [];
  readonly #bytes = new Map<SealedKey, Uint8Array>();
  bytes: Uint8Array | null = null;
  locked: string | null = null;
  refusal: string | null = null;
  #moved = false;
  #moveFailure: string | null = null;

  constructor(fs: StoreFs, dir: string, sealer: KeySealer) {
    this.#fs = fs;
    this.#dir = dir;
    this.#sealer = sealer;
  }

  get opened(): readonly Uint8Array[] {
    return [...this.#bytes.values()];
  }

  get protection(): KeyProtection {
    const { backend } = this.#sealer;
    return {
      encryptedBy: this.#stored.map((key) => key.backend),
      keychain: backend === FILE ? null : backend,
      movable: backend !== FILE && this.#inKeyFile().length > 0,
      moved: this.#moved,
      moveFailure: this.#moveFailure,
    };
  }

  async open(stored: readonly SealedKey[]): Promise<void> {
    this.#stored = stored;
    await this.openMore();
  }

  async openMore(): Promise<void> {
    this.locked = null;
    for (const [index, key] of this.#stored.entries()) {
      const bytes = this.#bytes.get(key) ?? (await this.#openOne(key));
      if (bytes === null) continue;
      this.#bytes.set(key, bytes);
      if (index === 0) this.bytes = bytes;
    }
  }

  /** Renews open keys without a request. A step that the disk or the keychain refuses is tried at the next start. */
  async renew(): Promise<void> {
    const sealer = this.#sealer;
    if (sealer.backend === FILE && sealer.awaitsKeychain !== true) {
      await this.#claimForHeadless().catch(() => undefined);
      return;
    }
    const due = this.#stored.filter(
      (key) =>
        this.#bytes.has(key) &&
        (key.backend === FILE
          ? key.awaits_keychain === true && sealer.backend !== FILE
          : sealer.isWeak?.(key.sealed) === true),
    );
    try {
      await this.#move(due);
      this.#moved ||= due.length > 0;
    } catch (error) {
      this.#moveFailure = getMessage(error);
    }
  }

  /** Encrypts the keys that lie in the key file by the keychain. */
  async moveToKeychain(): Promise<void> {
    await this.#move(this.#inKeyFile());
    this.#moveFailure = null;
  }

  async make(): Promise<Uint8Array> {
    const bytes = randomBytes(KEY_BYTES);
    const first = await this.#seal(bytes);
    await this.#write([first, ...this.#stored]);
    this.#bytes.set(first, bytes);
    this.bytes = bytes;
    return bytes;
  }

  #inKeyFile(): readonly SealedKey[] {
    return this.#stored.filter((key) => key.backend === FILE && this.#bytes.has(key));
  }

  /** Makes the keys usable for headless starts; a keychain takes them back only on request. */
  async #claimForHeadless(): Promise<void> {
    if (!this.#stored.some((key) => key.awaits_keychain === true)) return;
    await this.#replace(
      new Map(this.#stored.map((key) => [key, { backend: key.backend, sealed: key.sealed }] as const)),
    );
  }

  /**
   * Re-encrypts keys, and verifies decryption before anything is written. Backups come first: while the folder's own
   * file is unchanged, the next start repeats everything.
   */
  async #move(due: readonly SealedKey[]): Promise<void> {
    if (due.length === 0) return;
    const next = new Map<SealedKey, SealedKey>();
    for (const key of due) {
      const bytes = this.#bytes.get(key) ?? Buffer.alloc(0);
      const sealed = await this.#seal(bytes);
      if (sealed.backend !== FILE && !Buffer.from(bytes).equals(await this.#sealer.open(sealed.sealed)))
        throw new Error("The keychain did not give back what it had encrypted.");
      next.set(key, sealed);
    }
    await moveKeysOfBackups(this.#fs, this.#dir, new Map([...next].map(([key, sealed]) => [key.sealed, sealed])));
    await this.#replace(next);
  }

  async #seal(bytes: Uint8Array): Promise<SealedKey> {
    const { backend, awaitsKeychain } = this.#sealer;
    const sealed = await this.#sealer.seal(bytes);
    return { backend, sealed, ...(awaitsKeychain === true && { awaits_keychain: true }) };
  }

  async #replace(next: ReadonlyMap<SealedKey, SealedKey>): Promise<void> {
    const before = this.#stored;
    await this.#write(before.map((key) => next.get(key) ?? key));
    for (const [index, key] of before.entries()) {
      const bytes = this.#bytes.get(key);
      const now = this.#stored[index];
      if (bytes === undefined || now === undefined || now === key) continue;
      this.#bytes.delete(key);
      this.#bytes.set(now, bytes);
    }
  }

  async #write(keys: readonly SealedKey[]): Promise<void> {
    await writeKeyFile(this.#fs, join(this.#dir, KEY_FILE), keys);
    this.#stored = keys;
  }

  async #openOne({ backend, sealed }: SealedKey): Promise<Uint8Array | null> {
    const sealer = this.#sealer;
    // A key file opens wherever it is read.
    const inFile = backend === FILE;
    if (!inFile && sealer.backend === FILE && sealer.isWeak?.(sealed) !== true) {
      this.locked ??= otherKeychain(backend, sealer.backend);
      return null;
    }
    try {
      // Under another name it may be the same keychain: of another desktop, or of its next version.
      const bytes = inFile ? Buffer.from(sealed, "base64") : await sealer.open(sealed);
      if (bytes.length !== KEY_BYTES) throw new Error("the opened key has a wrong length");
      return bytes;
    } catch {
      this.locked ??=
        inFile || sealer.backend === backend ? describeRefusal(backend) : otherKeychain(backend, sealer.backend);
      return null;
    }
  }
}

const KEPT = "Until then they stay encrypted where they are.";

const getName = (backend: string): string => (backend === FILE ? "the key file" : `the keychain (${backend})`);

const describeRefusal = (backend: string): string =>
  `The provider keys cannot be opened: ${getName(backend)} refused. It is locked, or not the one that encrypted them, as on ` +
  `another machine. Unlock it and start Postern again, or enter the provider keys again under Providers. ${KEPT}`;

function otherKeychain(stored: string, here: string): string {
  return (
    `The provider keys were encrypted with ${getName(stored)} and this start has ${getName(here)}. Start the desktop app where ` +
    `that keychain is to use them, or enter the provider keys again under Providers. ${KEPT}`
  );
}
