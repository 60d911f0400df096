/** Starts without a window: how the session starts Postern. */
export const HIDDEN = "--hidden";

export interface AutostartFacts {
  readonly platform: NodeJS.Platform;
  /** A working copy is started manually: there is no installed program for the session to start. */
  readonly isPackaged: boolean;
  /** `process.execPath`. */
  readonly executable: string;
  /** AppImage that it runs from: its executable disappears at exit. */
  readonly appImage: string | null;
  /** Postern's own options of this start. */
  readonly own: readonly string[];
}

export type AutostartWay =
  | { readonly way: "none" }
  /** macOS and Windows manage their own lists. */
  | { readonly way: "login-item"; readonly args: readonly string[] }
  /** XDG: a file in the autostart folder. Null when this start cannot be written into one. */
  | { readonly way: "file"; readonly text: string | null };

/** Returns how the login session can start Postern here, with the current data folder and port if they were given. */
export function createAutostartWay(facts: AutostartFacts): AutostartWay {
  if (!facts.isPackaged) return { way: "none" };
  const args = [HIDDEN, ...facts.own.filter((word) => word !== "--json")];
  if (facts.platform === "darwin" || facts.platform === "win32") return { way: "login-item", args };
  if (facts.platform !== "linux") return { way: "none" };
  return { way: "file", text: getDesktopEntry([facts.appImage ?? facts.executable, ...args]) };
}

/** The file's name in `autostart`; one for each user, like the list of the other systems. */
export const AUTOSTART_FILE = "postern.desktop";

/**
 * Returns the folder of the session's autostart files.
 * @returns null if the environment has neither it nor a home.
 */
export function getAutostartFolder(env: Readonly<Record<string, string | undefined>>): string | null {
  const config = env["XDG_CONFIG_HOME"];
  // A relative path must be ignored, says the specification.
  if (config?.startsWith("/") === true) return `${config.replace(/\/+$/, "")}/autostart`;
  const home = env["HOME"];
  return home?.startsWith("/") === true ? `${home.replace(/\/+$/, "")}/.config/autostart` : null;
}

/** Whether an autostart file starts Postern: sessions switch entries off by a line of their own. */
export function isEntryOn(text: string): boolean {
  return !/^\s*(Hidden\s*=\s*true|X-GNOME-Autostart-enabled\s*=\s*false)\s*$/im.test(text);
}

function getDesktopEntry(command: readonly string[]): string | null {
  // The format is line-based and cannot escape control characters.
  if (command.some((word) => /\p{Cc}/u.test(word))) return null;
  return [
    "[Desktop Entry]",
    "Type=Application",
    "Name=Postern",
    "Comment=One local key and one base URL for every AI model you have access to",
    `Exec=${command.map(quote).join(" ")}`,
    getTryLine(command[0] ?? ""),
    "Terminal=false",
    "X-GNOME-Autostart-enabled=true",
    "",
  ].join("\n");
}

/** Has a session pass over the file once the program is gone: an uninstall does not know of it. */
const getTryLine = (program: string): string => `TryExec=${program.replaceAll("\\", "\\\\")}`;

/** Follows the Desktop Entry Specification: quoted as an argument, then escaped as a string, `%` doubled. */
function quote(word: string): string {
  const argument = `"${word.replaceAll(/["`$\\]/g, String.raw`\$&`)}"`;
  return argument.replaceAll("\\", "\\\\").replaceAll("%", "%%");
}

/**
 * Parses the command of an autostart file into its program as quoted, and the rest.
 * @returns null without a command.
 */
function readCommand(text: string): { readonly program: string; readonly rest: string } | null {
  const value = /^Exec=(.*)$/m.exec(text)?.[1]?.replaceAll("\\\\", "\\") ?? "";
  const [, program, rest] = /^("(?:[^"\\]|\\.)*"|[^"\s]+)(.*)$/.exec(value) ?? [];
  return program === undefined || rest === undefined ? null : { program, rest };
}

/**
 * Returns the program of an autostart file.
 * @returns null without an absolute path.
 */
export function getProgram(text: string): string | null {
  const written = readCommand(text)?.program.replaceAll("%%", "%") ?? "";
  const program = written.startsWith('"') ? written.slice(1, -1).replaceAll(/\\(.)/g, "$1") : written;
  return program.startsWith("/") ? program : null;
}

/**
 * Replaces the program in the file, with the same arguments.
 * @returns null if it has no command, or the program's path cannot be escaped.
 */
export function withProgram(text: string, program: string): string | null {
  const command = readCommand(text);
  if (command === null || /\p{Cc}/u.test(program)) return null;
  const rest = command.rest.replaceAll("\\", "\\\\");
  return text
    .replace(/^Exec=.*$/m, () => `Exec=${quote(program)}${rest}`)
    .replace(/^TryExec=.*$/m, () => getTryLine(program));
}
