import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { adopt } from "../peers/processes.ts";

export const canCountSystemCalls = (): boolean => spawnSync("strace", ["-V"]).status === 0;

/** How many system calls a process and its threads make while `work` runs. */
export async function countSystemCalls(pid: number, work: () => Promise<void>): Promise<number> {
  const tracer = spawn("strace", ["-f", "-c", "-U", "calls,name", "-p", String(pid)], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  adopt(tracer);
  let printed = "";
  const { promise: attached, resolve } = Promise.withResolvers<void>();
  tracer.stderr.setEncoding("utf8").on("data", (text: string) => {
    printed += text;
    if (/attached/.test(printed)) resolve();
  });
  const ended = once(tracer, "close");
  await Promise.race([
    attached,
    ended.then(() => Promise.reject(new Error(`strace did not attach: ${printed.trim()}`))),
  ]);
  await work();
  tracer.kill("SIGINT");
  await ended;
  const total = /^\s*(\d+)\s+total$/m.exec(printed)?.[1];
  if (total === undefined) throw new Error(`strace counted nothing: ${printed.trim()}`);
  return Number(total);
}
