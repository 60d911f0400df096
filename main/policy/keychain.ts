/** A keychain's response to a probe: it decrypted its own data; it is missing or does not protect; or it timed out. */
export type ProbeResult = "opened" | "none" | "silent";

/** Facts about the machine's keychain and about the data folder. */
export interface KeychainFacts {
  readonly platform: NodeJS.Platform;
  readonly probe: ProbeResult;
  /** The value of Electron's `getSelectedStorageBackend()` on Linux; null on the platforms that have one keychain. */
  readonly linuxBackend: string | null;
  /**
   * Backends that encrypted this data folder's keys on earlier starts, newest first, `file` for a key file; empty at
   * first.
   */
  readonly sealedBy: readonly string[];
}

export interface KeychainNotice {
  readonly level: "info" | "warning";
  readonly message: string;
}

export type KeychainChoice =
  /** `backend` is stored with the ciphertext, to name the keychain if another one is found later. */
  { readonly use: "keychain"; readonly backend: string } | { readonly use: "file"; readonly notice: KeychainNotice };

const BACKENDS: Partial<Record<NodeJS.Platform, string>> = { darwin: "macos-keychain", win32: "windows-dpapi" };
const SECRET_SERVICE = "gnome_libsecret";

/** Name of a key file in place of a keychain. */
const KEY_FILE_BACKEND = "file";

/** First bytes of a Linux ciphertext encrypted with the fixed password of Chromium's source, for lack of a keyring. */
const FIXED_PASSWORD = "v10";

/** Max milliseconds that a start waits for the keychain; one that responds takes less than a tenth of a second. */
export const KEYCHAIN_LIMIT_MS = 5_000;

const isWallet = (backend: string): boolean => backend.startsWith("kwallet");

/**
 * Tells whether anyone with this ciphertext can decrypt it. On other systems than Linux the same prefix means the
 * keychain.
 */
export function isFixedPassword(platform: NodeJS.Platform, ciphertext: Uint8Array): boolean {
  return (
    platform === "linux" && Buffer.from(ciphertext).toString("latin1", 0, FIXED_PASSWORD.length) === FIXED_PASSWORD
  );
}

/**
 * Returns the keychain for Chromium on Linux, as a value of its switch `password-store`; null leaves the choice to
 * Chromium: KWallet in KDE, the Secret Service elsewhere. The keychain that encrypted the folder's keys is used in
 * another desktop too; and without an installed KWallet, KDE uses the Secret Service.
 * @param wallets installed ones, as values of the switch, oldest first
 */
export function getPasswordStore(sealedBy: readonly string[], wallets: readonly string[]): string | null {
  const newest = sealedBy.find((backend) => backend === SECRET_SERVICE || isWallet(backend));
  const service = wallets.length === 0 ? "gnome-libsecret" : null;
  if (newest === undefined) return service;
  if (newest === SECRET_SERVICE) return "gnome-libsecret";
  return wallets.includes(newest) ? newest : (wallets.at(-1) ?? service);
}

const ONLY_YOU = "encrypted with a key file that only your account can read";
const SILENT = `did not answer within ${KEYCHAIN_LIMIT_MS / 1_000} seconds: it may be locked and waiting for its password`;

function withoutKeychain({ platform, probe }: KeychainFacts): string {
  const isLinux = platform === "linux";
  const name = isLinux ? "keyring" : "keychain";
  if (probe === "silent") {
    return `The ${name} ${SILENT}. Until it answers, provider keys are ${ONLY_YOU}; then they move to it.`;
  }
  if (!isLinux) return `The keychain is not available: provider keys are ${ONLY_YOU}.`;
  return (
    `No unlocked keyring was found: provider keys are ${ONLY_YOU}. To use one, install and unlock GNOME Keyring or ` +
    "KWallet and restart Postern."
  );
}

function getKeychainGone(backend: string, { probe }: KeychainFacts): string {
  const isSilent = probe === "silent";
  const why = isSilent ? SILENT : "is locked or was not found";
  const then = isSilent ? "as soon as it answers" : "with it: unlock it and restart Postern";
  return (
    `The keychain that encrypted provider keys before (${backend}) ${why}. What it encrypted stays as it is and opens ` +
    `again ${then}. Provider keys that are entered now are ${ONLY_YOU}.`
  );
}

/**
 * Chooses how provider keys are decrypted and encrypted. Keys encrypted by a keychain need that keychain; a key file
 * works everywhere. If the keychain is missing today, its keys stay locked and intact, and re-entered keys use an
 * additional key file, so that both open once it is back. For a new folder, Linux without a keyring would use the fixed
 * password of Chromium's source; a random key in an owner-only file is better, and is reported.
 */
export function chooseKeychain(facts: KeychainFacts): KeychainChoice {
  const { platform, probe, linuxBackend, sealedBy } = facts;
  if (probe === "opened") {
    // The name is derived from the desktop's: outside of KDE, and without a name, it is the Secret Service.
    const onLinux = linuxBackend !== null && isWallet(linuxBackend) ? linuxBackend : SECRET_SERVICE;
    return { use: "keychain", backend: platform === "linux" ? onLinux : (BACKENDS[platform] ?? platform) };
  }
  const missing = sealedBy.find((backend) => backend !== KEY_FILE_BACKEND);
  const message = missing === undefined ? withoutKeychain(facts) : getKeychainGone(missing, facts);
  return { use: "file", notice: { level: "warning", message } };
}
