import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { findElectron } from "../../../main/launch/electron.mjs";

export const projectFolder = join(import.meta.dirname, "../../..");
const STOP_MS = 12_000;

/** Electron's binary. @throws Error where there is none. */
export function electronHere(): string {
  const found = findElectron(projectFolder, process.env);
  if (found === null) throw new Error("There is no Electron binary here: set ELECTRON_OVERRIDE_DIST_PATH.");
  return found;
}

/** A Postern that was started, headless or as the desktop app. */
export interface Started extends AsyncDisposable {
  /** Of the process that runs the gateway. */
  readonly pid: number;
  readonly url: string;
  /** From its start to its ready line, ms. */
  readonly readyMs: number;
}

/**
 * Starts Postern and waits for its ready line.
 * @param command program and arguments, to which port and data folder are added before `more`.
 */
export async function startPostern(
  command: readonly string[],
  dataDir: string,
  more: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Started> {
  const [program = "", ...first] = command;
  const from = performance.now();
  const child = spawn(program, [...first, "--port", "0", "--json", "--data-dir", dataDir, ...more], {
    cwd: projectFolder,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const ended = once(child, "exit");
  const lines = createInterface({ input: child.stdout });
  const gone = ended.then(([code]) => {
    throw new Error(`${command.join(" ")} ended with ${String(code)}`);
  });
  const [line] = (await Promise.race([once(lines, "line"), gone])) as [string];
  gone.catch(() => undefined);
  const { url, pid } = JSON.parse(line) as { url: string; pid: number };
  return { pid, url, readyMs: performance.now() - from, [Symbol.asyncDispose]: () => stop(child, ended) };
}

async function stop(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  child.kill("SIGTERM");
  const late = setTimeout(() => child.kill("SIGKILL"), STOP_MS);
  await ended;
  clearTimeout(late);
}

/** A process of an app: what it is for, and its memory in MB; null where this user may not read it. */
export interface Member {
  readonly pid: number;
  readonly role: string;
  readonly rssMb: number;
  /** Its share of what it shares with others included, as the kernel counts it. */
  readonly pssMb: number | null;
  /** CPU time of all its threads so far, µs. */
  readonly cpuUs: number;
}

/** A process and its descendants. */
export function members(pid: number): Member[] {
  const found: Member[] = [];
  const visit = (one: number): void => {
    try {
      found.push(memberOf(one));
      for (const thread of readdirSync(`/proc/${one}/task`)) {
        const children = readFileSync(`/proc/${one}/task/${thread}/children`, "utf8").split(" ");
        for (const child of children) if (child !== "") visit(Number(child));
      }
    } catch {
      // It ended meanwhile.
    }
  };
  visit(pid);
  return found;
}

function memberOf(pid: number): Member {
  // Chromium writes its own line over the arguments, with blanks between them.
  const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split(/[\0 ]/);
  const type = words.find((word) => word.startsWith("--type="))?.slice("--type=".length);
  const service = words.find((word) => word.startsWith("--utility-sub-type="))?.replace(/^.*\./, "");
  const kib = (text: string, name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(text)?.[1] ?? 0);
  let pssMb: number | null = null;
  try {
    pssMb = kib(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"), "Pss") / 1_024;
  } catch {
    // Chromium closes the sandboxed ones to everybody but root.
  }
  return {
    pid,
    role: service ?? type ?? "main",
    rssMb: kib(readFileSync(`/proc/${pid}/status`, "utf8"), "VmRSS") / 1_024,
    pssMb,
    cpuUs: readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => sum + threadCpu(pid, Number(thread)), 0),
  };
}

/** CPU time that one thread has used, in microseconds (steps of a scheduler's nanosecond). */
export function threadCpu(pid: number, thread = pid): number {
  // A thread may end between two looks at the folder.
  if (!existsSync(`/proc/${pid}/task/${thread}/schedstat`)) return 0;
  const [nanoseconds = "0"] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ");
  return Number(nanoseconds) / 1_000;
}
