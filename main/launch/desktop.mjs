import { spawn } from "node:child_process";
import { join } from "node:path";
import { findElectron, missingForWindow } from "./electron.mjs";
import { fetchElectron } from "./fetch-electron.mjs";
import { argumentsAgain, READY, RESTART_CODE, SUPERVISED } from "./supervised.mjs";

/** Signals of terminals and service managers. */
const SIGNALS = /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"]);

/** Exit code of a program with missing libraries. */
const LOADER_FAILED = 127;

/** Signals that a program dies of by its own fault. SIGKILL is not one: it is what a person or a service manager sends. */
const CRASHES = new Set(["SIGTRAP", "SIGABRT", "SIGSEGV", "SIGBUS", "SIGILL", "SIGFPE"]);

/** Lowest Windows exit code of a crash: NTSTATUS values of the severity "error". */
const FIRST_ERROR_STATUS = 0xc0_00_00_00;

/** A program that has crashed this often within CRASHES_WITHIN_MS is not started again. */
const MOST_CRASHES = 4;
const CRASHES_WITHIN_MS = 120_000;

/** @typedef {{ code: number } | { reason: string } | { crash: string }} End */

/**
 * Runs the desktop app until it exits, restarting it on request.
 * @param {string} folder The project's folder.
 * @param {readonly string[]} argv Its arguments.
 * @param {NodeJS.ProcessEnv} environment
 * @param {() => Promise<void>} build Builds the app if stale; called only if a window is possible.
 * @returns {Promise<{ code: number } | { reason: string }>} Its exit code, or why no window is possible.
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
 * Runs a program until its final exit: restarts it on request, and after a crash once it was ready.
 * @param {string} executable
 * @param {string} script Its first argument on each start.
 * @param {readonly string[]} argv Further arguments of the first start.
 * @param {NodeJS.ProcessEnv} environment
 * @returns {Promise<{ code: number } | { reason: string }>} Its exit code, or why it could not start.
 */
export async function superviseRestarts(executable, script, argv, environment) {
  const supervised = { ...environment, [SUPERVISED]: "1" };
  /** @type {number[]} */
  let crashes = [];
  for (let words = argv; ; words = argumentsAgain(words)) {
    const end = await superviseProgram(executable, [script, ...words], supervised);
    if ("reason" in end) return end;
    if ("code" in end && end.code !== RESTART_CODE) return end;
    if ("code" in end) continue;
    const now = performance.now();
    crashes = [...crashes.filter((at) => now - at < CRASHES_WITHIN_MS), now];
    if (crashes.length >= MOST_CRASHES) {
      console.error(`Electron crashed ${MOST_CRASHES} times within two minutes (${end.crash}). Postern ends.`);
      return { code: 1 };
    }
    console.error(`Electron crashed (${end.crash}). Postern starts again; calls that ran are kept as unknown.`);
  }
}

/**
 * Starts a program with this one's streams, forwards signals and waits for its exit. Runs on Node 20 too.
 * @param {string} executable
 * @param {readonly string[]} argv
 * @param {NodeJS.ProcessEnv} environment
 * @returns {Promise<End>} Its exit code; why it could not start; or the crash of a program that had sent READY.
 */
export function superviseProgram(executable, argv, environment = process.env) {
  const isPosix = process.platform !== "win32";
  // A signal to the whole group would kill Chromium's processes while the main process still drains.
  /** @type {import("node:child_process").SpawnOptions} */
  const options = { env: environment, detached: isPosix, stdio: ["inherit", "inherit", "inherit", "ipc"] };
  const child = spawn(executable, argv, options);
  let isReady = false;
  let isStopped = false;
  child.on("message", (message) => {
    if (message === READY) isReady = true;
  });
  /** @type {NodeJS.SignalsListener} */
  const forward = (signal) => {
    isStopped = true;
    // Windows gives Ctrl+C to every process of the console by itself.
    if (isPosix || signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal);
  };
  for (const signal of SIGNALS) process.on(signal, forward);
  return new Promise((/** @type {(end: End) => void} */ resolve) => {
    child.once("error", (error) => resolve({ reason: error.message }));
    child.once("exit", (code, signal) => {
      const crash =
        signal !== null && CRASHES.has(signal)
          ? signal
          : code !== null && code >= FIRST_ERROR_STATUS
            ? `0x${code.toString(16)}`
            : null;
      if (code === LOADER_FAILED) resolve({ reason: "libraries that it needs are missing" });
      else if (crash === null || isStopped) resolve({ code: code ?? 1 });
      else resolve(isReady ? { crash } : { reason: crash });
    });
  }).finally(() => {
    for (const signal of SIGNALS) process.off(signal, forward);
  });
}
