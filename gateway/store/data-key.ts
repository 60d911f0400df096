import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import * as z from "zod";
import { jsonIn, replaceWithJson } from "./disk/atomic-file.ts";
import type { Quarantine } from "./quarantine.ts";
import { SECRETS_FILE, SealedSecrets, parseSecrets, type OpenedKeys } from "./secrets.ts";
import type { StoreFs } from "./disk/store-fs.ts";
import type { KeySealer } from "./store.ts";

export const KEY_FILE = "secret.key";
/** The backend of keys that lie in their file as they are. */
const FILE = "file";
const KEY_BYTES = 32;

const sealedKey = z.object({ backend: z.string(), sealed: z.string() });
type SealedKey = z.infer<typeof sealedKey>;

const keyFile = sealedKey.extend({
  /** Keys from before, which a keychain did not open when a provider key was entered again: kept for when it does. */
  earlier: z.array(sealedKey).optional(),
  /** CRC-32 of all of them, to tell a damaged file from a keychain that refuses. */
  check: z.number().optional(),
});
type StoredKeyFile = z.infer<typeof keyFile>;

const checkOf = ({ backend, sealed, earlier = [] }: StoredKeyFile): number =>
  crc32([{ backend, sealed }, ...earlier].map((key) => `${key.backend}:${key.sealed}`).join("\n"));

/** For headless starts: the key lies in its file as it is, and the file's mode (0600) is what protects it. */
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
 * Opens the provider keys of a data folder. What a keychain sealed that is not here stays sealed and `locked` says so;
 * provider keys that are entered meanwhile are sealed beside it. Files that are damaged go to quarantine together, since
 * one is of no use without the other.
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
  // What could not be set aside must not be written over.
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
    // When the disk refuses this, they are told of once more at the next start.
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
  readonly #path: string;
  readonly #sealer: KeySealer;
  #stored: readonly SealedKey[] = [];
  bytes: Uint8Array | null = null;
  opened: readonly Uint8Array[] = [];
  locked: string | null = null;
  refusal: string | null = null;

  constructor(fs: StoreFs, dir: string, sealer: KeySealer) {
    this.#fs = fs;
    this.#path = join(dir, KEY_FILE);
    this.#sealer = sealer;
  }

  async open({ backend, sealed, earlier = [] }: StoredKeyFile): Promise<void> {
    this.#stored = [{ backend, sealed }, ...earlier];
    for (const [index, key] of this.#stored.entries()) {
      const bytes = await this.#openOne(key);
      if (bytes === null) continue;
      this.opened = [...this.opened, bytes];
      if (index === 0) this.bytes = bytes;
    }
  }

  async make(): Promise<Uint8Array> {
    const bytes = randomBytes(KEY_BYTES);
    const first = { backend: this.#sealer.backend, sealed: await this.#sealer.seal(bytes) };
    const stored = { ...first, ...(this.#stored.length === 0 ? {} : { earlier: [...this.#stored] }) };
    await replaceWithJson(this.#fs, this.#path, { ...stored, check: checkOf(stored) });
    this.#stored = [first, ...this.#stored];
    this.opened = [...this.opened, bytes];
    this.bytes = bytes;
    return bytes;
  }

  async #openOne({ backend, sealed }: SealedKey): Promise<Uint8Array | null> {
    // A key file opens wherever it is read.
    const sealer = backend === FILE ? fileSealer() : this.#sealer;
    if (sealer.backend !== backend) {
      this.locked ??= otherKeychain(backend, sealer.backend);
      return null;
    }
    try {
      const bytes = await sealer.open(sealed);
      if (bytes.length !== KEY_BYTES) throw new Error("the opened key has a wrong length");
      return bytes;
    } catch {
      this.locked ??=
        `The provider keys cannot be opened: ${nameOf(backend)} refused. Unlock it and start Postern again, or enter the ` +
        `provider keys again under Providers. ${KEPT}`;
      return null;
    }
  }
}

function parseKeyFile(bytes: Buffer): StoredKeyFile | null {
  try {
    const stored = keyFile.parse(jsonIn(bytes));
    return stored.check === undefined || stored.check === checkOf(stored) ? stored : null;
  } catch {
    return null;
  }
}

const KEPT = "Until then they stay encrypted where they are.";

const nameOf = (backend: string): string => (backend === FILE ? "the key file" : `the keychain (${backend})`);

function otherKeychain(stored: string, here: string): string {
  return (
    `The provider keys were encrypted with ${nameOf(stored)} and this start has ${nameOf(here)}. Start the desktop app where ` +
    `that keychain is to use them, or enter the provider keys again under Providers. ${KEPT}`
  );
}
