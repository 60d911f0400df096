import { spawnSync } from "node:child_process";
import { createServer, type AddressInfo } from "node:net";
import { availableParallelism, cpus, loadavg, release, totalmem } from "node:os";

/** The server under test has a CPU of its own; mocks, load and this program share the other. */
export const SERVER_CPU = 0;
export const LOAD_CPU = 1;

const PROGRAMS = ["taskset", "wrk", "gcc", "nginx", "npm"] as const;

/** What the figures were measured on. */
export interface Machine {
  readonly cpu: string;
  readonly cpus: number;
  readonly memoryGiB: number;
  readonly kernel: string;
  readonly node: string;
  /** Load average of the last minute before the run: above about 0.3, others were at work. */
  readonly loadBefore: number;
}

/** Checks that the machine can run the benchmark and moves this program to the load's CPU. @throws Error that says what to do. */
export function prepareMachine(): Machine {
  if (process.platform !== "linux") throw new Error("The benchmark pins processes and reads /proc: run it on Linux.");
  const missing = PROGRAMS.filter((name) => spawnSync("sh", ["-c", `command -v ${name}`]).status !== 0);
  if (missing.length > 0) {
    throw new Error(
      `Not installed: ${missing.join(", ")}. On Debian: apt-get install wrk nginx-light gcc libc6-dev util-linux.`,
    );
  }
  if (availableParallelism() < 2)
    throw new Error("The benchmark needs two CPUs: one for the server, one for the load.");
  // All threads: what this program does between two measurements must not disturb the server's CPU.
  const pinned = spawnSync("taskset", ["-acp", String(LOAD_CPU), String(process.pid)]);
  if (pinned.status !== 0)
    throw new Error(`This program cannot be pinned to CPU ${LOAD_CPU}: ${pinned.stderr.toString()}`);
  return {
    cpu: cpus()[0]?.model ?? "unknown",
    cpus: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    kernel: release(),
    node: process.version,
    loadBefore: loadavg()[0] ?? 0,
  };
}

/** A port that no one listens on. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
