import { safeStorage } from "electron";
import { fileSealer } from "../../gateway/store/data-key.ts";
import type { KeySealer } from "../../gateway/store/store.ts";
import { chooseKeychain, isFixedPassword, KEYCHAIN_LIMIT_MS } from "../policy/keychain.ts";
import type { ProbeResult, KeychainNotice } from "../policy/keychain.ts";

export interface FoundKeychain {
  /** Sealer of the key; if the keychain is silent, it becomes the keychain's once that responds. */
  readonly sealer: KeySealer;
  /** Notice for the user; null if a keychain is used. */
  readonly notice: KeychainNotice | null;
  /** Late result of a silent keychain: the notice to show once it has responded. Null if it responded in time. */
  readonly late: Promise<KeychainNotice | null> | null;
}

const PROBE = "Postern";
const FIRST_LOOK_MS = 3;
const LONGEST_LOOK_MS = 1_000;
/** Factor between polls, so that a poll is at most a tenth of the keychain's time late. */
const NEXT_LOOK = 1.1;

const { platform } = process;

/**
 * Detects the system's keychain, for at most `limitMs` milliseconds. After `ready` only: before it Electron has no
 * keychain. It is detected by encrypting a probe, because on Linux Electron names a keychain by the desktop and
 * silently falls back to a fixed password.
 * @param sealedBy what encrypted the data folder's keys on earlier starts, newest first.
 */
export async function findKeychain(
  sealedBy: readonly string[],
  limitMs: number = KEYCHAIN_LIMIT_MS,
): Promise<FoundKeychain> {
  const probed = probeKeychain();
  const choose = (probe: ProbeResult): Choice => {
    const linuxBackend = platform === "linux" ? safeStorage.getSelectedStorageBackend() : null;
    const choice = chooseKeychain({ platform, probe, linuxBackend, sealedBy });
    return choice.use === "keychain"
      ? { sealer: getKeychainSealer(choice.backend), notice: null }
      : { sealer: waitingSealer(probe), notice: choice.notice };
  };
  const result = await within(limitMs, probed);
  const first = choose(result);
  if (result !== "silent") return { ...first, late: null };
  const { sealer, become } = changingSealer(first.sealer);
  const late = probed.then((probe) => {
    const next = choose(probe);
    become(next.sealer);
    return next.notice;
  });
  return { sealer, notice: first.notice, late };
}

type Choice = Pick<FoundKeychain, "sealer" | "notice">;

/** A sealer that is another one from some moment on. */
function changingSealer(first: KeySealer): { readonly sealer: KeySealer; become(next: KeySealer): void } {
  let now = first;
  const sealer: KeySealer = {
    get backend() {
      return now.backend;
    },
    get awaitsKeychain() {
      return now.awaitsKeychain === true;
    },
    seal: (key) => now.seal(key),
    open: (sealed) => now.open(sealed),
    isWeak: (sealed) => now.isWeak?.(sealed) === true,
  };
  return { sealer, become: (next) => void (now = next) };
}

async function probeKeychain(): Promise<Exclude<ProbeResult, "silent">> {
  try {
    // Electron 42 returns false until its keychain has responded, and crashes when used before. Later versions wait.
    for (let wait = FIRST_LOOK_MS; !(await safeStorage.isAsyncEncryptionAvailable());) {
      await new Promise((resolve) => setTimeout(resolve, wait).unref());
      wait = Math.min(wait * NEXT_LOOK, LONGEST_LOOK_MS);
    }
    const ciphertext = await safeStorage.encryptStringAsync(PROBE);
    const { result } = await safeStorage.decryptStringAsync(ciphertext);
    return result === PROBE && !isFixedPassword(platform, ciphertext) ? "opened" : "none";
  } catch {
    return "none";
  }
}

async function within(limitMs: number, probed: Promise<ProbeResult>): Promise<ProbeResult> {
  const silence = Promise.withResolvers<"silent">();
  const timer = setTimeout(() => silence.resolve("silent"), limitMs);
  try {
    return await Promise.race([probed, silence.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Encrypts the data folder's key by the operating system's keychain. The result is Base64 of Electron's ciphertext.
 * @param backend the keychain's name, kept next to the encrypted key.
 */
export function getKeychainSealer(backend: string): KeySealer {
  return {
    backend,
    async seal(key) {
      const sealed = await safeStorage.encryptStringAsync(Buffer.from(key).toString("base64"));
      // It may have been locked since the probe: nothing is sealed with a fixed password.
      if (isFixedPassword(platform, sealed)) throw new Error("The keychain does not answer any more.");
      return sealed.toString("base64");
    },
    open,
    isWeak,
  };
}

/**
 * Uses a key file until there is a keychain. Data that earlier versions encrypted with a fixed password needs no
 * keychain.
 */
function waitingSealer(probe: ProbeResult): KeySealer {
  const file = { ...fileSealer(), awaitsKeychain: true };
  // A silent keychain is not called again, because the call would block.
  return probe === "silent" ? file : { ...file, open, isWeak };
}

async function open(sealed: string): Promise<Uint8Array> {
  const { result } = await safeStorage.decryptStringAsync(Buffer.from(sealed, "base64"));
  return Buffer.from(result, "base64");
}

const isWeak = (sealed: string): boolean => isFixedPassword(platform, Buffer.from(sealed, "base64"));
