/**
 * Restart protocol between the desktop app and the `npm start` that waits for it. Electron's own relaunch leaves a
 * process without a waiting parent: the terminal would show its prompt while Postern runs, and Ctrl+C would have no
 * effect.
 */

/** Set for a process that is restarted when it exits with RESTART_CODE. */
export const SUPERVISED = "POSTERN_SUPERVISED";

/** Exit code that requests a restart. */
export const RESTART_CODE = 86;

/** Message to the supervisor: from now on an end by a crash is worth another start. */
export const READY = "ready";

/**
 * Returns the arguments of the next start: with a window, and without a link from outside.
 * @param {readonly string[]} argv
 * @returns {readonly string[]}
 */
export function argumentsAgain(argv) {
  const end = argv.findIndex((word) => word === "--" || /^postern:/i.test(word));
  return argv.slice(0, end === -1 ? undefined : end).filter((word) => word !== "--hidden");
}
