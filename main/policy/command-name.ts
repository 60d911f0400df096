export interface InstalledProgram {
  readonly platform: NodeJS.Platform;
  /** `process.execPath`. */
  readonly executable: string;
  /** The AppImage that it runs from. */
  readonly appImage: string | undefined;
}

/**
 * Returns how a terminal runs the command of an installed app: by name if the package put it into PATH, else by path.
 */
export function findCommandName({ platform, executable, appImage }: InstalledProgram): string {
  if (platform === "darwin") return quote(executable.replace(/[^/]+\/[^/]+$/, "Resources/bin/postern"));
  if (platform === "win32") return quote(executable.replace(/[^\\]+$/, String.raw`resources\bin\postern.cmd`));
  return appImage === undefined ? "postern" : quote(appImage);
}

const quote = (path: string): string => (/\s/.test(path) ? `"${path}"` : path);
