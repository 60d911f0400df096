import { app } from "electron";
import { relaunchOptions } from "../policy/relaunch.ts";

/** Has Electron start Postern again when this process has ended. */
export function relaunch(): void {
  app.relaunch(relaunchOptions(process.argv, process.env));
}
