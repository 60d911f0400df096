import { beforeEach, describe, expect, it, vi } from "vitest";
import { fileSealer } from "../../../gateway/store/data-key.ts";
import { findKeychain, getKeychainSealer } from "../../../main/shell/safe-storage.ts";
import * as electron from "../fakes/electron.ts";
import { needs } from "../../support/needs.ts";

vi.mock("electron", () => import("../fakes/electron.ts"));

const key = Uint8Array.from({ length: 32 }, (_, index) => 255 - index);
const isLinux = process.platform === "linux";

beforeEach(() => electron.resetElectron());

/** What an earlier version took for a keychain's. */
async function sealedByFixedPassword(): Promise<string> {
  const sealed = Buffer.from(`v10:${Buffer.from(key).toString("base64")}`);
  return sealed.toString("base64");
}

describe("keychainSealer", () => {
  it("opens what it sealed, byte for byte", async () => {
    const sealer = getKeychainSealer("gnome_libsecret");
    const sealed = await sealer.seal(key);
    expect(sealed).toMatch(/^[A-Za-z0-9+/]+=*$/);
    expect(Buffer.from(await sealer.open(sealed))).toStrictEqual(Buffer.from(key));
    expect(sealer.backend).toBe("gnome_libsecret");
  });

  it("fails on what another keychain sealed, and on what is no ciphertext", async () => {
    const sealer = getKeychainSealer("gnome_libsecret");
    const sealed = await sealer.seal(key);
    electron.safeStorage.keychain = "v11b";
    await expect(sealer.open(sealed)).rejects.toThrow("Decryption failed");
    await expect(sealer.open("")).rejects.toThrow("Decryption failed");
  });

  it.runIf(isLinux)(
    "seals nothing with the fixed password when its keyring has gone since, and opens what was",
    needs("Linux"),
    async () => {
      const sealer = getKeychainSealer("gnome_libsecret");
      electron.safeStorage.keychain = "v10";
      await expect(sealer.seal(key)).rejects.toThrow("does not answer any more");
      const weak = await sealedByFixedPassword();
      expect(sealer.isWeak?.(weak)).toBe(true);
      expect(Buffer.from(await sealer.open(weak))).toStrictEqual(Buffer.from(key));
    },
  );
});

describe("findKeychain", () => {
  it("takes the keychain that is there, also where it answers a moment after the start", async () => {
    electron.safeStorage.early = 3;
    const { sealer, notice, late } = await findKeychain([]);
    expect([sealer.backend, notice, late]).toStrictEqual([
      process.platform === "linux" ? "gnome_libsecret" : sealer.backend,
      null,
      null,
    ]);
    expect(sealer.backend).not.toBe("file");
  });

  it("takes a key file that waits for a keychain where none exists", async () => {
    electron.safeStorage.refuses = true;
    const { sealer, notice, late } = await findKeychain([]);
    expect(sealer).toMatchObject({ backend: "file", awaitsKeychain: true });
    expect([notice?.level, late]).toStrictEqual(["warning", null]);
    expect(await sealer.seal(key)).toBe(await fileSealer().seal(key));
  });

  it.runIf(isLinux)(
    "takes no password that is the same everywhere, whatever the keychain is called",
    needs("Linux"),
    async () => {
      electron.safeStorage.keychain = "v10";
      for (const backend of ["gnome_libsecret", "kwallet6", "basic_text"]) {
        electron.safeStorage.backend = backend;
        const { sealer, notice } = await findKeychain([]);
        expect([sealer.backend, notice?.message]).toStrictEqual([
          "file",
          expect.stringContaining("No unlocked keyring"),
        ]);
        const weak = await sealedByFixedPassword();
        expect(sealer.isWeak?.(weak)).toBe(true);
        expect(Buffer.from(await sealer.open(weak))).toStrictEqual(Buffer.from(key));
      }
    },
  );

  it("waits no longer than its limit for a keychain that says nothing, and uses it when it answers after all", async () => {
    electron.safeStorage.available = false;
    const { sealer, notice, late } = await findKeychain(["gnome_libsecret"], 20);
    expect(sealer).toMatchObject({ backend: "file", awaitsKeychain: true });
    // A call to it would not come back.
    expect(sealer.isWeak?.(await sealedByFixedPassword())).toBe(false);
    expect(notice?.message).toContain("did not answer");
    electron.safeStorage.available = true;
    expect(await late).toBeNull();
    expect(sealer.awaitsKeychain).toBe(false);
    expect(sealer.backend).toBe((await findKeychain([])).sealer.backend);
    expect(Buffer.from(await sealer.open(await sealer.seal(key)))).toStrictEqual(Buffer.from(key));
  });

  it("says what is known then, where a silent keychain refuses at last", async () => {
    electron.safeStorage.available = false;
    const { sealer, late } = await findKeychain([], 20);
    Object.assign(electron.safeStorage, { available: true, refuses: true });
    expect((await late)?.message).not.toContain("did not answer");
    expect(sealer).toMatchObject({ backend: "file", awaitsKeychain: true });
  });

  it("never touches the synchronous calls, which Electron 46 removes", () => {
    for (const name of ["isEncryptionAvailable", "encryptString", "decryptString"]) {
      expect(electron.safeStorage, name).not.toHaveProperty(name);
    }
  });
});
