import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { resolveForCaller } from "../../../gateway/lib/resolve-for-caller.ts";

const caller = resolve("/somewhere/else");
const npm = (name: string, script: string) => ({
  npm_package_name: name,
  npm_lifecycle_event: script,
  INIT_CWD: caller,
});

it.each([
  ["by npm in another folder", npm("postern", "postern"), join(caller, "team.yaml")],
  ["by npm start in another folder", npm("postern", "start"), join(caller, "team.yaml")],
  ["from another script of this package", npm("postern", "test"), resolve("team.yaml")],
  ["by a script of another package", npm("other", "start"), resolve("team.yaml")],
  ["without npm", {}, resolve("team.yaml")],
])("a path is that of who calls %s", (_, env, path) => {
  expect(resolveForCaller("team.yaml", env)).toBe(path);
  expect(resolveForCaller(resolve("/etc/team.yaml"), env)).toBe(resolve("/etc/team.yaml"));
});
