import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync, readdirSync } from "node:fs";

/** A process of ours on one CPU. Ends with its scope: SIGTERM, then SIGKILL when it takes too long. */
export interface Running extends AsyncDisposable {
  readonly pid: number;
  /** Why it is not running any more, or null. */
  ended(): string | null;
}

const STOP_MS = 10_000;
/** The kernel counts CPU time in these units for user space, whatever its own clock is (proc(5), USER_HZ). */
const TICKS_PER_SECOND = 100;
const children = new Set<ChildProcess>();

/** Whatever ends this program ends its children. Not by SIGKILL, which would leave nginx's worker behind. */
process.on("exit", () => {
  for (const child of children) child.kill("SIGTERM");
});
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));

/** Ends `child` with this program, should it run for so long. */
export function adopt(child: ChildProcess): void {
  children.add(child);
  child.once("exit", () => children.delete(child));
}

/**
 * Starts a program on one CPU, with nothing of our environment but PATH and HOME: what a shell happens to export
 * (certificates, options for Node) would change what is measured.
 * @param output file that takes its output, access log and all.
 */
export function start(
  command: readonly string[],
  where: { readonly cpu: number; readonly env?: Readonly<Record<string, string>>; readonly output: string },
): Running {
  const { PATH = "", HOME = "" } = process.env;
  const file = openSync(where.output, "a");
  // taskset replaces itself with the program, so its process id is the program's.
  const child = spawn("taskset", ["-c", String(where.cpu), ...command], {
    env: { PATH, HOME, ...where.env },
    stdio: ["ignore", file, file],
  });
  closeSync(file);
  adopt(child);
  const exited = once(child, "exit");
  const ended = (): string | null =>
    child.exitCode === null && child.signalCode === null
      ? null
      : `${command[0]} ended (${child.exitCode ?? child.signalCode}); see ${where.output}`;
  return {
    pid: child.pid ?? 0,
    ended,
    async [Symbol.asyncDispose]() {
      if (ended() === null) {
        child.kill("SIGTERM");
        const timedOut = setTimeout(() => child.kill("SIGKILL"), STOP_MS);
        await exited;
        clearTimeout(timedOut);
      }
    },
  };
}

/**
 * CPU time that a process and its descendants have used, those that have ended too, user and system, in microseconds
 * (steps of 10,000).
 */
export function cpuMicroseconds(pid: number): number {
  let ticks = 0;
  for (const member of family(pid)) {
    // The name in the second field may hold spaces and brackets; fields are counted behind it.
    const fields = unlessEnded(() => readFileSync(`/proc/${member}/stat`, "utf8"), "")
      .replace(/^.*\) /s, "")
      .split(" ");
    for (const field of fields.slice(11, 15)) ticks += Number(field);
  }
  return (ticks / TICKS_PER_SECOND) * 1e6;
}

/** Resident memory of a process and its descendants, in bytes. */
export function residentBytes(pid: number): number {
  let kib = 0;
  for (const member of family(pid)) {
    const status = unlessEnded(() => readFileSync(`/proc/${member}/status`, "utf8"), "");
    kib += Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0);
  }
  return kib * 1024;
}

/** @throws Error when the process itself has ended; of its descendants, those that have are left out. */
function family(pid: number): number[] {
  const members = membersOf(pid);
  if (members.length === 0) throw new Error(`process ${pid} ended while it was measured`);
  return members;
}

function membersOf(pid: number): number[] {
  const threads = unlessEnded(() => readdirSync(`/proc/${pid}/task`), null);
  if (threads === null) return [];
  const children = threads.flatMap((thread) =>
    unlessEnded(() => readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8"), "").split(" "),
  );
  return [pid, ...children.filter((id) => id !== "").flatMap((id) => membersOf(Number(id)))];
}

/** What `read` finds of a process or thread below /proc, or `otherwise` when that has ended meanwhile. */
function unlessEnded<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ESRCH") return otherwise;
    throw error;
  }
}
