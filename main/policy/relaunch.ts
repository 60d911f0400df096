import { argumentsAgain, SUPERVISED } from "../launch/supervised.mjs";

type Environment = Readonly<Record<string, string | undefined>>;

/** Tells whether an `npm start` waits for this process and restarts it. A packaged app is never started by one. */
export function isSupervised(env: Environment, packaged: boolean): boolean {
  return !packaged && env[SUPERVISED] === "1";
}

/**
 * Returns how Postern is restarted: with its own options and a window, without links. For an AppImage the image is
 * started, because the executable's folder disappears with the process.
 * @param argv `process.argv`, including the executable.
 */
export function relaunchOptions(argv: readonly string[], env: Environment): { args: string[]; execPath?: string } {
  const args = [...argumentsAgain(argv.slice(1))];
  const image = env["APPIMAGE"];
  return image === undefined || image === "" ? { args } : { args, execPath: image };
}

/** Postern's options that have a variable of the same meaning. */
const VARIABLES: Readonly<Record<string, string>> = {
  "--allowed-hosts": "POSTERN_ALLOWED_HOSTS",
  "--allowed-origins": "POSTERN_ALLOWED_ORIGINS",
  "--data-dir": "POSTERN_DATA_DIR",
  "--host": "POSTERN_HOST",
  "--port": "POSTERN_PORT",
};

/**
 * Returns the same options as environment variables, for a start without arguments.
 * @param own Postern's own options, from ownArguments.
 */
export function environmentAgain(own: readonly string[]): Readonly<Record<string, string>> {
  const variables: Record<string, string> = {};
  for (const [index, word] of own.entries()) {
    const [option = "", ...rest] = word.split("=");
    const value = rest.length > 0 ? rest.join("=") : own[index + 1];
    const variable = Object.hasOwn(VARIABLES, option) ? VARIABLES[option] : undefined;
    if (variable !== undefined && value !== undefined) variables[variable] = value;
  }
  return variables;
}
