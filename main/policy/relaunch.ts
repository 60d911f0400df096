import { HIDDEN } from "./autostart.ts";

/**
 * How Postern is started again. As it was, but with a window, and without a link that somebody else made. From an
 * AppImage it is the image that is started: the executable lies in a folder that goes away with the process.
 * @param argv `process.argv`, with the executable first.
 */
export function relaunchOptions(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): { args: string[]; execPath?: string } {
  const end = argv.findIndex((word) => word === "--" || /^postern:/i.test(word));
  const args = argv.slice(1, end === -1 ? undefined : end).filter((word) => word !== HIDDEN);
  const image = env["APPIMAGE"];
  return image === undefined || image === "" ? { args } : { args, execPath: image };
}
