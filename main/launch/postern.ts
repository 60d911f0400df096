import { escapeControls } from "../../gateway/lib/log.ts";
import { resolveForCaller } from "../../gateway/lib/resolve-for-caller.ts";
import { text as readAll } from "node:stream/consumers";
import { defaultDataDir } from "../../gateway/store/folder/data-dir.ts";
import { findSiblings, parseCommandLine, type CommandLine } from "./command-line.ts";
import { type Command } from "./command.ts";
import { CommandError, UsageError } from "./command-errors.ts";
import { budgetCommands } from "./commands/budgets.ts";
import { checkClient, connectClient, listClients, refreshClients, undoClient } from "./commands/clients.ts";
import { diffConfig, exportConfig, importConfig } from "./commands/config.ts";
import { connectionCommands } from "./commands/connections.ts";
import { doctor } from "./commands/doctor.ts";
import { importHistory, removeHistory } from "./commands/history.ts";
import { importProgram, undoImport } from "./commands/imports.ts";
import { keyCommands } from "./commands/keys.ts";
import { localServerCommands } from "./commands/local-servers.ts";
import { backupCommands, diagnostics, pauseCommands } from "./commands/maintenance.ts";
import { modelCommands } from "./commands/models.ts";
import { priceCommands } from "./commands/prices.ts";
import { runCommand as runApp } from "./commands/run.ts";
import { requestCommands } from "./commands/requests.ts";
import { routeCommands } from "./commands/routes.ts";
import { searchCommands } from "./commands/search.ts";
import { sessionCommands } from "./commands/sessions.ts";
import { changeSettings, showSettings } from "./commands/settings.ts";
import { taskCommands } from "./commands/tasks.ts";
import { telemetryCommands } from "./commands/telemetry.ts";
import { showUsage } from "./commands/usage.ts";
import { whatIf } from "./commands/what-if.ts";
import { createCompletions } from "./completions.ts";
import { createControlClient } from "./control-client.ts";
import { formatHelp, listCommands, overview, type CommandGroup } from "./help.ts";
import { findInstance } from "./instance.ts";
import { plainText } from "./table.ts";

/** All commands by topic, in the order of the help. */
const groups: readonly CommandGroup[] = [
  { heading: "Keys and budgets", commands: [...keyCommands, ...budgetCommands] },
  { heading: "Providers", commands: [...connectionCommands, ...localServerCommands] },
  { heading: "Apps", commands: [runApp, connectClient, listClients, refreshClients, checkClient, undoClient] },
  { heading: "Models, routes and prices", commands: [...modelCommands, ...routeCommands, ...priceCommands] },
  {
    heading: "Usage",
    commands: [showUsage, whatIf, importHistory, removeHistory, ...requestCommands, ...sessionCommands],
  },
  { heading: "Videos and webhooks", commands: taskCommands },
  { heading: "Search and telemetry", commands: [...searchCommands, ...telemetryCommands] },
  {
    heading: "Settings and files",
    commands: [showSettings, changeSettings, exportConfig, importConfig, diffConfig, importProgram, undoImport],
  },
  {
    heading: "This Postern",
    commands: [...backupCommands, ...pauseCommands, doctor, diagnostics, createCompletions(() => commands)],
  },
];

export const commands: readonly Command[] = groups.flatMap((group) => group.commands);

/** The streams that a command reads and writes. */
export interface Terminal {
  readonly input: NodeJS.ReadableStream;
  out(line: string): void;
  error(line: string): void;
}

export const EXIT_FAILED = 1;
export const EXIT_USAGE = 2;

/**
 * Runs `postern …`.
 * @param argv what follows the command's name
 * @returns the exit code: 0 done, 1 failed with a sentence, 2 wrong arguments
 */
export async function runPostern(
  argv: readonly string[],
  environment: NodeJS.ProcessEnv,
  output: Terminal,
): Promise<number> {
  // Words after `--` are another program's.
  const end = argv.indexOf("--");
  const own = end === -1 ? argv : argv.slice(0, end);
  const asJson = own.includes("--json");
  // Models, apps and providers choose names that are printed here, so all lines are sanitized in this one place.
  const clean = (line: string): string => (asJson ? escapeControls(line) : plainText(line));
  const terminal: Terminal = {
    input: output.input,
    out: (line) => output.out(clean(line)),
    error: (line) => output.error(clean(line)),
  };
  const report = (error: Error, code: string | null): void =>
    terminal.error(asJson ? JSON.stringify({ error: { message: error.message, code } }) : error.message);
  try {
    if (argv.length === 0 || argv[0] === "--help" || argv[0] === "help") {
      terminal.out(overview(groups));
      return argv.length === 0 ? EXIT_USAGE : 0;
    }
    const siblings = own.includes("--help") ? findSiblings(commands, own) : [];
    if (siblings.length > 0) {
      terminal.out(listCommands(siblings));
      return 0;
    }
    const line = parseCommandLine(commands, argv);
    if (line.help) {
      terminal.out(formatHelp(line.command));
      return 0;
    }
    return await runCommand(line, environment, terminal);
  } catch (error) {
    if (error instanceof UsageError) {
      report(error, "usage");
      return EXIT_USAGE;
    }
    if (!(error instanceof CommandError)) throw error;
    report(error, error.code);
    return EXIT_FAILED;
  }
}

/** Chooses the data folder: from the option, else the environment, else the default place. */
function chooseDataFolder(line: CommandLine, environment: NodeJS.ProcessEnv): string {
  const named = line.dataFolder ?? environment["POSTERN_DATA_DIR"];
  if (named) return resolveForCaller(named, environment);
  try {
    return defaultDataDir(process.platform, environment);
  } catch (error) {
    throw new CommandError(error instanceof Error ? error.message : String(error), null, { cause: error });
  }
}

async function runCommand(line: CommandLine, environment: NodeJS.ProcessEnv, terminal: Terminal): Promise<number> {
  const dataFolder = chooseDataFolder(line, environment);
  const context = {
    control: createControlClient(() => findInstance(dataFolder)),
    dataFolder,
    environment,
    resolve: (path: string) => resolveForCaller(path, environment),
    readInput: () => readAll(terminal.input),
  };
  const result = await line.command.run(context, line.values);
  if (line.json) terminal.out(JSON.stringify(result.json));
  else if (result.text !== "") terminal.out(result.text);
  if (!line.json && result.note !== undefined) terminal.error(result.note);
  if (result.exitCode !== undefined) return result.exitCode;
  if (result.failure === undefined) return 0;
  if (!line.json) terminal.error(result.failure);
  return EXIT_FAILED;
}
