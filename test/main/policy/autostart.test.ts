import { describe, expect, it } from "vitest";
import {
  getAutostartFolder,
  createAutostartWay,
  isEntryOn,
  getProgram,
  withProgram,
  type AutostartFacts,
} from "../../../main/policy/autostart.ts";

const facts: AutostartFacts = {
  platform: "linux",
  isPackaged: true,
  executable: "/opt/Postern/postern",
  appImage: null,
  own: [],
};
const commandOf = (change: Partial<AutostartFacts>): string | undefined => {
  const found = createAutostartWay({ ...facts, ...change });
  if (found.way !== "file") throw new Error(`it is ${found.way}`);
  return found.text?.split("\n").find((line) => line.startsWith("Exec="));
};

describe("autostartWay", () => {
  it.each([
    ["linux", false, "none"],
    ["darwin", false, "none"],
    ["linux", true, "file"],
    ["darwin", true, "login-item"],
    ["win32", true, "login-item"],
    ["freebsd", true, "none"],
  ] as const)("on %s, installed %s: %s", (platform, isPackaged, expected) => {
    expect(createAutostartWay({ ...facts, platform, isPackaged }).way).toBe(expected);
  });

  it("starts without a window, and as this start was reported", () => {
    const own = ["--data-dir", "C:\\Data", "--json"];
    const expected = { way: "login-item", args: ["--hidden", "--data-dir", "C:\\Data"] };
    expect(createAutostartWay({ ...facts, platform: "win32", own })).toStrictEqual(expected);
  });

  it.each([
    [{}, 'Exec="/opt/Postern/postern" "--hidden"'],
    [{ appImage: "/home/ann/Apps/Postern 1.AppImage" }, 'Exec="/home/ann/Apps/Postern 1.AppImage" "--hidden"'],
    [{ executable: "/a/100%/p" }, 'Exec="/a/100%%/p" "--hidden"'],
    [{ executable: '/a/"q"/$HOME/`x`' }, String.raw`Exec="/a/\\"q\\"/\\$HOME/\\${"`"}x\\${"`"}" "--hidden"`],
    [{ executable: "/a\\b" }, String.raw`Exec="/a\\\\b" "--hidden"`],
    [{ executable: "/a\nExec=evil" }, undefined],
    [{ own: ["--port", "0"] }, 'Exec="/opt/Postern/postern" "--hidden" "--port" "0"'],
  ])("with %j writes %s", (change, expected) => {
    expect(commandOf(change)).toBe(expected);
  });

  it.each([
    [{}, "TryExec=/opt/Postern/postern"],
    [{ appImage: "/home/ann/Apps/Postern 1.AppImage" }, "TryExec=/home/ann/Apps/Postern 1.AppImage"],
    [{ executable: "/a\\b" }, String.raw`TryExec=/a\\b`],
  ])("with %j has the session pass over it once the program is gone: %s", (change, expected) => {
    const found = createAutostartWay({ ...facts, ...change });
    expect(found.way === "file" && found.text?.split("\n")).toContain(expected);
  });
});

it.each([
  [{ HOME: "/home/ann" }, "/home/ann/.config/autostart"],
  [{ HOME: "/home/ann", XDG_CONFIG_HOME: "/cfg/" }, "/cfg/autostart"],
  [{ HOME: "/home/ann", XDG_CONFIG_HOME: "cfg" }, "/home/ann/.config/autostart"],
  [{ HOME: "" }, null],
  [{}, null],
])("with %j the files are in %s", (env, expected) => {
  expect(getAutostartFolder(env)).toBe(expected);
});

it.each([
  ["[Desktop Entry]\nExec=x\n", true],
  ["Hidden=true", false],
  ["hidden = TRUE\r\n", false],
  ["X-GNOME-Autostart-enabled=false", false],
  ["X-GNOME-Autostart-enabled=true\nHidden=false", true],
])("an entry of %j is on: %s", (text, expected) => {
  expect(isEntryOn(text)).toBe(expected);
});

describe("the program of an autostart file", () => {
  it.each(["/opt/Postern/postern", "/home/ann/Apps/Postern 1.AppImage", "/a/100%/p", '/a/"q"/$HOME/`x`', "/a\\b"])(
    "is read as it was written: %s",
    (executable) => {
      const found = createAutostartWay({ ...facts, executable, own: ["--data-dir", String.raw`/50%/\"`] });
      const text = found.way === "file" ? found.text! : "";
      expect(getProgram(text)).toBe(executable);
      const other = createAutostartWay({ ...facts, own: ["--data-dir", String.raw`/50%/\"`] });
      expect(withProgram(text, facts.executable)).toBe(other.way === "file" ? other.text : "");
    },
  );

  it.each([
    ["Exec=/usr/bin/postern --hidden", "/usr/bin/postern"],
    ["Exec=postern --hidden", null],
    ["Type=Application", null],
    ['Exec="', null],
  ])("of %s is %s", (line, expected) => {
    expect(getProgram(`[Desktop Entry]\n${line}\n`)).toBe(expected);
  });

  it("is followed by the line that asks whether it is there", () => {
    const before = 'Exec="/a" "--hidden"\nTryExec=/a\n';
    expect(withProgram(before, "/b/Postern 2.AppImage")).toBe(
      'Exec="/b/Postern 2.AppImage" "--hidden"\nTryExec=/b/Postern 2.AppImage\n',
    );
  });

  it("is not changed to one that the format cannot hold", () => {
    expect(withProgram('Exec="/a" "--hidden"\n', "/b\nExec=evil")).toBeNull();
  });
});
