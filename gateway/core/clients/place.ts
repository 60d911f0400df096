/** Facts of this machine, passed in, which determine the paths of clients' files. */
export interface Machine {
  readonly platform: "darwin" | "linux" | "win32";
  /** The home folder of the person who runs Postern; null when the environment names none. */
  readonly home: string | null;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A file of a client. */
export interface Place {
  readonly path: string;
  /** File that takes precedence and is written instead if it exists. */
  readonly instead?: string;
  /** A folder that must be there; folders below it are made. */
  readonly base: string;
  /** Folder that the client uses as a lock while it writes the file; null if it has no lock. */
  readonly lock: string | null;
}

/** Joins path parts with the machine's separator. */
export function joinPath(machine: Machine, ...parts: readonly string[]): string {
  const separator = machine.platform === "win32" ? "\\" : "/";
  const [first = "", ...rest] = parts;
  return [first.replace(/(?<![/\\])[/\\]+$/, ""), ...rest].join(separator);
}

/** An absolute path from the environment, or null. Relative ones depend on where the client is started. */
export function folderFrom(machine: Machine, name: string): string | null {
  const value = machine.env[name]?.trim() ?? "";
  const absolute = machine.platform === "win32" ? /^[A-Za-z]:[\\/]|^\\\\/.test(value) : value.startsWith("/");
  return absolute ? value : null;
}

/** A file below the home folder; null when there is no home folder. */
export function inHome(machine: Machine, ...parts: readonly string[]): Place | null {
  const { home } = machine;
  return home === null ? null : { path: joinPath(machine, home, ...parts), base: home, lock: null };
}

/** A file in a folder that the environment may name, which must be there then. */
export function inFolder(
  machine: Machine,
  variable: string,
  file: string | readonly string[],
  usual: readonly string[],
): Place | null {
  const named = folderFrom(machine, variable);
  const below = [file].flat();
  if (named !== null) return { path: joinPath(machine, named, ...below), base: named, lock: null };
  return inHome(machine, ...usual, ...below);
}

/** A file below the folder of configuration: XDG_CONFIG_HOME, else `~/.config`. */
export function inConfig(machine: Machine, ...parts: readonly string[]): Place | null {
  const config = folderFrom(machine, "XDG_CONFIG_HOME");
  if (config === null) return inHome(machine, ".config", ...parts);
  return { path: joinPath(machine, config, ...parts), base: config, lock: null };
}

/** Returns a file below the folder of desktop apps' settings; `roaming` chooses between Windows' two. */
export function inAppData(machine: Machine, roaming: "APPDATA" | "LOCALAPPDATA", ...parts: string[]): Place | null {
  if (machine.platform === "darwin") return inHome(machine, "Library", "Application Support", ...parts);
  if (machine.platform === "linux") return inConfig(machine, ...parts);
  const folder = folderFrom(machine, roaming);
  return folder === null ? null : { path: joinPath(machine, folder, ...parts), base: folder, lock: null };
}
