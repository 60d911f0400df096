import { resolve } from "node:path";

/** Scripts of package.json that are the command itself; a command that another script starts has its own folder. */
const COMMANDS = new Set(["postern", "start"]);

/**
 * Resolves a path of the command line from the folder of its caller: npm runs the scripts of this package in the
 * project's folder, and sets INIT_CWD to the caller's.
 */
export function resolveForCaller(path: string, env: Readonly<Record<string, string | undefined>>): string {
  const isCommand = env["npm_package_name"] === "postern" && COMMANDS.has(env["npm_lifecycle_event"] ?? "");
  return resolve((isCommand ? env["INIT_CWD"] : undefined) ?? "", path);
}
