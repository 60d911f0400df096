import { app, BaseWindow, powerMonitor } from "electron";
import type { Log } from "../../gateway/lib/log.ts";
import { INSTALL_DEADLINE_MS, QUIT_DEADLINE_MS, quitStep, type QuitState } from "../policy/quit.ts";
import { liftGraphicsLimit } from "./window-crash.ts";
import { startAgain } from "./relaunch.ts";

export interface QuitOptions {
  /** Stops accepting, drains, settles, takes the final snapshot. */
  readonly close: () => Promise<unknown>;
  /** Called once at the start of draining. */
  readonly onDraining: () => void;
  readonly log: Pick<Log, "error" | "flush">;
}

export interface Quit {
  readonly isQuitting: () => boolean;
  /** Asks the application to quit; draining comes first. */
  ask(): void;
  /** The same, then restarts. No-op while already quitting. */
  restart(): void;
  /**
   * The same, then runs an installer, which ends the process and starts the new version. If it fails or takes too long,
   * Postern restarts unchanged.
   * @param install called when the gateway has released the data folder; receives the callback for a failure.
   */
  install(install: (giveUp: () => void) => void): void;
}

/** Signals from a terminal or a service manager. */
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Detects the end of a Windows session, which is only sent to windows, by a hidden window: the main window is destroyed
 * while Postern is in the tray.
 * @param drain requests to quit; false if nothing is left to wait for.
 */
function drainAtSessionEnd(drain: () => boolean): void {
  const listener = new BaseWindow({ show: false, skipTaskbar: true, title: "Postern" });
  // Held back, the log-off waits until the process has ended by itself.
  listener.on("query-session-end", (event) => {
    if (drain()) event.preventDefault();
  });
  listener.on("session-end", () => drain());
}

/** Resolves to why the gateway did not close, or null when it did. */
async function closeInTime(close: () => Promise<unknown>): Promise<string | null> {
  const { promise: late, resolve } = Promise.withResolvers<string>();
  const timer = setTimeout(
    () => resolve(`the gateway did not close within ${QUIT_DEADLINE_MS / 1000} s`),
    QUIT_DEADLINE_MS,
  );
  const closed = close().then(
    () => null,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  return Promise.race([closed, late]).finally(() => clearTimeout(timer));
}

/**
 * Makes every way of quitting drain the gateway first: menu and tray, log-off, shutdown, signals. The process ends with
 * 0, or with 1 when the gateway could not be closed in time.
 */
export function drainBeforeQuit(options: QuitOptions): Quit {
  let state: QuitState = "running";
  /** Runs after the drain; ends the app by default. */
  let leave = (code: number): void => app.exit(code);
  const drain = async (): Promise<void> => {
    // A signal to the whole group also kills Chromium's processes, which must not end the drain.
    liftGraphicsLimit();
    const closing = closeInTime(options.close);
    options.onDraining();
    const failure = await closing;
    if (failure !== null) options.log.error("stop.failed", { message: failure });
    options.log.flush();
    state = quitStep(state, "closed").state;
    leave(failure === null ? 0 : 1);
  };
  app.on("before-quit", (event) => {
    const step = quitStep(state, "asked");
    state = step.state;
    if (step.hold) event.preventDefault();
    if (step.action === "drain") void drain();
  });
  const ask = (): void => app.quit();
  for (const signal of SIGNALS) process.on(signal, ask);
  if (process.platform === "win32") drainAtSessionEnd(() => state !== "drained" && (ask(), true));
  // Linux and macOS wait for applications that prevent this event; Windows asks the windows instead.
  powerMonitor.on("shutdown", (...given: unknown[]) => {
    const [event] = given as [{ preventDefault?: () => void }?];
    event?.preventDefault?.();
    ask();
  });
  const askFor = (then: (code: number) => void): void => {
    if (state !== "running") return;
    leave = then;
    ask();
  };
  return {
    isQuitting: () => state !== "running",
    ask,
    restart: () => askFor(startAgain),
    install: (install) =>
      askFor(() => {
        const giveUp = (): void => startAgain(1);
        setTimeout(giveUp, INSTALL_DEADLINE_MS);
        try {
          install(giveUp);
        } catch (error) {
          options.log.error("update.failed", { message: error instanceof Error ? error.message : String(error) });
          options.log.flush();
          giveUp();
        }
      }),
  };
}
