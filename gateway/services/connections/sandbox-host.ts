import type { Clock } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import { getMessage } from "../../lib/message-of.ts";
import { providers } from "../../providers/registry.ts";
import { makeConnection } from "./connection.ts";
import type { Connections } from "./connections.ts";
import type { SandboxSwitch } from "./sandbox-switch.ts";

/** A running sandbox server. */
export interface RunningSandbox {
  readonly origin: string;
  readonly key: string;
  close(): Promise<void>;
}

/** Starts the offline provider when it is first needed, and makes it connections like any other: one for each protocol. */
export class SandboxHost {
  readonly #connections: Connections;
  readonly #switch: SandboxSwitch;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #start: () => Promise<RunningSandbox>;
  #running: Promise<RunningSandbox> | null = null;
  #closed = false;

  constructor(
    connections: Connections,
    sandbox: SandboxSwitch,
    clock: Clock,
    log: Log,
    start: () => Promise<RunningSandbox>,
  ) {
    this.#connections = connections;
    this.#switch = sandbox;
    this.#clock = clock;
    this.#log = log;
    this.#start = start;
    connections.onChange(() => void this.ensure());
  }

  /**
   * Resolves when the sandbox serves, if it is enabled. Never rejects: a sandbox that fails to start is logged and
   * started again when next needed.
   */
  async ensure(): Promise<void> {
    if (this.#closed || !this.#switch.active) return;
    const running = (this.#running ??= this.#connect());
    try {
      await running;
    } catch (error) {
      if (this.#running !== running) return;
      this.#running = null;
      this.#log.warn("sandbox.unavailable", { message: getMessage(error) });
    }
  }

  async #connect(): Promise<RunningSandbox> {
    const running = await this.#start();
    // All share one time, which orders the connections, and with them the models that they serve.
    const now = this.#clock.now();
    for (const provider of Object.values(providers)) {
      const bare = `${running.origin}/${provider.id}`;
      // A protocol without its own version uses OpenAI's.
      const address = provider.normalizeBaseUrl(new URL(bare)) === bare ? `${bare}/v1` : bare;
      this.#connections.put(
        makeConnection({
          id: `sandbox_${provider.id}`,
          provider,
          name: "Sandbox",
          baseUrl: provider.normalizeBaseUrl(new URL(address)),
          priority: 1_000,
          enabled: true,
          from: "sandbox",
          createdAt: now,
          credentials: [{ secret: running.key, hint: "sandbox" }],
          discovered: { models: [], at: now },
        }),
      );
    }
    return running;
  }

  async close(): Promise<void> {
    this.#closed = true;
    const running = await this.#running?.catch(() => null);
    await running?.close();
  }
}
