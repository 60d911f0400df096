import type { HistoryAgent } from "../../contract/history.ts";
import { joinPath } from "../clients/place.ts";
import type { Machine } from "../clients/place.ts";

/** A folder in which an agent stores its logs. */
export interface LogFolder {
  readonly agent: HistoryAgent;
  /** Name known to users: `~/.claude`. */
  readonly home: string;
  /** Folders with logs in it. */
  readonly logs: readonly string[];
}

/**
 * Returns the folders in which agents keep their logs on a machine. Claude Code: `projects` in the folders of
 * CLAUDE_CONFIG_DIR, else in `~/.config/claude` and `~/.claude` (https://code.claude.com/docs/en/settings; several
 * folders, separated by commas, as in ccusage). Codex: `sessions` and `archived_sessions` in CODEX_HOME, else in
 * `~/.codex` (https://developers.openai.com/codex/config-reference).
 */
export function usualFolders(machine: Machine): readonly LogFolder[] {
  const { home, env } = machine;
  const claude = listFolders(machine, "CLAUDE_CONFIG_DIR").map(withoutProjects);
  const codex = listFolders(machine, "CODEX_HOME");
  const config = env["XDG_CONFIG_HOME"]?.trim() ?? "";
  if (claude.length === 0 && home !== null)
    claude.push(
      joinPath(machine, config === "" ? joinPath(machine, home, ".config") : config, "claude"),
      joinPath(machine, home, ".claude"),
    );
  if (codex.length === 0 && home !== null) codex.push(joinPath(machine, home, ".codex"));
  return [...claude.map((path) => claudeFolder(machine, path)), ...codex.map((path) => codexFolder(machine, path))];
}

/** Returns the possible meanings of a folder that the owner names: either agent's, or the folder of its logs itself. */
export function namedFolders(machine: Machine, path: string): readonly LogFolder[] {
  const plain = path.trim().replace(/(?<=[^/\\])[/\\]+$/, "");
  return [claudeFolder(machine, withoutProjects(plain)), codexFolder(machine, withoutSessions(plain))];
}

const claudeFolder = (machine: Machine, home: string): LogFolder => ({
  agent: "claude-code",
  home,
  logs: [joinPath(machine, home, "projects")],
});

const codexFolder = (machine: Machine, home: string): LogFolder => ({
  agent: "codex",
  home,
  logs: [joinPath(machine, home, "sessions"), joinPath(machine, home, "archived_sessions")],
});

const withoutProjects = (path: string): string => path.replace(/(?<=.)[/\\]projects[/\\]?$/, "");
const withoutSessions = (path: string): string => path.replace(/(?<=.)[/\\](?:archived_)?sessions[/\\]?$/, "");

/**
 * Splits a variable into comma-separated paths; `~` is the home folder. Relative paths depend on the shell's folder.
 */
function listFolders({ platform, home, env }: Machine, name: string): string[] {
  return (env[name] ?? "")
    .split(",")
    .map((part) => part.trim())
    .map((part) => (home !== null && /^~(?=[/\\]|$)/.test(part) ? home + part.slice(1) : part))
    .filter((part) => (platform === "win32" ? /^[A-Za-z]:[\\/]|^\\\\/.test(part) : part.startsWith("/")));
}
