import { expect, test } from "vitest";
import { defaultDataDir } from "../../../../gateway/store/folder/data-dir.ts";

test.each([
  ["linux", { HOME: "/home/ada" }, "/home/ada/.local/share/postern"],
  ["linux", { HOME: "/home/ada", XDG_DATA_HOME: "/data" }, "/data/postern"],
  ["linux", { HOME: "/home/ada", XDG_DATA_HOME: "relative" }, "/home/ada/.local/share/postern"],
  ["freebsd", { HOME: "/home/ada" }, "/home/ada/.local/share/postern"],
  ["darwin", { HOME: "/Users/ada" }, "/Users/ada/Library/Application Support/Postern"],
  ["win32", { APPDATA: "C:\\Users\\ada\\AppData\\Roaming" }, "C:\\Users\\ada\\AppData\\Roaming\\Postern"],
  ["win32", { USERPROFILE: "C:\\Users\\ada" }, "C:\\Users\\ada\\AppData\\Roaming\\Postern"],
] as const)("%s with %o keeps data in %s", (platform, env, expected) => {
  expect(defaultDataDir(platform, env)).toBe(expected);
});

test("without a home it says how to name a folder", () => {
  expect(() => defaultDataDir("linux", {})).toThrow(/--data-dir/);
});
