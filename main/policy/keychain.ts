/** What is known about the machine's keychain and about the data folder. */
export interface KeychainFacts {
  readonly platform: NodeJS.Platform;
  readonly isAvailable: boolean;
  /** What Electron's `getSelectedStorageBackend()` says on Linux; null on the platforms that have one keychain. */
  readonly linuxBackend: string | null;
  /** The backend that sealed this data folder's key on an earlier start, `file` for a key file; null before there is one. */
  readonly sealedBy: string | null;
}

export interface KeychainNotice {
  readonly level: "info" | "warning";
  readonly message: string;
}

export type KeychainChoice =
  /** `backend` is written beside what it seals, so that a swapped keychain is noticed. */
  { readonly use: "keychain"; readonly backend: string } | { readonly use: "file"; readonly notice: KeychainNotice };

const BACKENDS: Partial<Record<NodeJS.Platform, string>> = { darwin: "macos-keychain", win32: "windows-dpapi" };

/** On Linux these are no keychain: a password that is the same everywhere, and no answer at all. */
const UNPROTECTED: ReadonlySet<string> = new Set(["basic_text", "unknown"]);

/** How a key file is named where a keychain would be. */
const KEY_FILE_BACKEND = "file";

function missingKeychain(facts: KeychainFacts): KeychainNotice {
  const isLinux = facts.platform === "linux";
  const reason = isLinux ? `No keyring was found (${facts.linuxBackend})` : "The keychain is not available";
  const remedy = isLinux ? " Install and unlock GNOME Keyring or KWallet to have them kept there." : "";
  const message = `${reason}: vendor keys are sealed with a key file that only your account can read.${remedy}`;
  return { level: "warning", message };
}

const MADE_HEADLESS: KeychainNotice = {
  level: "info",
  message:
    "This data folder was first used without a desktop: its vendor keys stay sealed with its key file, not with the " +
    "operating system's keychain, so that both kinds of start can open them.",
};

/**
 * What seals the vendor keys. A folder that was sealed before stays with what sealed it: a keychain that is missing
 * today is asked all the same, so that its keys stay locked and unharmed until it is back. For a new folder, Linux
 * without a keyring would seal with a password that is written in Chromium's source; a random key in a file that only
 * the owner can read is better, and it is said.
 */
export function chooseKeychain(facts: KeychainFacts): KeychainChoice {
  if (facts.sealedBy === KEY_FILE_BACKEND) return { use: "file", notice: MADE_HEADLESS };
  const backend = facts.linuxBackend ?? BACKENDS[facts.platform] ?? facts.platform;
  if (facts.isAvailable && !UNPROTECTED.has(backend)) return { use: "keychain", backend };
  if (facts.sealedBy !== null) return { use: "keychain", backend: facts.sealedBy };
  return { use: "file", notice: missingKeychain(facts) };
}
