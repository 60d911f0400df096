import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

const READY_WITHIN_MS = 60_000;

/**
 * Starts a packaged app on a data folder of its own, asks whether it serves, and ends it.
 * @param {string} executable
 * @returns {Promise<string[]>} What is wrong, as sentences; none when it started, served and ended as it should.
 */
export async function problemsOfStart(executable) {
  /** @type {string[]} */
  const problems = [];
  const dataDir = mkdtempSync(join(tmpdir(), "postern-package-"));
  const child = spawn(executable, ["--port", "0", "--data-dir", dataDir, "--json"], {
    env: { ...process.env, POSTERN_SANDBOX: "on" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  try {
    const timeout = AbortSignal.timeout(READY_WITHIN_MS);
    const gone = ended.then(([code, signal]) => {
      throw new Error(`it ended with ${String(code ?? signal)}`);
    });
    const [line] = await Promise.race([
      once(createInterface({ input: child.stdout }), "line", { signal: timeout }),
      gone,
    ]);
    const { url } = JSON.parse(line);
    const { status } = await fetch(`${url}/health`);
    if (status !== 200) problems.push(`It started, and answers ${status} on /health.`);
    console.log(`It is ready at ${url}.`);
  } catch (error) {
    problems.push(`It did not start: ${error instanceof Error ? error.message : String(error)}.`);
  }
  child.kill("SIGTERM");
  const [code] = await ended.catch(() => [null]);
  // Windows has no such signal: the process is ended there.
  if (process.platform !== "win32" && code !== 0) problems.push(`It ended with ${String(code)}.`);
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
  return problems;
}
