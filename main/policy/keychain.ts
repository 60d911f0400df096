/** What Electron's `getSelectedStorageBackend()` says on Linux; null on the platforms that have one keychain. */
export interface KeychainFacts {
  readonly platform: NodeJS.Platform;
  readonly isAvailable: boolean;
  readonly linuxBackend: string | null;
}

export type KeychainChoice =
  /** `backend` is written beside what it seals, so that a swapped keychain is noticed. */
  { readonly use: "keychain"; readonly backend: string } | { readonly use: "file"; readonly warning: string };

const BACKENDS: Partial<Record<NodeJS.Platform, string>> = { darwin: "macos-keychain", win32: "windows-dpapi" };

/** On Linux these are no keychain: a password that is the same everywhere, and no answer at all. */
const UNPROTECTED: ReadonlySet<string> = new Set(["basic_text", "unknown"]);

/**
 * What seals the vendor keys. Linux without a keyring would seal with a password that is written in Chromium's source;
 * a random key in a file that only the owner can read is better, and it is said.
 */
export function chooseKeychain(facts: KeychainFacts): KeychainChoice {
  const backend = facts.linuxBackend ?? BACKENDS[facts.platform] ?? facts.platform;
  if (facts.isAvailable && !UNPROTECTED.has(backend)) return { use: "keychain", backend };
  const reason =
    facts.linuxBackend === null
      ? "The operating system's keychain is not available"
      : `No keyring was found (${facts.linuxBackend})`;
  const remedy =
    facts.platform === "linux" ? " Install and unlock GNOME Keyring or KWallet to have them kept there." : "";
  return {
    use: "file",
    warning: `${reason}: vendor keys are sealed with a key file that only your account can read.${remedy}`,
  };
}
