import { app, dialog } from "electron";
import { fatalAnswer } from "../policy/fatal.ts";

/**
 * Ends the process at the first error that nobody expected, as the headless gateway does: what is in memory can no
 * longer be trusted, and everything acknowledged is on disk. Electron by itself would show the error and go on. An
 * installed app that ran for a while is started again, so that clients are not left without their gateway.
 */
export function endOnFatalErrors(report: (error: unknown) => void): void {
  const end = (error: unknown): void => {
    report(error);
    const answer = fatalAnswer(process.uptime(), app.isPackaged, error);
    if (answer.act === "relaunch") app.relaunch();
    else dialog.showErrorBox(answer.title, answer.content);
    app.exit(1);
  };
  process.on("uncaughtException", end);
  process.on("unhandledRejection", end);
}
