import { describe, expect, it } from "vitest";
import { chooseKeychain, isFixedPassword, getPasswordStore } from "../../../main/policy/keychain.ts";

describe("chooseKeychain", () => {
  it.each([
    ["darwin", null, "macos-keychain"],
    ["win32", null, "windows-dpapi"],
    ["linux", "gnome_libsecret", "gnome_libsecret"],
    ["linux", "kwallet", "kwallet"],
    ["linux", "kwallet6", "kwallet6"],
    // No desktop is named, or an unknown one: it is the Secret Service that has answered all the same.
    ["linux", "basic_text", "gnome_libsecret"],
    ["linux", "unknown", "gnome_libsecret"],
  ] as const)("on %s with %s that opens what it seals, keys are sealed with %s", (platform, linuxBackend, backend) => {
    for (const sealedBy of [[], [backend], ["file"], ["file", backend], [backend, "file"], ["kwallet5"]]) {
      const choice = chooseKeychain({ platform, probe: "opened", linuxBackend, sealedBy });
      expect(choice).toStrictEqual({ use: "keychain", backend });
    }
  });

  it.each([
    ["linux", "gnome_libsecret", "none", /^No unlocked keyring was found: .* install and unlock .* restart Postern/],
    ["linux", "basic_text", "none", /^No unlocked keyring was found/],
    ["linux", "gnome_libsecret", "silent", /^The keyring did not answer within 5 seconds: .* waiting for its password/],
    ["darwin", null, "none", /^The keychain is not available/],
    ["darwin", null, "silent", /^The keychain did not answer within 5 seconds/],
    ["win32", null, "none", /^The keychain is not available/],
  ] as const)("on %s with %s, which said %s, a folder without a keychain's keys has a key file", (...row) => {
    const [platform, linuxBackend, probe, message] = row;
    for (const sealedBy of [[], ["file"]]) {
      const choice = chooseKeychain({ platform, probe, linuxBackend, sealedBy });
      expect(choice).toMatchObject({ use: "file", notice: { level: "warning" } });
      expect(choice).toHaveProperty("notice.message", expect.stringMatching(message));
      expect(choice).toHaveProperty(
        "notice.message",
        expect.stringMatching(/rovider keys are encrypted with a key file that only your account can read/),
      );
    }
  });

  it.each([
    ["linux", "basic_text", "none", ["kwallet6"], "(kwallet6) is locked or was not found"],
    ["linux", "gnome_libsecret", "none", ["gnome_libsecret"], "(gnome_libsecret) is locked or was not found"],
    ["linux", "gnome_libsecret", "silent", ["gnome_libsecret"], "(gnome_libsecret) did not answer within 5 seconds"],
    ["linux", "unknown", "none", ["file", "gnome_libsecret"], "(gnome_libsecret) is locked or was not found"],
    ["darwin", null, "none", ["macos-keychain"], "(macos-keychain) is locked or was not found"],
    ["win32", null, "none", ["file", "windows-dpapi"], "(windows-dpapi) is locked or was not found"],
  ] as const)("on %s with %s, which said %s, a folder sealed by %j is reported: %s", (...row) => {
    const [platform, linuxBackend, probe, sealedBy, words] = row;
    const choice = chooseKeychain({ platform, probe, linuxBackend, sealedBy });
    expect(choice).toMatchObject({ use: "file", notice: { level: "warning" } });
    expect(choice).toHaveProperty("notice.message", expect.stringContaining(words));
    expect(choice).toHaveProperty(
      "notice.message",
      expect.stringMatching(/stays as it is and opens again (?:with it|as soon as it answers)/),
    );
  });
});

it.each([
  ["linux", "v10", true],
  ["linux", "v11", false],
  ["linux", "v12", false],
  ["darwin", "v10", false],
  ["win32", "v10", false],
  ["linux", "", false],
] as const)("on %s a ciphertext that begins with %j has a fixed password: %s", (platform, prefix, fixed) => {
  expect(isFixedPassword(platform, Buffer.from(`${prefix}rest`))).toBe(fixed);
});

it.each([
  // What sealed the folder's keys is asked in every desktop.
  [["gnome_libsecret"], [], "gnome-libsecret"],
  [["gnome_libsecret"], ["kwallet5", "kwallet6"], "gnome-libsecret"],
  [["file", "gnome_libsecret", "kwallet5"], ["kwallet5"], "gnome-libsecret"],
  [["kwallet5"], ["kwallet5", "kwallet6"], "kwallet5"],
  [["kwallet5", "gnome_libsecret"], ["kwallet5"], "kwallet5"],
  // KDE's next version took its wallet over.
  [["kwallet5"], ["kwallet6"], "kwallet6"],
  [["kwallet5"], [], "gnome-libsecret"],
  // A new folder: by the desktop, but for KDE without a wallet.
  [[], [], "gnome-libsecret"],
  [["file"], [], "gnome-libsecret"],
  [[], ["kwallet6"], null],
  [["file"], ["kwallet5"], null],
  // Of another system.
  [["macos-keychain"], ["kwallet6"], null],
] as const)("keys sealed by %j, with %j installed: Chromium is reported %s", (sealedBy, wallets, store) => {
  expect(getPasswordStore(sealedBy, wallets)).toBe(store);
});
