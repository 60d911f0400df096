import { describe, expect, it } from "vitest";
import { chooseKeychain } from "../../../main/policy/keychain.ts";

describe("chooseKeychain", () => {
  it.each([
    ["darwin", null, "macos-keychain"],
    ["win32", null, "windows-dpapi"],
    ["linux", "gnome_libsecret", "gnome_libsecret"],
    ["linux", "kwallet6", "kwallet6"],
  ] as const)("on %s with %s a new folder is sealed with %s", (platform, linuxBackend, backend) => {
    const facts = { platform, isAvailable: true, linuxBackend, sealedBy: [] };
    expect(chooseKeychain(facts)).toStrictEqual({ use: "keychain", backend });
    expect(chooseKeychain({ ...facts, sealedBy: [backend] })).toStrictEqual({ use: "keychain", backend });
  });

  it.each([
    ["linux", "basic_text", true],
    ["linux", "basic_text", false],
    ["linux", "unknown", true],
    ["linux", "gnome_libsecret", false],
    ["darwin", null, false],
    ["win32", null, false],
  ] as const)(
    "on %s with %s, available %s, a new folder has a key file, with a warning",
    (platform, linuxBackend, isAvailable) => {
      const choice = chooseKeychain({ platform, isAvailable, linuxBackend, sealedBy: [] });
      expect(choice).toMatchObject({ use: "file", notice: { level: "warning" } });
      expect(choice).toHaveProperty(
        "notice.message",
        expect.stringContaining("provider keys are encrypted with a key file"),
      );
    },
  );

  it.each([
    ["linux", "gnome_libsecret", true],
    ["linux", "basic_text", false],
    ["darwin", null, true],
  ] as const)(
    "on %s with %s a folder that was first used headless keeps its key file",
    (platform, linuxBackend, isAvailable) => {
      const choice = chooseKeychain({ platform, isAvailable, linuxBackend, sealedBy: ["file"] });
      expect(choice).toMatchObject({ use: "file", notice: { level: "info" } });
    },
  );

  it.each([
    ["linux", "basic_text", true, ["kwallet6"], "kwallet6"],
    ["linux", "gnome_libsecret", false, ["gnome_libsecret"], "gnome_libsecret"],
    ["linux", "unknown", true, ["file", "gnome_libsecret"], "gnome_libsecret"],
    ["darwin", null, false, ["macos-keychain"], "macos-keychain"],
    ["win32", null, false, ["file", "windows-dpapi"], "windows-dpapi"],
  ] as const)(
    "on %s with %s, available %s, a folder sealed by %j is told that %s is missing, and has a key file for new keys",
    (platform, linuxBackend, isAvailable, sealedBy, missing) => {
      const choice = chooseKeychain({ platform, isAvailable, linuxBackend, sealedBy });
      expect(choice).toMatchObject({ use: "file", notice: { level: "warning" } });
      expect(choice).toHaveProperty("notice.message", expect.stringContaining(`(${missing}) was not found`));
    },
  );

  it.each([
    ["linux", "gnome_libsecret", ["file", "gnome_libsecret"]],
    ["darwin", null, ["file", "macos-keychain"]],
    ["linux", "gnome_libsecret", ["gnome_libsecret", "file"]],
  ] as const)("on %s with %s, back again after %j, the keychain is asked", (platform, linuxBackend, sealedBy) => {
    const choice = chooseKeychain({ platform, isAvailable: true, linuxBackend, sealedBy });
    expect(choice).toHaveProperty("use", "keychain");
  });

  it("names a swapped keychain as it is, so that the store notices", () => {
    const facts = {
      platform: "linux",
      isAvailable: true,
      linuxBackend: "kwallet5",
      sealedBy: ["gnome_libsecret"],
    } as const;
    expect(chooseKeychain(facts)).toStrictEqual({ use: "keychain", backend: "kwallet5" });
  });
});
