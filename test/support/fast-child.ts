import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { bundled } from "../run/bundled.ts";
import type { KillPoint } from "./kill-points.ts";

const PROGRAM = await bundled("test/support/fast-program.ts");
/** Node keeps there what it made of the sources: the next start takes a third of the time. */
const COMPILED = join(import.meta.dirname, "../../node_modules/.cache/node-compile");

/** What such a gateway is started with. */
export interface FastStart {
  readonly dataDir: string;
  readonly env: Readonly<Record<string, string>>;
  /** So many times faster than the machine's clock, which it agreed with at `since` (Unix ms). */
  readonly speed: number;
  readonly since: number;
  readonly kill: KillPoint | null;
  /** How long a stop lets running calls go on; as long as the contract says unless given. */
  readonly drainMs?: number;
}

export type FastOrder =
  | { readonly do: "kill"; readonly point: KillPoint | null }
  | { readonly do: "jump"; readonly ms: number }
  | { readonly do: "resumed" | "token" | "measure" | "measured" | "close" | "stop" };

export type FastResponse =
  | { readonly of: "ready"; readonly url: string }
  | { readonly of: "done" }
  | { readonly of: "closed" }
  | { readonly of: "token"; readonly token: string }
  /** Processor time of the process so far, and how late its event loop was since `measure`; both ms. */
  | { readonly of: "measured"; readonly cpuMs: number; readonly delayP99: number };

/** A gateway in a process of its own, from its sources, whose time may run faster and that may kill itself. */
export class FastChild {
  readonly child: ChildProcess;
  stderr = "";
  /** How it ended: the signal, or the exit code. */
  readonly exited: Promise<NodeJS.Signals | number>;
  url = "";
  #bearer: Promise<string> | null = null;

  constructor(start: FastStart) {
    this.child = fork(PROGRAM, [JSON.stringify(start)], {
      env: { ...process.env, NODE_COMPILE_CACHE: COMPILED },
      execArgv: [],
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    this.child.stderr?.on("data", (part) => (this.stderr += String(part)));
    this.exited = once(this.child, "exit").then(([code, signal]) => (signal ?? code) as NodeJS.Signals | number);
    // What is sent to a process that has just been killed is lost with it.
    this.child.on("error", () => {});
  }

  /** @returns false when it was killed before that. Rejects when it ended by itself. */
  async ready(): Promise<boolean> {
    const response = await this.#next("ready");
    if (response === null) {
      if ((await this.exited) !== "SIGKILL") throw new Error(`it did not start: ${this.stderr}`);
      return false;
    }
    this.url = response.url;
    return true;
  }

  /** Kills itself at this point of its work on the disk. */
  async killAt(point: KillPoint | null): Promise<void> {
    await this.#ask({ do: "kill", point }, "done");
  }

  /** Sets its wall clock forward, or back. */
  async jump(ms: number): Promise<void> {
    await this.#ask({ do: "jump", ms }, "done");
  }

  /** Tells it that the machine slept, as the desktop does. */
  async resumed(): Promise<void> {
    await this.#ask({ do: "resumed" }, "done");
  }

  /** Begins to measure how late the event loop is. */
  async measure(): Promise<void> {
    await this.#ask({ do: "measure" }, "done");
  }

  async measured(): Promise<{ readonly cpuMs: number; readonly delayP99: number }> {
    const response = await this.#ask({ do: "measured" }, "measured");
    if (response === null) throw new Error(`it ended: ${this.stderr}`);
    return response;
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  async kill(): Promise<void> {
    this.child.kill("SIGKILL");
    await this.exited;
  }

  /** Closes the gateway and leaves the process to itself. @returns false when it ended before that */
  async close(): Promise<boolean> {
    return (await this.#ask({ do: "close" }, "closed")) !== null;
  }

  /** Ends it in an orderly way. */
  async stop(): Promise<void> {
    if (this.child.connected) this.child.send({ do: "stop" } satisfies FastOrder, () => {});
    await this.exited;
  }

  /** A control operation that must succeed. */
  async control<T>(method: string, path: string, body?: unknown): Promise<T> {
    this.#bearer ??= this.#signIn();
    const response = await fetch(`${this.url}/control${path}`, {
      method,
      headers: { authorization: `Bearer ${await this.#bearer}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  }

  async #signIn(): Promise<string> {
    const body = await this.#ask({ do: "token" }, "token");
    if (body === null) throw new Error(`it ended: ${this.stderr}`);
    const response = await fetch(`${this.url}/control/session`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ token: body.token }),
    });
    return ((await response.json()) as { bearer: string }).bearer;
  }

  /** @returns null when it ended meanwhile. */
  #ask<K extends FastResponse["of"]>(order: FastOrder, of: K): Promise<Extract<FastResponse, { of: K }> | null> {
    const response = this.#next(of);
    if (this.child.connected) this.child.send(order, () => {});
    return response;
  }

  async #next<K extends FastResponse["of"]>(of: K): Promise<Extract<FastResponse, { of: K }> | null> {
    const { promise, resolve } = Promise.withResolvers<Extract<FastResponse, { of: K }>>();
    const listen = (response: FastResponse): void => {
      if (response.of === of) resolve(response as Extract<FastResponse, { of: K }>);
    };
    this.child.on("message", listen);
    const first = await Promise.race([promise, this.exited.then(() => null)]);
    this.child.off("message", listen);
    return first;
  }
}
