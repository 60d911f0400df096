/**
 * How the desktop app and the `npm start` that waits for it agree on a restart. Electron's own way leaves a process without
 * a parent that waits: the terminal would have its prompt back while Postern goes on, and Ctrl+C would reach nothing.
 */

/** Set for a process that is restarted when it exits with RESTART_CODE. */
export const SUPERVISED = "POSTERN_SUPERVISED";

/** Exit code that asks to be started again. */
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
