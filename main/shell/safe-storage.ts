import { safeStorage } from "electron";
import type { KeySealer } from "../../gateway/store/store.ts";
import { chooseKeychain, type KeychainChoice } from "../policy/keychain.ts";

/**
 * Asks the operating system what it has. After `ready` only: before it Electron knows of no keychain.
 * @param sealedBy what sealed the data folder's keys on earlier starts, newest first.
 */
export async function findKeychain(sealedBy: readonly string[]): Promise<KeychainChoice> {
  const isAvailable = await safeStorage.isAsyncEncryptionAvailable();
  const linuxBackend = process.platform === "linux" ? safeStorage.getSelectedStorageBackend() : null;
  return chooseKeychain({ platform: process.platform, isAvailable, linuxBackend, sealedBy });
}

/**
 * Seals the data folder's key by the operating system's keychain. What is sealed is Base64 of Electron's ciphertext.
 * @param backend the keychain's name, kept beside what it sealed.
 */
export function keychainSealer(backend: string): KeySealer {
  return {
    backend,
    async seal(key) {
      const sealed = await safeStorage.encryptStringAsync(Buffer.from(key).toString("base64"));
      return sealed.toString("base64");
    },
    async open(sealed) {
      const { result } = await safeStorage.decryptStringAsync(Buffer.from(sealed, "base64"));
      return Buffer.from(result, "base64");
    },
  };
}
