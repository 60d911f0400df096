/** Min uptime in seconds for a restart: a process that crashes earlier would only crash again. */
const WORTH_RESTARTING_AFTER_S = 60;

/** Set for a start that only shows why the previous one stopped. */
export const STOPPED = "POSTERN_STOPPED";

/**
 * Decides what happens after an unexpected error, besides exiting. A dialog within that process would keep the port and
 * block signals until closed.
 *
 * - `print`: started from a terminal, where the user sees it.
 * - `relaunch`: an installed app that was running restarts.
 * - `tell`: one that was not restarts to show a dialog, without the gateway.
 * - `end`: that dialog itself failed.
 */
export type FatalResponse = "print" | "relaunch" | "tell" | "end";

/** @param uptime of the process, seconds. */
export function fatalResponse(uptime: number, isPackaged: boolean, isTelling: boolean): FatalResponse {
  if (isTelling) return "end";
  if (!isPackaged) return "print";
  return uptime >= WORTH_RESTARTING_AFTER_S ? "relaunch" : "tell";
}
