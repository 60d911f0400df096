import { expect, it } from "vitest";
import { findCommandName } from "../../../main/policy/command-name.ts";

it.each([
  ["linux", "/opt/Postern/postern", undefined, "postern"],
  ["linux", "/tmp/.mount_x/postern", "/opt/apps/Postern.AppImage", "/opt/apps/Postern.AppImage"],
  ["linux", "/tmp/.mount_x/postern", "/opt/my apps/P.AppImage", '"/opt/my apps/P.AppImage"'],
  [
    "darwin",
    "/Applications/Postern.app/Contents/MacOS/Postern",
    undefined,
    "/Applications/Postern.app/Contents/Resources/bin/postern",
  ],
  ["win32", String.raw`C:\Apps\Postern\Postern.exe`, undefined, String.raw`C:\Apps\Postern\resources\bin\postern.cmd`],
  [
    "win32",
    String.raw`C:\Program Files\Postern\Postern.exe`,
    undefined,
    String.raw`"C:\Program Files\Postern\resources\bin\postern.cmd"`,
  ],
] as const)("is called on %s, of %s, as a terminal finds it", (platform, executable, appImage, command) => {
  expect(findCommandName({ platform, executable, appImage })).toBe(command);
});
