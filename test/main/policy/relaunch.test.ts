import { expect, it } from "vitest";
import { environmentAgain, isSupervised, relaunchOptions } from "../../../main/policy/relaunch.ts";

it.each([
  [["postern"], {}, { args: [] }],
  [["electron", "out/main/index.mjs", "--port", "0"], {}, { args: ["out/main/index.mjs", "--port", "0"] }],
  [["postern", "--hidden", "--data-dir", "/d"], {}, { args: ["--data-dir", "/d"] }],
  [["postern", "--json", "--", "postern://key?name=x"], {}, { args: ["--json"] }],
  [["postern", "postern://key", "--host", "0.0.0.0"], {}, { args: [] }],
  [["/run/mounted/postern"], { APPIMAGE: "/a/P.AppImage" }, { args: [], execPath: "/a/P.AppImage" }],
])("from %j with %j it starts again with %j", (argv, env, expected) => {
  expect(relaunchOptions(argv, env)).toStrictEqual(expected);
});

it.each([
  [{ POSTERN_SUPERVISED: "1" }, false, true],
  [{ POSTERN_SUPERVISED: "1" }, true, false],
  [{ POSTERN_SUPERVISED: "" }, false, false],
  [{}, false, false],
])("with %j, packaged %s, an npm start waits for it: %s", (env, packaged, expected) => {
  expect(isSupervised(env, packaged)).toBe(expected);
});

it.each([
  [[], {}],
  [["--port", "0", "--json"], { POSTERN_PORT: "0" }],
  [["--data-dir=/a=b", "--host", "::1"], { POSTERN_DATA_DIR: "/a=b", POSTERN_HOST: "::1" }],
  [
    ["--allowed-hosts=nas", "--allowed-origins", "app://x"],
    { POSTERN_ALLOWED_HOSTS: "nas", POSTERN_ALLOWED_ORIGINS: "app://x" },
  ],
  [["--headless", "--data-dir"], {}],
])("the options %j are the variables %j", (own, expected) => {
  expect(environmentAgain(own)).toStrictEqual(expected);
});
