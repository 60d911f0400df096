import { argumentsAgain, SUPERVISED } from "../launch/supervised.mjs";

type Environment = Readonly<Record<string, string | undefined>>;

/** Whether an `npm start` waits for this process and starts it again. A package was never started by one. */
export function isSupervised(env: Environment, packaged: boolean): boolean {
  return !packaged && env[SUPERVISED] === "1";
}

/**
 * How Postern is started again. As it was, but with a window, and without a link that someone else made. From an
 * AppImage it is the image that is started: the executable lies in a folder that goes away with the process.
 * @param argv `process.argv`, with the executable first.
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
 * Gives the same options as variables, for a start that takes no arguments.
 * @param own Postern's own options, as ownArguments gives them.
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
