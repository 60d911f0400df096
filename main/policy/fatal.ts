/** A process that lives no longer than this would only die again, seconds. */
const WORTH_RESTARTING_AFTER_S = 60;

/** Set for a start that only says why the one before it stopped. */
export const STOPPED = "POSTERN_STOPPED";

/**
 * Decides what follows an unexpected error, apart from the end of the process. A box within that process would
 * hold the port and keep the process from hearing signals for as long as no one closes it.
 *
 * - `print`: started from a terminal, where its owner sees it.
 * - `relaunch`: an installed app that had been running starts again.
 * - `tell`: one that had not starts again to show a box, without the gateway.
 * - `end`: it was that box that failed.
 */
export type FatalResponse = "print" | "relaunch" | "tell" | "end";

/** @param uptime of the process, seconds. */
export function fatalResponse(uptime: number, isPackaged: boolean, isTelling: boolean): FatalResponse {
  if (isTelling) return "end";
  if (!isPackaged) return "print";
  return uptime >= WORTH_RESTARTING_AFTER_S ? "relaunch" : "tell";
}
