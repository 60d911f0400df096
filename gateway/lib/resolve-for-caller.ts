import { resolve } from "node:path";

/**
 * Resolves a path of the command line from the folder of its caller: npm runs the scripts of this package in the project's
 * folder, and says in INIT_CWD where it was called.
 */
export function resolveForCaller(path: string, env: Readonly<Record<string, string | undefined>>): string {
  const folder = env["npm_package_name"] === "postern" ? env["INIT_CWD"] : undefined;
  return resolve(folder ?? "", path);
}
