import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { _electron, type ElectronApplication, type Page } from "playwright-core";
import { findElectron, missingForWindow } from "../../../main/launch/electron.mjs";

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
  /** Starts it once more on the same folder, without the driver. */
  startAgain(...more: readonly string[]): Promise<{ code: number | null; stdout: string }>;
}

function executablePath(): string {
  if (executable === null) throw new Error("There is no Electron binary here.");
  return executable;
}

const environment = (): Record<string, string> => {
  const own = Object.entries(process.env).filter(
    ([name, value]) => value !== undefined && !name.startsWith("POSTERN_"),
  );
  return { ...(Object.fromEntries(own) as Record<string, string>), POSTERN_SANDBOX: "on", POSTERN_DESKTOP_SUITE: "1" };
};

const script = isPackaged ? [] : [entry];

/**
 * The app with a data folder of its own, on a free port, when its window shows the pages.
 * @param more further arguments, such as a link
 */
export async function startDesktopApp(...more: readonly string[]): Promise<DesktopApp> {
  const dataDir = await mkdtemp(join(tmpdir(), "postern-electron-"));
  const own = ["--port", "0", "--data-dir", dataDir, "--json"];
  const args = [...script, ...own, ...more];
  const app = await _electron.launch({ executablePath: executablePath(), args, env: environment() });
  const child = app.process();
  const ended = once(child, "exit").then(([code]) => code as number | null);
  const lines = createInterface({ input: child.stdout ?? process.stdin });
  const [line] = (await once(lines, "line")) as [string];
  const window = more.includes("--hidden") ? null : await app.firstWindow();
  return {
    app,
    get window() {
      if (window === null) throw new Error("It was started without a window.");
      return window;
    },
    ready: JSON.parse(line) as Ready,
    dataDir,
    ended,
    async startAgain(...others) {
      const second = spawn(executablePath(), [...script, ...own, ...others], {
        env: environment(),
        stdio: ["ignore", "pipe", "ignore"],
      });
      let stdout = "";
      second.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
      const [code] = (await once(second, "close")) as [number | null];
      return { code, stdout };
    },
  };
}

/** Ends what is still running and removes its folder. */
export async function endDesktopApp(desktop: DesktopApp): Promise<void> {
  await desktop.app.close().catch(() => undefined);
  await rm(desktop.dataDir, { recursive: true, force: true, maxRetries: 5 });
}
