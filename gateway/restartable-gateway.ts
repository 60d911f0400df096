import type { GatewayOptions } from "./gateway-options.ts";
import { createGateway } from "./index.ts";
import type { Gateway } from "./index.ts";
import { StartError } from "./start-error.ts";

/** Gateways of one process in sequence: a restart closes one and opens the next on the same folder. */
export class RestartableGateway {
  readonly #options: GatewayOptions;
  #current: Gateway | null = null;
  /** While one follows another. */
  #moving: Promise<void> | null = null;
  #closing: Promise<void> | null = null;

  constructor(options: GatewayOptions) {
    this.#options = options;
  }

  /** The one that is open; null while one follows another. */
  get current(): Gateway | null {
    return this.#current;
  }

  /** @param changes for this one only. @throws as createGateway */
  async first(changes: Partial<GatewayOptions> = {}): Promise<Gateway> {
    this.#current = await createGateway({ ...this.#options, ...changes });
    return this.#current;
  }

  /**
   * Closes the gateway and opens the next one at the configured address. If it cannot listen there, it uses the
   * previous address and reports why.
   * @param pageToken page token of the next one
   * @returns the next one; null if it was stopped permanently meanwhile, or a restart is already running
   * @throws like createGateway
   */
  async next(pageToken: string): Promise<Gateway | null> {
    const before = this.#current;
    if (before === null || this.#closing !== null) return null;
    this.#current = null;
    this.#moving = this.#follow(before, pageToken);
    await this.#moving.finally(() => (this.#moving = null));
    return this.#closing === null ? this.#current : null;
  }

  async #follow(before: Gateway, pageToken: string): Promise<void> {
    await before.close();
    // Stopped for good meanwhile.
    if (this.#closing !== null) return;
    const { hostname, port } = new URL(before.url);
    // A request for any free port keeps the current one.
    const requestedPort = this.#options.port === 0 ? Number(port) : this.#options.port;
    const options = { ...this.#options, port: requestedPort, pageToken };
    try {
      this.#current = await createGateway(options);
    } catch (error) {
      if (!(error instanceof StartError) || error.kind !== "port") throw error;
      this.#current = await createGateway({ ...options, host: hostname.replace(/^\[|\]$/g, ""), port: Number(port) });
      this.#current.notice("warning", `Postern listens where it did before: ${error.message}`);
    }
  }

  /** Closes the open gateway without a successor. A running restart has also ended when it resolves. */
  close(): Promise<void> {
    this.#closing ??= this.#stop();
    return this.#closing;
  }

  async #stop(): Promise<void> {
    // The caller of a pending restart gets the reason why it failed.
    await this.#moving?.catch(() => undefined);
    await this.#current?.close();
  }
}
