import type { HistoryAgent } from "../../contract/history.ts";
import { folderFrom, joinPath } from "../clients/place.ts";
import type { Machine } from "../clients/place.ts";
import { copilotForm } from "./copilot-log.ts";
import { geminiForm } from "./gemini-log.ts";
import { GOOSE_ROWS, gooseForm } from "./goose-log.ts";
import type { ObjectForm } from "./object-log.ts";
import { OPENCODE_ROWS, opencodeForm } from "./opencode-log.ts";
import { qwenForm } from "./qwen-log.ts";

/** Places and form of an agent's logs. */
export interface LoggingAgent {
  readonly id: HistoryAgent;
  readonly name: string;
  /** The endpoint that it uses most; receipts of it are compared with its logs. */
  readonly endpoint: "messages" | "responses" | "chat" | "gemini";
  /** Returns its folders on a machine, by its own variables. */
  homes(machine: Machine): readonly string[];
  /** Folders with logs in it, below its own; "" is its own. */
  readonly places: readonly string[];
  /** Paths of logs below such a folder, with `/` between names. */
  readonly files: RegExp;
  /** Query of the rows of a database, whose column `line` is an object as JSON. */
  readonly rows?: string;
  /** How objects are read; null for an agent with a reader of its own. */
  readonly form: ObjectForm | null;
}

const LINES = /\.jsonl$/;

/**
 * Agents and their logs. Claude Code: `projects` in the folders of CLAUDE_CONFIG_DIR, else in `~/.config/claude` and
 * `~/.claude` (https://code.claude.com/docs/en/settings; several folders, separated by commas, as in ccusage). Codex:
 * CODEX_HOME, else `~/.codex` (https://developers.openai.com/codex/config-reference). Qwen Code: QWEN_RUNTIME_DIR or
 * QWEN_HOME, else `~/.qwen`; Gemini CLI: `.gemini` below GEMINI_CLI_HOME, else below the home folder; Copilot CLI:
 * COPILOT_HOME, else `~/.copilot` (all three as the bundles of 0.24.4, 0.61 and 1.0.102 have it, 2026-11-30). opencode:
 * `opencode` below XDG_DATA_HOME (1.18.33). Goose: `goose` there, on Windows `Block\goose\data` below APPDATA
 * (https://goose-docs.ai/docs/guides/logs, 2026-11-30).
 */
export const LOGGING_AGENTS: readonly LoggingAgent[] = [
  {
    id: "claude-code",
    name: "Claude Code",
    endpoint: "messages",
    homes(machine) {
      const listed = listFolders(machine, "CLAUDE_CONFIG_DIR").map((path) => path.replace(/(?<=.)[/\\]projects$/, ""));
      if (listed.length > 0 || machine.home === null) return listed;
      const config = machine.env["XDG_CONFIG_HOME"]?.trim() || joinPath(machine, machine.home, ".config");
      return [joinPath(machine, config, "claude"), joinPath(machine, machine.home, ".claude")];
    },
    places: ["projects"],
    files: LINES,
    form: null,
  },
  {
    id: "codex",
    name: "Codex",
    endpoint: "responses",
    homes(machine) {
      const listed = listFolders(machine, "CODEX_HOME");
      return listed.length > 0 ? listed : atHome(machine, ".codex");
    },
    places: ["sessions", "archived_sessions"],
    files: LINES,
    form: null,
  },
  {
    id: "gemini-cli",
    name: "Gemini CLI",
    endpoint: "gemini",
    homes(machine) {
      const named = folderFrom(machine, "GEMINI_CLI_HOME");
      return named === null ? atHome(machine, ".gemini") : [joinPath(machine, named, ".gemini")];
    },
    places: ["tmp"],
    files: /(?:^|\/)chats\/[^/]+\.jsonl?$/,
    form: geminiForm,
  },
  {
    id: "qwen-code",
    name: "Qwen Code",
    endpoint: "chat",
    homes(machine) {
      const named = folderFrom(machine, "QWEN_RUNTIME_DIR") ?? folderFrom(machine, "QWEN_HOME");
      return named === null ? atHome(machine, ".qwen") : [named];
    },
    places: ["projects"],
    files: /(?:^|\/)chats\/[^/]+\.jsonl$/,
    form: qwenForm,
  },
  {
    id: "copilot-cli",
    name: "Copilot CLI",
    endpoint: "chat",
    homes(machine) {
      const named = folderFrom(machine, "COPILOT_HOME");
      return named === null ? atHome(machine, ".copilot") : [named];
    },
    places: ["session-state"],
    files: /(?:^|\/)events\.jsonl$/,
    form: copilotForm,
  },
  {
    id: "opencode",
    name: "opencode",
    endpoint: "chat",
    homes: (machine) => dataFolders(machine, "opencode"),
    places: [""],
    files: /^opencode(?:-[\w-]+)?\.db$|^storage\/message\/.+\.json$/,
    rows: OPENCODE_ROWS,
    form: opencodeForm,
  },
  {
    id: "goose",
    name: "Goose",
    endpoint: "chat",
    homes(machine) {
      const windows = folderFrom(machine, "APPDATA");
      if (machine.platform !== "win32" || windows === null) return dataFolders(machine, "goose");
      return [joinPath(machine, windows, "Block", "goose", "data")];
    },
    places: ["sessions"],
    files: /^sessions\.db$/,
    rows: GOOSE_ROWS,
    form: gooseForm,
  },
];

/** Returns what is known of an agent's logs. */
export function getLoggingAgent(id: HistoryAgent): LoggingAgent {
  const agent = LOGGING_AGENTS.find((each) => each.id === id);
  if (agent === undefined) throw new Error(`${id} has no logs`);
  return agent;
}

/** A folder in which an agent stores its logs. */
export interface LogFolder {
  readonly agent: HistoryAgent;
  /** Name known to users: `~/.claude`. */
  readonly home: string;
  /** Folders with logs in it. */
  readonly logs: readonly string[];
}

/** Returns the folders in which agents keep their logs on a machine. */
export function usualFolders(machine: Machine): readonly LogFolder[] {
  return LOGGING_AGENTS.flatMap((agent) => agent.homes(machine).map((home) => getFolder(machine, agent, home)));
}

/** Returns the possible meanings of a folder that the owner names: any agent's, or the folder of its logs itself. */
export function namedFolders(machine: Machine, path: string): readonly LogFolder[] {
  const plain = path.trim().replace(/(?<=[^/\\])[/\\]+$/, "");
  return LOGGING_AGENTS.map((agent) => {
    const place = agent.places.find((name) => name !== "" && /[/\\]([^/\\]+)$/.exec(plain)?.[1] === name);
    return getFolder(machine, agent, place === undefined ? plain : plain.slice(0, -place.length - 1));
  });
}

function getFolder(machine: Machine, { id, places }: LoggingAgent, home: string): LogFolder {
  return { agent: id, home, logs: places.map((name) => (name === "" ? home : joinPath(machine, home, name))) };
}

const atHome = (machine: Machine, name: string): readonly string[] =>
  machine.home === null ? [] : [joinPath(machine, machine.home, name)];

function dataFolders(machine: Machine, name: string): readonly string[] {
  const data = folderFrom(machine, "XDG_DATA_HOME");
  if (data !== null) return [joinPath(machine, data, name)];
  return machine.home === null ? [] : [joinPath(machine, machine.home, ".local", "share", name)];
}

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
