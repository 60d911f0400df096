import { app, dialog } from "electron";
import { loggedError } from "../../gateway/core/logged-error.ts";
import type { Log } from "../../gateway/lib/log.ts";
import { fatalResponse } from "../policy/fatal.ts";
import { startAgain } from "./relaunch.ts";

/**
 * Ends the process at the first error that nobody expected, as the headless gateway does: what is in memory can no
 * longer be trusted, and everything acknowledged is on disk. Electron by itself would show the error and go on. An
 * installed app that ran for a while is started again, so that clients are not left without their gateway.
 */
export function endOnFatalErrors(log: Pick<Log, "error" | "flush">): void {
  const end = (error: unknown): void => {
    log.error("crash", { ...loggedError(error) });
    log.flush();
    const response = fatalResponse(process.uptime(), app.isPackaged, error);
    if (response.act === "relaunch") return startAgain(1);
    dialog.showErrorBox(response.title, response.content);
    app.exit(1);
  };
  // Whoever read the output has gone: no reason to end the gateway.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
  process.on("uncaughtException", end);
  process.on("unhandledRejection", end);
}
