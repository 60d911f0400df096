/** A keychain's response to a probe: it decrypted its own data; it is missing or does not protect; or it timed out. */
export type ProbeResult = "opened" | "none" | "silent";

/** Facts about the machine's keychain and about the data folder. */
export interface KeychainFacts {
  readonly platform: NodeJS.Platform;
  readonly probe: ProbeResult;
  /** The value of Electron's `getSelectedStorageBackend()` on Linux; null on the platforms that have one keychain. */
  readonly linuxBackend: string | null;
  /** Backends that sealed this data folder's keys on earlier starts, newest first, `file` for a key file; none before there is one. */
  readonly sealedBy: readonly string[];
}

export interface KeychainNotice {
  readonly level: "info" | "warning";
  readonly message: string;
}

export type KeychainChoice =
  /** `backend` is written next to what it seals, to name the keychain where another one is found. */
  { readonly use: "keychain"; readonly backend: string } | { readonly use: "file"; readonly notice: KeychainNotice };

const BACKENDS: Partial<Record<NodeJS.Platform, string>> = { darwin: "macos-keychain", win32: "windows-dpapi" };
const SECRET_SERVICE = "gnome_libsecret";

/** How a key file is named where a keychain would be. */
const KEY_FILE_BACKEND = "file";

/** First bytes of a ciphertext on Linux that was sealed with a password that is written in Chromium's source, for want of a keyring. */
const FIXED_PASSWORD = "v10";

/** How long a start waits for the keychain, in milliseconds: for one that answers, less than a tenth of a second passes. */
export const KEYCHAIN_LIMIT_MS = 5_000;

const isWallet = (backend: string): boolean => backend.startsWith("kwallet");

/** Whether anybody who has this ciphertext can open it. Elsewhere than on Linux the same mark means the keychain. */
export function isFixedPassword(platform: NodeJS.Platform, ciphertext: Uint8Array): boolean {
  return (
    platform === "linux" && Buffer.from(ciphertext).toString("latin1", 0, FIXED_PASSWORD.length) === FIXED_PASSWORD
  );
}

/**
 * Which keychain Chromium is to ask on Linux, as its switch `password-store` names it; null leaves it to Chromium, which
 * goes by the name of the desktop: KWallet in KDE, the Secret Service everywhere else. What sealed the folder's keys is
 * asked for them in another desktop too; and where no KWallet is installed, KDE has the Secret Service.
 * @param wallets installed ones, as the switch names them, oldest first
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
 * Chooses what opens and seals the provider keys. What a keychain has sealed wants that keychain; a key file opens everywhere. Where
 * the keychain is missing today, what it sealed stays locked and unharmed, and keys that are entered again are sealed with
 * a key file next to it, so that both open when it is back. For a new folder, Linux without a keyring would seal with a
 * password that is written in Chromium's source; a random key in a file that only the owner can read is better, and it
 * is said.
 */
export function chooseKeychain(facts: KeychainFacts): KeychainChoice {
  const { platform, probe, linuxBackend, sealedBy } = facts;
  if (probe === "opened") {
    // The name follows the desktop's: where that is not KDE, and where it has none, it is the Secret Service that answers.
    const onLinux = linuxBackend !== null && isWallet(linuxBackend) ? linuxBackend : SECRET_SERVICE;
    return { use: "keychain", backend: platform === "linux" ? onLinux : (BACKENDS[platform] ?? platform) };
  }
  const missing = sealedBy.find((backend) => backend !== KEY_FILE_BACKEND);
  const message = missing === undefined ? withoutKeychain(facts) : getKeychainGone(missing, facts);
  return { use: "file", notice: { level: "warning", message } };
}
