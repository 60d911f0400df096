import type { GatewayOptions } from "./gateway-options.ts";
import { createGateway } from "./index.ts";
import type { Gateway } from "./index.ts";
import { StartError } from "./start-error.ts";

/** Gateways of one process, one after another: a restart closes one and opens the next on the same folder. */
export class Successors {
  readonly #options: GatewayOptions;
  #current: Gateway | null = null;
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
   * Closes the gateway and opens the next one, where the settings now say. When it cannot listen there it listens where
   * the one before did, and says why.
   * @param pageToken opens the pages of the next one
   * @throws as createGateway
   */
  async next(pageToken: string): Promise<void> {
    const before = this.#current;
    if (before === null || this.#closing !== null) return;
    this.#current = null;
    await before.close();
    // Stopped for good meanwhile.
    if (this.#closing !== null) return;
    const { hostname, port } = new URL(before.url);
    // Whoever asked for any free port has found this one.
    const asked = this.#options.port === 0 ? Number(port) : this.#options.port;
    const options = { ...this.#options, port: asked, pageToken };
    try {
      this.#current = await createGateway(options);
    } catch (error) {
      if (!(error instanceof StartError) || error.kind !== "port") throw error;
      this.#current = await createGateway({ ...options, host: hostname.replace(/^\[|\]$/g, ""), port: Number(port) });
      this.#current.notice("warning", `Postern listens where it did before: ${error.message}`);
    }
    if (this.#closing !== null) await this.#current.close();
  }

  /** Closes the one that is open; none follows. */
  close(): Promise<void> {
    this.#closing ??= this.#current?.close() ?? Promise.resolve();
    return this.#closing;
  }
}
