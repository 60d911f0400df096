import { parseArgs } from "node:util";
import { settingFromText } from "./contract/setting-text.ts";
import { declaredSettings } from "./contract/settings.ts";
import { getMessage } from "./lib/message-of.ts";
import { resolveForCaller } from "./lib/resolve-for-caller.ts";
import { defaultDataDir } from "./store/folder/data-dir.ts";
import { ownStart } from "./store/folder/own-command.ts";

export interface HeadlessOptions {
  /** Null if neither the command line nor the environment sets it; then the settings apply. */
  readonly host: string | null;
  readonly port: number | null;
  readonly dataDir: string;
  readonly json: boolean;
  /** Values of the command line for variables: which configuration file is applied, and whether it is followed. */
  readonly variables: Readonly<Record<string, string>>;
}

/** A wrong argument or variable, as a sentence. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

export const HELP = `Postern: one local key and one base URL for every AI model you have access to.

  npm start                     opens the desktop app, or continues headless where there is none
  npm start -- --headless       the gateway, and its pages in a browser

  --port N       listen on this port (default 6174 or the setting, 0 takes a free one; POSTERN_PORT)
  --host A       listen on this address (default 127.0.0.1 or the setting; POSTERN_HOST)
  --allowed-hosts LIST    host names under which /v1 and /mcp are served too (POSTERN_ALLOWED_HOSTS)
  --allowed-origins LIST  apps whose windows may call them, as app://obsidian.md (POSTERN_ALLOWED_ORIGINS)
  --data-dir D   keep data in this folder (POSTERN_DATA_DIR)
  --config FILE  apply this configuration file at the start (POSTERN_CONFIG)
  --watch        and again whenever it changes (POSTERN_CONFIG_WATCH=on)
  --json         print the ready line as JSON
`;

/**
 * Reads the command line and the environment; the command line takes precedence.
 * @throws UsageError.
 */
export function readHeadlessOptions(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): HeadlessOptions | "help" {
  const { values } = parse(argv);
  if (values.help === true) return "help";
  const folder = values["data-dir"] ?? nonEmpty(env["POSTERN_DATA_DIR"]) ?? defaultDataDir(process.platform, env);
  return {
    host: values.host ?? nonEmpty(env["POSTERN_HOST"]) ?? null,
    port: getPort(values.port ?? nonEmpty(env["POSTERN_PORT"])),
    dataDir: resolveForCaller(folder, env),
    json: values.json === true,
    variables: {
      ...(values.config !== undefined && { POSTERN_CONFIG: resolveForCaller(values.config, env) }),
      ...(values.watch === true && { POSTERN_CONFIG_WATCH: "on" }),
      ...listVariable("allowed_hosts", values["allowed-hosts"]),
      ...listVariable("allowed_origins", values["allowed-origins"]),
    },
  };
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      options: {
        headless: { type: "boolean" },
        port: { type: "string" },
        host: { type: "string" },
        "allowed-hosts": { type: "string" },
        "allowed-origins": { type: "string" },
        "data-dir": { type: "string" },
        config: { type: "string" },
        watch: { type: "boolean" },
        json: { type: "boolean" },
        help: { type: "boolean", short: "h" },
      },
    });
  } catch (error) {
    throw new UsageError(`${getMessage(error)} See ${ownStart("--help")}.`, {
      cause: error,
    });
  }
}

/** @throws UsageError for an entry that the setting does not take */
function listVariable(name: "allowed_hosts" | "allowed_origins", text: string | undefined): Record<string, string> {
  const { entry, environment } = declaredSettings[name];
  const entries = (settingFromText(declaredSettings[name], text ?? "") ?? []) as readonly string[];
  const wrong = entries.find((one) => !entry.form.test(one));
  if (wrong !== undefined) throw new UsageError(`"${wrong}" is not allowed there. Give ${entry.words}, with commas.`);
  return text === undefined ? {} : { [environment]: text };
}

function getPort(text: string | undefined): number | null {
  if (text === undefined) return null;
  const port = Number(text);
  if (text.trim() === "" || !Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new UsageError(`"${text}" is not a port. Give a whole number from 0 to 65535.`);
  }
  return port;
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === undefined || text.trim() === "" ? undefined : text.trim();
}
