import { findCommandName } from "./policy/command-name.ts";

/** Has hints and errors name the command as it is called here, not npm's. An installer's own launcher names it first. */
export function nameCommand(): void {
  const { platform, execPath: executable, env } = process;
  env["POSTERN_COMMAND"] ??= findCommandName({ platform, executable, appImage: env["APPIMAGE"] });
}
