import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import type { StoreEvent, StoreLog } from "../store-event.ts";
import type { Responded, LedgerIndexParts } from "./ledger-index.ts";
import type { FileDamage, LedgerReader, Questions, ResponseTo } from "./questions.ts";

export interface ToLedger {
  readonly id: number;
  readonly name: string;
  readonly question: object;
}

export type FromLedger =
  | ({ readonly id: number } & Responded)
  | { readonly id: number; readonly error: string }
  | { readonly damage: FileDamage }
  | { readonly event: StoreEvent };

/** Milliseconds after which an idle thread ends; an open page queries more often. */
const IDLE_MS = 60_000;
/** The thread has few objects; the memory of SQLite is not counted here. */
const LIMITS = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 8 };

export interface LedgerParts extends Pick<LedgerIndexParts, "dir" | "readOnly"> {
  readonly log: StoreLog;
}

/** A thread, and who waits for its responses. */
interface Thread {
  readonly worker: Worker;
  readonly waiting: Map<number, { resolve(responded: Responded): void; reject(error: Error): void }>;
}

/**
 * Index over the logs of the data folder, in a thread that runs while pages query it: without open pages there is
 * neither thread nor memory for it.
 */
export class Ledger implements LedgerReader {
  readonly #parts: LedgerParts;
  #thread: Thread | null = null;
  #idle: NodeJS.Timeout | undefined;
  readonly #listeners = new Map<string, (damage: FileDamage) => Promise<void>>();
  /** Settles when damage is dealt with that was reported so far: responses come after it. */
  #handled: Promise<unknown> = Promise.resolve();
  #id = 0;
  #isClosed = false;

  constructor(parts: LedgerParts) {
    this.#parts = parts;
  }

  /**
   * Queries a table. Earlier writes are included, unless it is being rebuilt.
   * @throws Error if the logs cannot be read, or the store is closed
   */
  async ask<N extends keyof Questions>(name: N, question: Questions[N]["ask"]): Promise<ResponseTo<N>> {
    if (this.#isClosed) throw new Error("The store is closed.");
    clearTimeout(this.#idle);
    const { worker, waiting } = (this.#thread ??= this.#start());
    const id = ++this.#id;
    worker.ref();
    const responded = await new Promise<Responded>((resolve, reject) => {
      waiting.set(id, { resolve, reject });
      const message: ToLedger = { id, name, question };
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      worker.postMessage(message);
    });
    return responded as ResponseTo<N>;
  }

  /** Sets the listener for damage that the index finds in the files of a table. It must not throw. */
  onDamage(table: string, listener: (damage: FileDamage) => Promise<void>): void {
    this.#listeners.set(table, listener);
  }

  /** Ends the thread: what it was about to write is read from the logs by the next one. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#end();
  }

  async #end(): Promise<void> {
    clearTimeout(this.#idle);
    const thread = this.#thread;
    this.#thread = null;
    await thread?.worker.terminate();
  }

  #start(): Thread {
    const { dir, readOnly } = this.#parts;
    const streams = { env: {}, execArgv: [], stdout: true, stderr: true };
    const options = { ...streams, resourceLimits: LIMITS, workerData: { dir, readOnly } };
    const bundled = !import.meta.url.endsWith(".ts");
    const url = new URL(bundled ? "./ledger-worker.cjs" : "./ledger-worker.ts", import.meta.url);
    // Read as text, because the desktop's files are in an archive that only the main thread is sure to read.
    const worker = bundled
      ? new Worker(readFileSync(fileURLToPath(url), "utf8"), { ...options, eval: true })
      : new Worker(url, options);
    const thread: Thread = { worker, waiting: new Map() };
    let failure = new Error("The thread of the index ended.");
    worker.on("message", (message: FromLedger) => this.#take(thread, message));
    worker.on("error", (error: Error) => (failure = error));
    worker.once("exit", () => {
      if (this.#thread === thread) this.#thread = null;
      for (const { reject } of thread.waiting.values()) reject(failure);
      thread.waiting.clear();
    });
    return thread;
  }

  #take({ worker, waiting }: Thread, message: FromLedger): void {
    if ("event" in message) {
      this.#parts.log(message.event);
      return;
    }
    if ("damage" in message) {
      const { damage } = message;
      this.#handled = this.#handled.then(() => this.#listeners.get(damage.table)?.(damage));
      return;
    }
    const pending = waiting.get(message.id);
    waiting.delete(message.id);
    if ("error" in message) pending?.reject(new Error(message.error));
    else void this.#handled.then(() => pending?.resolve(message));
    if (waiting.size > 0) return;
    worker.unref();
    this.#idle = setTimeout(() => void this.#end(), IDLE_MS).unref();
  }
}
