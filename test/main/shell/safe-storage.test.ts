import { beforeEach, describe, expect, it, vi } from "vitest";
import { findKeychain, keychainSealer } from "../../../main/shell/safe-storage.ts";
import * as electron from "../fakes/electron.ts";

vi.mock("electron", () => import("../fakes/electron.ts"));

const key = Uint8Array.from({ length: 32 }, (_, index) => 255 - index);

beforeEach(() => electron.resetElectron());

describe("keychainSealer", () => {
  it("opens what it sealed, byte for byte", async () => {
    const sealer = keychainSealer("gnome_libsecret");
    const sealed = await sealer.seal(key);
    expect(sealed).toMatch(/^[A-Za-z0-9+/]+=*$/);
    expect(Buffer.from(await sealer.open(sealed))).toStrictEqual(Buffer.from(key));
    expect(sealer.backend).toBe("gnome_libsecret");
  });

  it("fails on what another keychain sealed, and on what is no ciphertext", async () => {
    const sealer = keychainSealer("gnome_libsecret");
    const sealed = await sealer.seal(key);
    electron.safeStorage.keychain = "b";
    await expect(sealer.open(sealed)).rejects.toThrow("Decryption failed");
    await expect(sealer.open("")).rejects.toThrow("Decryption failed");
  });
});

describe("findKeychain", () => {
  it("takes the keychain that is there", async () => {
    expect(await findKeychain([])).toHaveProperty("use", "keychain");
  });

  it("takes a key file where there is none", async () => {
    electron.safeStorage.available = false;
    expect(await findKeychain([])).toHaveProperty("use", "file");
  });

  it.runIf(process.platform === "linux")("takes no password that is the same everywhere", async () => {
    electron.safeStorage.backend = "basic_text";
    expect(await findKeychain([])).toHaveProperty("notice.message", expect.stringContaining("basic_text"));
  });

  it("never touches the synchronous calls, which Electron 46 removes", () => {
    for (const name of ["isEncryptionAvailable", "encryptString", "decryptString"]) {
      expect(electron.safeStorage, name).not.toHaveProperty(name);
    }
  });
});
