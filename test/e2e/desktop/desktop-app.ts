import { spawn, type ChildProcess } from "node:child_process";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { _electron, type ElectronApplication, type Page } from "playwright-core";
import { findElectron, missingForWindow } from "../../../main/launch/electron.mjs";
import { createControlClient } from "../../../main/launch/control-client.ts";
import { findInstance } from "../../../main/launch/instance.ts";

const projectFolder = join(import.meta.dirname, "../../..");
const entry = join(projectFolder, "out/main/index.mjs");

/** A packaged app to be tried in place of the bundles: its executable. */
const packagedApp = process.env["POSTERN_DESKTOP_APP"] ?? null;

/** Found without importing the `electron` package, whose main module would download it. */
const executable = packagedApp ?? findElectron(projectFolder, process.env);

/** An installed app shows nothing of its inside, so what is read by the hook is skipped there. */
export const isPackaged = packagedApp !== null;

/** Why the suite cannot run here, or null. */
export const missing: string | null =
  executable === null
    ? "no Electron binary"
    : (missingForWindow(process.env, process.platform, process.getuid?.()) ??
      (isPackaged || existsSync(entry) ? null : "out/main/index.mjs is not built: npm run build"));

export interface Ready {
  readonly url: string;
  readonly ui: string;
  readonly pid: number;
  readonly apiKey?: string;
}

export interface DesktopApp {
  readonly app: ElectronApplication;
  readonly window: Page;
  readonly ready: Ready;
  readonly dataDir: string;
  /** Exit code of the process, when it has ended. */
  readonly ended: Promise<number | null>;
  /** Starts it again on the same folder, without the driver. */
  startAgain(...more: readonly string[]): Promise<{ code: number | null; stdout: string }>;
}

/** Electron, or the packaged app. */
export function executablePath(): string {
  if (executable === null) throw new Error("There is no Electron binary here.");
  return executable;
}

/** What the app is started with, without the settings of anyone who runs the suite. */
export const environment = (more: StartOptions["env"] = {}): Record<string, string> => {
  const own = Object.entries(process.env).filter(
    ([name, value]) => value !== undefined && !name.startsWith("POSTERN_"),
  );
  const given = Object.fromEntries(own) as Record<string, string>;
  return { ...given, POSTERN_SANDBOX: "on", POSTERN_DESKTOP_SUITE: "1", ...more };
};

/** Arguments before the app's own. */
export const script = isPackaged ? [] : [entry];

export interface StartOptions {
  /** Added to the environment, such as the address of a bus. */
  readonly env?: Readonly<Record<string, string>>;
  /** Further arguments, such as a link. */
  readonly args?: readonly string[];
  /** A data folder of before; by itself a new one. */
  readonly dataDir?: string;
  /** Of an app that a test has installed (installed-app.ts); by itself the bundles, or the package under test. */
  readonly executable?: string;
}

/** The folder of the Electron, or of the package, under test. */
export const electronFolder = (): string => dirname(executablePath());
export const executableName = (): string => basename(executablePath());

/**
 * The app with a data folder of its own, on a free port, when its window shows the pages.
 * @param more further arguments, such as a link
 */
export function startDesktopApp(...more: readonly string[]): Promise<DesktopApp> {
  return startDesktopAppWith({ args: more });
}

/** The same in an environment, or on a data folder, of the test's choice. */
export async function startDesktopAppWith(options: StartOptions): Promise<DesktopApp> {
  const { args: more = [], env = {} } = options;
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), "postern-electron-")));
  const own = ["--port", "0", "--data-dir", dataDir, "--json"];
  const program = options.executable ?? executablePath();
  const first = options.executable === undefined ? script : [];
  const args = [...first, ...own, ...more];
  const reply = firstLine(dataDir);
  const app = await _electron.launch({ executablePath: program, args, env: environment(env) });
  const ended = once(app.process(), "exit").then(([code]) => code as number | null);
  const line = await reply;
  const window = more.includes("--hidden") ? null : await app.firstWindow();
  const ready = JSON.parse(line) as Ready;
  return {
    app,
    get window() {
      if (window === null) throw new Error("It was started without a window.");
      return window;
    },
    ready: isPackaged || options.executable !== undefined ? { ...ready, ...(await readFirstKey(dataDir)) } : ready,
    dataDir,
    ended,
    async startAgain(...others) {
      const second = spawn(program, [...first, ...own, ...others], {
        env: environment(env),
        stdio: ["ignore", "pipe", "ignore"],
      });
      let stdout = "";
      second.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
      const [code] = (await once(second, "close")) as [number | null];
      return { code, stdout };
    },
  };
}

/** A package prints no key: its page shows it. */
async function readFirstKey(dataDir: string): Promise<Pick<Ready, "apiKey">> {
  const { created } = await createControlClient(() => findInstance(dataDir)).call("firstKey");
  return created === null ? {} : { apiKey: created.secret };
}

/**
 * The first line that the next process with this argument writes. The driver reads the output, too, and gives the
 * process away only once it is connected to it: what was written before is gone by then.
 */
function firstLine(argument: string): Promise<string> {
  return new Promise((resolve) => {
    const listen = (message: unknown): void => {
      const child = (message as { process: ChildProcess }).process;
      child.once("spawn", () => {
        if (!child.spawnargs.join(" ").includes(argument) || child.stdout === null) return;
        unsubscribe("child_process", listen);
        createInterface({ input: child.stdout }).once("line", resolve);
      });
    };
    subscribe("child_process", listen);
  });
}

/** The gateway of the same program without a window; `end` ends it as a service manager does. */
export async function startHeadless(
  dataDir: string,
  env: StartOptions["env"] = {},
): Promise<{ readonly ready: Ready; end(): Promise<void> }> {
  const own = ["--headless", "--port", "0", "--data-dir", dataDir, "--json"];
  const child = spawn(executablePath(), [...script, ...own], {
    env: environment(env),
    stdio: ["ignore", "pipe", "ignore"],
  });
  const ended = once(child, "exit");
  const [line] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
  return {
    ready: JSON.parse(line) as Ready,
    async end() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

/** Ends what is still running and removes its folder. */
export async function endDesktopApp(desktop: DesktopApp): Promise<void> {
  await desktop.app.close().catch(() => undefined);
  await rm(desktop.dataDir, { recursive: true, force: true, maxRetries: 5 });
}
