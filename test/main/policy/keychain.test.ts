import { describe, expect, it } from "vitest";
import { chooseKeychain } from "../../../main/policy/keychain.ts";

describe("chooseKeychain", () => {
  it.each([
    ["darwin", null, "macos-keychain"],
    ["win32", null, "windows-dpapi"],
    ["linux", "gnome_libsecret", "gnome_libsecret"],
    ["linux", "kwallet6", "kwallet6"],
  ] as const)("on %s with %s it seals with %s", (platform, linuxBackend, backend) => {
    expect(chooseKeychain({ platform, isAvailable: true, linuxBackend })).toStrictEqual({ use: "keychain", backend });
  });

  it.each([
    ["linux", "basic_text", true],
    ["linux", "basic_text", false],
    ["linux", "unknown", true],
    ["linux", "gnome_libsecret", false],
    ["darwin", null, false],
    ["win32", null, false],
  ] as const)("on %s with %s, available %s, it uses a key file and says so", (platform, linuxBackend, isAvailable) => {
    const choice = chooseKeychain({ platform, isAvailable, linuxBackend });
    expect(choice.use).toBe("file");
    expect(choice).toHaveProperty("warning", expect.stringContaining("vendor keys are sealed with a key file"));
  });
});
