import { findCommandName } from "./policy/command-name.ts";

/** Makes hints and errors use the command name as called here, not npm's. An installer's own launcher sets it first. */
export function nameCommand(): void {
  const { platform, execPath: executable, env } = process;
  env["POSTERN_COMMAND"] ??= findCommandName({ platform, executable, appImage: env["APPIMAGE"] });
}
