import { app } from "electron";
import { READY, RESTART_CODE } from "../launch/supervised.mjs";
import { isSupervised, relaunchOptions } from "../policy/relaunch.ts";

/**
 * Reports readiness to the `npm start` that waits for this process, and quits when that one is gone.
 * @param quit requests the application to quit.
 */
export function reportReady(quit: () => void): void {
  if (!isSupervised(process.env, app.isPackaged)) return;
  process.once("disconnect", quit);
  process.send?.(READY);
}

/**
 * Ends and restarts the process: by the `npm start` that waits for it, so that its terminal keeps control; else by
 * Electron.
 * @param code exit code, unless a supervisor expects another one
 */
export function startAgain(code: number): void {
  if (isSupervised(process.env, app.isPackaged)) return app.exit(RESTART_CODE);
  app.relaunch(relaunchOptions(process.argv, process.env));
  app.exit(code);
}

/**
 * Ends the process, and has it started with other arguments; where an `npm start` waits for it, without a link.
 * @param argv with the executable first.
 */
export function startWith(argv: readonly string[]): void {
  if (isSupervised(process.env, app.isPackaged)) return app.exit(RESTART_CODE);
  app.relaunch({ ...relaunchOptions(argv, process.env), args: argv.slice(1) });
  app.exit(0);
}
