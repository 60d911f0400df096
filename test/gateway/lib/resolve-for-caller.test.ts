import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { resolveForCaller } from "../../../gateway/lib/resolve-for-caller.ts";

const caller = resolve("/somewhere/else");

it.each([
  ["by npm in another folder", { npm_package_name: "postern", INIT_CWD: caller }, join(caller, "team.yaml")],
  ["by a script of another package", { npm_package_name: "other", INIT_CWD: caller }, resolve("team.yaml")],
  ["without npm", {}, resolve("team.yaml")],
])("a path is that of who calls %s", (_, env, path) => {
  expect(resolveForCaller("team.yaml", env)).toBe(path);
  expect(resolveForCaller(resolve("/etc/team.yaml"), env)).toBe(resolve("/etc/team.yaml"));
});
