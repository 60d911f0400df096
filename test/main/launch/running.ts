import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

const top = join(import.meta.dirname, "../../..");

/** A Postern that was started as a person starts it: `node main/start.mjs --headless …`. */
export interface Running extends AsyncDisposable {
  readonly pid: number;
  /** Lines of standard output so far. */
  readonly out: readonly string[];
  readonly errors: readonly string[];
  /** Resolves with the next line of standard output that is not handed out yet; null when there will be none. */
  line(): Promise<string | null>;
  signal(name: NodeJS.Signals): void;
  /** The exit code, when it has ended. */
  readonly ended: Promise<number | null>;
}

/** @param flags for Node */
export function start(
  argv: readonly string[],
  environment: NodeJS.ProcessEnv = {},
  flags: readonly string[] = [],
): Running {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith("POSTERN_"));
  const child = spawn(process.execPath, [...flags, join(top, "main/start.mjs"), "--headless", ...argv], {
    env: { ...Object.fromEntries(own), ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const out: string[] = [];
  const errors: string[] = [];
  const lines = createInterface({ input: child.stdout });
  const queue = lines[Symbol.asyncIterator]();
  createInterface({ input: child.stderr }).on("line", (line) => errors.push(line));
  const ended = once(child, "close").then(([code]) => (typeof code === "number" ? code : null));
  return {
    pid: child.pid ?? 0,
    out,
    errors,
    async line() {
      const { value, done } = await queue.next();
      if (done === true) return null;
      out.push(value);
      return value;
    },
    signal: (name) => void child.kill(name),
    ended,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

/** A folder of its own for a test's data. */
export async function dataFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), "postern-start-"));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 5 }) };
}

export interface Ready {
  readonly event: string;
  readonly url: string;
  readonly ui: string;
  readonly dataDir: string;
  readonly pid: number;
  readonly apiKey?: string;
}

/** Starts with `--json` on a free port and waits until it is ready. */
export async function startReady(
  folder: string,
  argv: readonly string[] = [],
  environment: NodeJS.ProcessEnv = {},
): Promise<{ readonly running: Running; readonly ready: Ready } & AsyncDisposable> {
  const running = start(["--port", "0", "--data-dir", folder, "--json", ...argv], environment);
  const line = await running.line();
  if (line === null) throw new Error(`Postern did not start: ${running.errors.join("\n")}`);
  const ready = JSON.parse(line) as Ready;
  return { running, ready, [Symbol.asyncDispose]: () => running[Symbol.asyncDispose]() };
}
