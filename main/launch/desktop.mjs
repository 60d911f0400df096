import { spawn } from "node:child_process";
import { join } from "node:path";
import { findElectron, missingForWindow } from "./electron.mjs";
import { fetchElectron } from "./fetch-electron.mjs";
import { argumentsAgain, RESTART_CODE, SUPERVISED } from "./supervised.mjs";

/** What a terminal or a service manager sends; it belongs to the process that does the work. */
const SIGNALS = /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"]);

/** Exit code of a program whose libraries are missing. */
const LOADER_FAILED = 127;

/**
 * Runs the desktop app until it ends, as often as it asks to be started again.
 * @param {string} folder Of the project.
 * @param {readonly string[]} argv Passed on.
 * @param {NodeJS.ProcessEnv} environment
 * @param {() => Promise<void>} build Makes the app current; called only where there can be a window.
 * @returns {Promise<{ code: number } | { reason: string }>} Its exit code; or why there can be no window here.
 */
export async function runDesktop(folder, argv, environment, build) {
  let executable = findElectron(folder, environment);
  const missing = missingForWindow(environment, process.platform, process.getuid?.());
  if (missing !== null) {
    return { reason: executable === null ? `${missing}, and Electron's binary is not installed` : missing };
  }
  if (executable === null) {
    const failure = await fetchElectron(folder, environment);
    executable = findElectron(folder, environment);
    if (executable === null) return { reason: `Electron's binary is not installed (${failure ?? "it was not found"})` };
  }
  await build();
  const end = await superviseRestarts(executable, join(folder, "out/main/index.mjs"), argv, environment);
  return "reason" in end ? { reason: `Electron did not start (${end.reason})` } : end;
}

/**
 * Runs a program that may ask to be started again, until it ends for good.
 * @param {string} executable
 * @param {string} script Its first argument at each start.
 * @param {readonly string[]} argv What follows at the first start.
 * @param {NodeJS.ProcessEnv} environment
 * @returns {Promise<{ code: number } | { reason: string }>} As superviseProgram.
 */
export async function superviseRestarts(executable, script, argv, environment) {
  const supervised = { ...environment, [SUPERVISED]: "1" };
  for (let words = argv; ; words = argumentsAgain(words)) {
    const end = await superviseProgram(executable, [script, ...words], supervised);
    if ("reason" in end || end.code !== RESTART_CODE) return end;
  }
}

/**
 * Starts a program with this one's streams, hands signals on to it and waits for its end. Runs on Node 20 too.
 * @param {string} executable
 * @param {readonly string[]} argv
 * @param {NodeJS.ProcessEnv} environment
 * @returns {Promise<{ code: number } | { reason: string }>} Its exit code; or why it could not start.
 */
export function superviseProgram(executable, argv, environment = process.env) {
  const child = spawn(executable, argv, { stdio: "inherit", env: environment });
  /** @type {NodeJS.SignalsListener} */
  const forward = (signal) => {
    // Ctrl-C in a terminal reaches the whole group; a second SIGINT would look like impatience.
    if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal);
  };
  for (const signal of SIGNALS) process.on(signal, forward);
  return new Promise((resolve) => {
    child.once("error", (error) => resolve({ reason: error.message }));
    child.once("exit", (code, signal) => {
      if (code === LOADER_FAILED) resolve({ reason: "libraries that it needs are missing" });
      else if (signal === "SIGTRAP" || signal === "SIGABRT") resolve({ reason: signal });
      else resolve({ code: code ?? 1 });
    });
  }).finally(() => {
    for (const signal of SIGNALS) process.off(signal, forward);
  });
}
