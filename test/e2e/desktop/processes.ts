import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:net";

/** The processes of a running app, by what Chromium calls them on their command lines. Linux only: it reads /proc. */
const KINDS = {
  window: "--type=renderer",
  graphics: "--type=gpu-process",
  network: "--utility-sub-type=network.mojom.NetworkService",
} as const;
export type Kind = keyof typeof KINDS;

interface OneProcess {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

function processOf(pid: number): OneProcess | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const [state, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (state === "Z") return null;
    return { pid, parent: Number(parent), command: readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ") };
  } catch {
    // It ended meanwhile.
    return null;
  }
}

/** Every process that can be seen here. */
export const allProcesses = (): number[] =>
  readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? Number(name) : []));

/** Those that live now and come from a process, without itself. */
export function descendants(pid: number): OneProcess[] {
  const all = allProcesses().flatMap((one) => processOf(one) ?? []);
  const found: OneProcess[] = [];
  for (let parents = [pid]; parents.length > 0;) {
    const children = all.filter((one) => parents.includes(one.parent));
    found.push(...children);
    parents = children.map((one) => one.pid);
  }
  return found;
}

/** The process of that kind that an app has now, or null. */
export function pidOf(app: number, kind: Kind): number | null {
  return descendants(app).find((one) => one.command.includes(KINDS[kind]))?.pid ?? null;
}

/** Whether a process lives, as something else than a zombie. */
export const lives = (pid: number): boolean => processOf(pid) !== null;

/**
 * Kills a process and nothing else. The number 0 means the caller's own group, with the test runner in it, and a
 * negative one a group too: neither is the number of a process.
 */
export function killOne(pid: number): void {
  if (!Number.isSafeInteger(pid) || pid <= 1) throw new Error(`${pid} is not the number of a process`);
  process.kill(pid, "SIGKILL");
}

/** The variables that a process was started with. */
export function environmentOf(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
  } catch {
    return [];
  }
}

/** Whether no one listens there any more. */
export async function isFree(url: string): Promise<boolean> {
  const server = createServer().listen(Number(new URL(url).port), "127.0.0.1");
  return Promise.race([once(server, "listening").then(() => true), once(server, "error").then(() => false)]).finally(
    () => server.close(),
  );
}

export interface HealthWatch {
  /** Stops asking. @returns how often it was asked, what failed, and the longest that a response took, ms. */
  stop(): Promise<{ asked: number; failed: readonly string[]; longest: number }>;
}

/** Asks /health again and again, one request after the other. */
export function watchHealth(url: string): HealthWatch {
  const end = new AbortController();
  let asked = 0;
  let longest = 0;
  const failed: string[] = [];
  const asking = (async () => {
    while (!end.signal.aborted) {
      const before = performance.now();
      const outcome = await fetch(`${url}/health`, { signal: AbortSignal.timeout(5_000) }).then(
        ({ status }) => String(status),
        (error: unknown) => String(error),
      );
      asked += 1;
      longest = Math.max(longest, performance.now() - before);
      if (outcome !== "200") failed.push(outcome);
    }
  })();
  return {
    async stop() {
      end.abort();
      await asking;
      return { asked, failed, longest };
    },
  };
}
