import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { chatModels, likelyModel } from "../../../gateway/contract/likely-models.ts";
import type { ClientModels } from "../../../gateway/contract/clients.ts";
import { findFile, type ClientFile, type ClientKind, type Offered } from "../../../gateway/core/clients/client-kind.ts";
import { USUAL_CONTEXT, listOffered } from "../../../gateway/core/clients/offered.ts";
import { clientKinds } from "../../../gateway/core/clients/client-kinds.ts";
import { moneyLabel } from "../../policy/money-label.ts";
import { CommandError, UsageError } from "../command-errors.ts";
import type { Command, CommandContext, CommandValues } from "../command.ts";
import { isAlive } from "../instance.ts";
import { given, numberOption } from "../values.ts";

/** Program, arguments and environment of an app. */
interface Launch {
  readonly program: string;
  readonly words: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
  /** Removes temporary data of this run. */
  readonly clear?: () => Promise<void>;
}

/** Makes a nested object of settings: one that clients merge over their own files. */
function nest(settings: ReturnType<ClientFile["settings"]>): Record<string, unknown> {
  const whole: Record<string, unknown> = {};
  for (const { path, value } of settings) {
    const holder = path.slice(0, -1).reduce<Record<string, unknown>>((object, name) => {
      object[name] ??= {};
      return object[name] as Record<string, unknown>;
    }, whole);
    holder[path.at(-1) ?? ""] = value;
  }
  return whole;
}

/** A setting of Codex's command line: a path and a TOML value, which JSON is here. */
const codexWords = (object: object, above = ""): string[] =>
  Object.entries(object).flatMap(([name, value]: [string, unknown]) =>
    typeof value === "object" && value !== null
      ? codexWords(value, `${above}${name}.`)
      : ["-c", `${above}${name}=${JSON.stringify(value)}`],
  );

/** Variables that SDKs of both makers read. */
const sdkVariables = (origin: string, key: string): Record<string, string> => ({
  OPENAI_BASE_URL: `${origin}/v1`,
  OPENAI_API_KEY: key,
  ANTHROPIC_BASE_URL: origin,
  ANTHROPIC_AUTH_TOKEN: key,
  ANTHROPIC_API_KEY: "",
});

/** Prepares a known app by the settings that it would get in its file, any other program by the variables of SDKs. */
async function prepare(app: string, origin: string, key: string, models: ModelChoice): Promise<Launch> {
  const variables = sdkVariables(origin, key);
  const settingsOf = (id: ClientKind["id"], secret: string): Record<string, unknown> => {
    const kind = clientKinds.find((each) => each.id === id) as ClientKind;
    const file = findFile(kind, "models") as ClientFile;
    const { pick, contextOf, offered } = models;
    return nest(file.settings({ origin, key: secret, models: pick(kind), contextOf, offered }));
  };
  switch (app) {
    case "claude": {
      // The command line wins over the user's file, variables do not (code.claude.com/docs/en/settings, read 2026-11-29); the
      // key stays out of the list of processes.
      const folder = await mkdtemp(join(tmpdir(), "postern-run-"));
      const file = join(folder, "settings.json");
      await writeFile(file, JSON.stringify(settingsOf("claude-code", key)), { mode: 0o600 });
      return {
        program: app,
        words: ["--settings", file],
        variables,
        clear: () => rm(folder, { recursive: true, force: true }),
      };
    }
    case "codex": {
      const settings = settingsOf("codex", "");
      const { experimental_bearer_token: _, ...provider } = (settings["model_providers"] as Record<string, object>)[
        "postern"
      ] as Record<string, unknown>;
      // `env_key` names the variable of the key (developers.openai.com/codex/config-reference, read 2026-11-29).
      settings["model_providers"] = { postern: { ...provider, env_key: "POSTERN_RUN_KEY" } };
      return { program: app, words: codexWords(settings), variables: { ...variables, POSTERN_RUN_KEY: key } };
    }
    case "opencode":
      // A configuration in this variable is merged over the files (opencode.ai/docs/config, read 2026-11-29).
      return {
        program: app,
        words: [],
        variables: { ...variables, OPENCODE_CONFIG_CONTENT: JSON.stringify(settingsOf("opencode", key)) },
      };
    case "copilot":
      // docs.github.com/copilot/how-tos/copilot-cli/customize-copilot/use-byok-models, read 2026-11-29.
      return {
        program: app,
        words: [],
        variables: {
          ...variables,
          COPILOT_PROVIDER_BASE_URL: `${origin}/v1`,
          COPILOT_PROVIDER_TYPE: "openai",
          COPILOT_PROVIDER_API_KEY: key,
          COPILOT_MODEL: models.main,
        },
      };
    default:
      return { program: app, words: [], variables: { ...variables, OPENAI_MODEL: models.main } };
  }
}

interface ModelChoice {
  readonly main: string;
  readonly pick: (kind: ClientKind) => ClientModels;
  readonly contextOf: (model: string) => number;
  readonly offered: readonly Offered[];
}

async function chooseModels({ control }: CommandContext, requested: string | undefined): Promise<ModelChoice> {
  const { data } = await control.call("listModels");
  const choices = chatModels(data);
  const main = requested ?? likelyModel("main", choices);
  if (main === "") throw new CommandError('No chat model can be served now. "postern doctor" says why.');
  return {
    main,
    pick: ({ slots }) => Object.fromEntries(slots.map((slot) => [slot, requested ?? likelyModel(slot, choices)])),
    contextOf: (model) => data.find(({ id }) => id === model)?.context_length ?? USUAL_CONTEXT,
    offered: listOffered(data, { main }),
  };
}

/**
 * Starts a temporary Postern if none has the data folder open. @returns a function that ends it; null for one that was
 * running
 */
async function startIfNecessary({
  control,
  dataFolder,
  environment,
}: CommandContext): Promise<(() => Promise<void>) | null> {
  const launcher = environment["POSTERN_LAUNCHER"];
  try {
    await control.instance();
    return null;
  } catch (error) {
    if (!(error instanceof CommandError) || error.code !== "not_running" || launcher === undefined) throw error;
  }
  const script = launcher === "" ? [] : [launcher];
  const words = [...script, "--headless", "--json", "--port", "0", "--data-dir", dataFolder];
  const server = spawn(process.execPath, words, {
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
    env: environment,
  });
  let reason = "it said nothing";
  createInterface(server.stderr).on("line", (line) => (reason = line));
  await new Promise<void>((resolve, reject) => {
    createInterface(server.stdout).once("line", () => resolve());
    server.once("error", reject);
    server.once("exit", () => reject(new CommandError(`Postern did not start: ${reason}`)));
  });
  return async () => {
    const ended = once(server, "exit");
    // The next run finds the folder free.
    if (server.kill("SIGTERM")) await ended;
  };
}

/** Ends keys of earlier runs that were killed before they could. */
async function revokeLeftovers({ control }: CommandContext): Promise<void> {
  const { data } = await control.call("listKeys");
  for (const { id, name } of data) {
    const pid = /^run .* \(pid (\d+)\)$/.exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) await control.call("revokeKey", {}, id);
  }
}

/** Waits for the app. Its terminal sends it the interrupts; what ends this process is passed on. */
async function waitForEnd(child: ChildProcess): Promise<number> {
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  const listeners = signals.map((signal) => {
    const pass = (): void => {
      if (signal !== "SIGINT") child.kill(signal);
    };
    process.on(signal, pass);
    return () => process.removeListener(signal, pass);
  });
  try {
    return await new Promise<number>((resolve, reject) => {
      child.once("error", reject);
      child.once("exit", (code, signal) => resolve(code ?? 128 + (constants.signals[signal ?? "SIGTERM"] ?? 0)));
    });
  } finally {
    for (const remove of listeners) remove();
  }
}

/** Real spend of a key, 10⁻⁹ USD, without the sandbox's; null if Postern does not respond. */
async function readSpend({ call }: CommandContext["control"], id: string): Promise<number | null> {
  try {
    const used = (await call("listKeys")).data.find((key) => key.id === id);
    return (used?.spent_nano ?? 0) - (used?.sandbox_nano ?? 0);
  } catch (error) {
    if (error instanceof CommandError) return null;
    throw error;
  }
}

/**
 * Starts an app on this terminal. On Windows npm's commands are scripts, which only a shell can start.
 * @throws UsageError on Windows for words that the shell would change or execute
 */
function startApp({ program, words, variables }: Launch, more: readonly string[], environment: NodeJS.ProcessEnv) {
  const options = { stdio: "inherit", env: { ...environment, ...variables } } as const;
  const all = [...words, ...more];
  if (process.platform !== "win32") return spawn(program, all, options);
  const [command, ...quoted] = [program, ...all].map(quoteForWindows);
  return spawn(command ?? program, quoted, { ...options, shell: true });
}

/**
 * Quotes a word for Windows' shell and the program. @throws UsageError for characters that the shell interprets even in
 * quotes
 */
export function quoteForWindows(word: string): string {
  if (/[%!&|<>^\r\n]/.test(word))
    throw new UsageError(`Windows would not pass on ${JSON.stringify(word)}. Leave out % ! & | < > ^ and line ends.`);
  return `"${word.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, "$1$1")}"`;
}

async function runApp(context: CommandContext, values: CommandValues) {
  const { control, environment } = context;
  const app = values.id;
  const limit = numberOption(values, "limit-usd");
  const stop = await startIfNecessary(context);
  try {
    const { url } = await control.instance();
    await revokeLeftovers(context);
    const models = await chooseModels(context, values.text("model"));
    const { key, secret } = await control.call("createKey", {
      name: `run ${app} (pid ${process.pid})`,
      ...given({ limit_usd: limit }),
    });
    let launch: Launch | undefined;
    try {
      launch = await prepare(app, new URL(url).origin, secret, models);
      const child = startApp(launch, values.more, environment);
      const exitCode = await waitForEnd(child);
      const spent = await readSpend(control, key.id);
      const note =
        spent === null ? "Postern ended first, so the cost is not known here." : `This run cost ${moneyLabel(spent)}.`;
      return { json: { exit_code: exitCode, spent_nano: spent }, text: "", note, exitCode };
    } catch (error) {
      if (!(error instanceof Error) || !("code" in error) || error.code !== "ENOENT") throw error;
      throw new UsageError(`There is no program "${app}" on this machine. Install it, or name another one.`, {
        cause: error,
      });
    } finally {
      await launch?.clear?.();
      // The next run revokes a key that Postern, ended meanwhile, could not.
      await control.call("revokeKey", {}, key.id).catch(() => undefined);
    }
  } finally {
    await stop?.();
  }
}

export const runCommand: Command = {
  name: "run",
  about: "start an app with a key of its own, which ends with it: claude, codex, opencode, copilot or any program",
  takesId: "APP",
  takesMore: "[-- WORDS]",
  options: {
    model: { value: "MODEL", about: "the model that it asks; a likely one without it" },
    "limit-usd": { value: "USD", about: "refuse calls beyond this spend" },
  },
  run: runApp,
};
