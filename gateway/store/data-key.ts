import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import * as z from "zod";
import { replaceWithJson } from "./disk/atomic-file.ts";
import type { Quarantine } from "./quarantine.ts";
import { SECRETS_FILE, SealedSecrets, parseSecrets } from "./secrets.ts";
import type { StoreFs } from "./disk/store-fs.ts";
import type { KeySealer } from "./store.ts";

export const KEY_FILE = "secret.key";
const KEY_BYTES = 32;

const keyFile = z.object({
  backend: z.string(),
  sealed: z.string(),
  /** CRC-32 of the two, to tell a damaged file from a keychain that refuses. */
  check: z.number().optional(),
});
type StoredKeyFile = z.infer<typeof keyFile>;

const checkOf = ({ backend, sealed }: StoredKeyFile): number => crc32(`${backend}:${sealed}`);

/** The folder's data key, as far as it can be had on this start. */
export interface OpenedKey {
  /** Null while none was made yet, or while it is locked. */
  readonly bytes: Uint8Array | null;
  readonly locked: string | null;
  /** Makes and stores the first key of this folder. */
  make(): Promise<Uint8Array>;
}

/** For headless starts: the key lies in its file as it is, and the file's mode (0600) is what protects it. */
export function fileSealer(): KeySealer {
  return {
    backend: "file",
    async seal(key) {
      return Buffer.from(key).toString("base64");
    },
    async open(sealed) {
      return Buffer.from(sealed, "base64");
    },
  };
}

/**
 * Opens the vendor keys of a data folder. What another keychain sealed stays untouched and `locked` says so; files
 * that are damaged go to quarantine together, since one is of no use without the other.
 */
export async function openSecrets(
  fs: StoreFs,
  dir: string,
  sealer: KeySealer,
  quarantine: Quarantine,
  readOnly: boolean,
): Promise<SealedSecrets> {
  const names = new Set(await fs.list(dir));
  const secretsText = names.has(SECRETS_FILE) ? (await fs.readWhole(join(dir, SECRETS_FILE))).toString("utf8") : null;
  const keyText = names.has(KEY_FILE) ? (await fs.readWhole(join(dir, KEY_FILE))).toString("utf8") : null;
  const entries = secretsText === null ? {} : parseSecrets(secretsText);
  const stored = keyText === null ? null : parseKeyFile(keyText);
  const key = new FolderKey(fs, dir, sealer);
  if (stored !== null && entries !== null) {
    await key.open(stored);
    const secrets = new SealedSecrets(fs, dir, key, entries, readOnly);
    await leaveOutDamaged(secrets, Buffer.from(secretsText ?? ""), quarantine);
    return secrets;
  }
  let aside = true;
  const sealed = entries === null || Object.keys(entries).length > 0;
  if (sealed) aside = await quarantine.move(SECRETS_FILE, "damaged", entries === null ? SECRETS_DAMAGED : KEY_DAMAGED);
  if (keyText !== null && stored === null) aside = (await quarantine.move(KEY_FILE, "damaged", KEY_DAMAGED)) && aside;
  // What could not be set aside must not be written over.
  if (!aside) key.locked = NOT_ASIDE;
  else if (stored !== null) await key.open(stored);
  return new SealedSecrets(fs, dir, key, {}, readOnly);
}

/** Secrets that the right key does not open were changed on the disk. */
async function leaveOutDamaged(secrets: SealedSecrets, bytes: Buffer, quarantine: Quarantine): Promise<void> {
  const { damaged } = secrets;
  if (damaged.length === 0) return;
  const message = `${damaged.length} of the vendor keys were damaged; enter them again.`;
  if (await quarantine.keep(SECRETS_FILE, bytes, "damaged", message)) {
    // When the disk refuses this, they are told of once more at the next start.
    await secrets.remove(damaged).catch(() => undefined);
  }
}

const SECRETS_DAMAGED = "The file of vendor keys was damaged; enter the keys again.";
const KEY_DAMAGED = "The key that opens the vendor keys was damaged or missing; enter the vendor keys again.";
const NOT_ASIDE =
  "The files of the vendor keys are damaged and could not be set aside. Make room on the disk and start Postern again.";

class FolderKey implements OpenedKey {
  readonly #fs: StoreFs;
  readonly #path: string;
  readonly #sealer: KeySealer;
  bytes: Uint8Array | null = null;
  locked: string | null = null;

  constructor(fs: StoreFs, dir: string, sealer: KeySealer) {
    this.#fs = fs;
    this.#path = join(dir, KEY_FILE);
    this.#sealer = sealer;
  }

  async open(stored: StoredKeyFile): Promise<void> {
    if (stored.backend !== this.#sealer.backend) {
      this.locked = otherBackend(stored.backend, this.#sealer.backend, this.#path);
      return;
    }
    try {
      const bytes = await this.#sealer.open(stored.sealed);
      if (bytes.length !== KEY_BYTES) throw new Error("the opened key has a wrong length");
      this.bytes = bytes;
    } catch {
      this.locked =
        `The vendor keys cannot be opened: ${nameOf(stored.backend)} refused. Unlock it and start Postern again, or ` +
        `move ${SECRETS_FILE} and ${KEY_FILE} out of the data folder and enter the vendor keys again.`;
    }
  }

  async make(): Promise<Uint8Array> {
    const bytes = randomBytes(KEY_BYTES);
    const sealed = await this.#sealer.seal(bytes);
    const stored = { backend: this.#sealer.backend, sealed };
    await replaceWithJson(this.#fs, this.#path, { ...stored, check: checkOf(stored) });
    this.bytes = bytes;
    return bytes;
  }
}

function parseKeyFile(text: string): StoredKeyFile | null {
  try {
    const stored = keyFile.parse(JSON.parse(text));
    return stored.check === undefined || stored.check === checkOf(stored) ? stored : null;
  } catch {
    return null;
  }
}

const nameOf = (backend: string): string => (backend === "file" ? "the key file" : `the keychain (${backend})`);

function otherBackend(stored: string, here: string, path: string): string {
  const how = stored === "file" ? "Start Postern headless" : "Start the desktop app";
  return (
    `The vendor keys were sealed by ${nameOf(stored)} and this start has ${nameOf(here)}. ${how} to use them, or move ` +
    `${path} and ${SECRETS_FILE} beside it away and enter the vendor keys again.`
  );
}
