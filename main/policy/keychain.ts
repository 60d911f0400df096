/** What is known about the machine's keychain and about the data folder. */
export interface KeychainFacts {
  readonly platform: NodeJS.Platform;
  readonly isAvailable: boolean;
  /** What Electron's `getSelectedStorageBackend()` says on Linux; null on the platforms that have one keychain. */
  readonly linuxBackend: string | null;
  /** What sealed this data folder's keys on earlier starts, newest first, `file` for a key file; none before there is one. */
  readonly sealedBy: readonly string[];
}

export interface KeychainNotice {
  readonly level: "info" | "warning";
  readonly message: string;
}

export type KeychainChoice =
  /** `backend` is written beside what it seals, so that a swapped keychain is noticed. */
  { readonly use: "keychain"; readonly backend: string } | { readonly use: "file"; readonly notice: KeychainNotice };

const BACKENDS: Partial<Record<NodeJS.Platform, string>> = { darwin: "macos-keychain", win32: "windows-dpapi" };

/** On Linux these are no keychain: a password that is the same everywhere, and no response at all. */
const UNPROTECTED: ReadonlySet<string> = new Set(["basic_text", "unknown"]);

/** How a key file is named where a keychain would be. */
const KEY_FILE_BACKEND = "file";

function missingKeychain(facts: KeychainFacts): KeychainNotice {
  const isLinux = facts.platform === "linux";
  const reason = isLinux ? `No keyring was found (${facts.linuxBackend})` : "The keychain is not available";
  const remedy = isLinux ? " Install and unlock GNOME Keyring or KWallet to have them kept there." : "";
  const message = `${reason}: provider keys are encrypted with a key file that only your account can read.${remedy}`;
  return { level: "warning", message };
}

const MADE_HEADLESS: KeychainNotice = {
  level: "info",
  message:
    "This data folder was first used without a desktop: its provider keys stay encrypted with its key file, not with the " +
    "operating system's keychain, so that both kinds of start can open them.",
};

function keychainGone(backend: string, { platform, linuxBackend }: KeychainFacts): KeychainNotice {
  const here = platform === "linux" ? ` (here is ${linuxBackend})` : "";
  const message =
    `The keychain that encrypted provider keys before (${backend}) was not found${here}. What it encrypted stays as it is and ` +
    "opens again with it; provider keys that are entered now are encrypted with a key file that only your account can read.";
  return { level: "warning", message };
}

/**
 * What opens and seals the provider keys. What a keychain has sealed wants that keychain; a key file opens everywhere. Where
 * the keychain is missing today, what it sealed stays locked and unharmed, and keys that are entered again are sealed with
 * a key file beside it, so that both open when it is back. For a new folder, Linux without a keyring would seal with a
 * password that is written in Chromium's source; a random key in a file that only the owner can read is better, and it
 * is said.
 */
export function chooseKeychain(facts: KeychainFacts): KeychainChoice {
  const keychains = facts.sealedBy.filter((backend) => backend !== KEY_FILE_BACKEND);
  if (facts.sealedBy.length > 0 && keychains.length === 0) return { use: "file", notice: MADE_HEADLESS };
  const backend = facts.linuxBackend ?? BACKENDS[facts.platform] ?? facts.platform;
  if (facts.isAvailable && !UNPROTECTED.has(backend)) return { use: "keychain", backend };
  const [missing] = keychains;
  return { use: "file", notice: missing === undefined ? missingKeychain(facts) : keychainGone(missing, facts) };
}
