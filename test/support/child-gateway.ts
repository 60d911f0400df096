import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { bundled } from "../run/bundled.ts";

const PROJECT = join(import.meta.dirname, "../..");
const PROGRAM = await bundled("test/support/headless-program.ts");

/** What the ready line of `--json` says. */
export interface Ready {
  readonly event: string;
  readonly url: string;
  readonly ui: string;
  readonly mcp: string;
  readonly dataDir: string;
  readonly pid: number;
  readonly apiKey?: string;
  readonly message?: string;
}

/** A gateway in a process of its own, from its sources, as `npm start -- --headless` runs it. */
export class ChildGateway {
  readonly child: ChildProcess;
  /** Lines of standard output. */
  readonly lines: string[] = [];
  stderr = "";
  /** Exit code, or null when a signal ended it. */
  readonly exited: Promise<number | null>;
  readonly #first: Promise<void>;

  /**
   * @param program a module of the project to run in the place of the gateway's own start
   * @param through a program that runs it, with its arguments
   */
  constructor(
    args: readonly string[],
    env: Readonly<Record<string, string>> = {},
    program: string = PROGRAM,
    through: readonly string[] = [],
  ) {
    const clean = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("POSTERN_")));
    const [command = "", ...rest] = [...through, process.execPath, program, ...args];
    this.child = spawn(command, rest, {
      cwd: PROJECT,
      env: { ...clean, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.exited = once(this.child, "exit").then(([code]) => code as number | null);
    this.child.stderr?.on("data", (part) => (this.stderr += String(part)));
    const reader = createInterface({ input: this.child.stdout as NodeJS.ReadableStream });
    this.#first = new Promise((resolve) => {
      reader.on("line", (line) => {
        this.lines.push(line);
        resolve();
      });
    });
  }

  /** The first line, which `--json` makes an object. Rejects when the process ends without one. */
  async ready(): Promise<Ready> {
    await Promise.race([this.#first, this.exited]);
    if (this.lines.length === 0) throw new Error(`ended before it was ready: ${this.stderr}`);
    return JSON.parse(this.lines[0] ?? "") as Ready;
  }

  kill(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }
}
