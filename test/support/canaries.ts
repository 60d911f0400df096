import dns from "node:dns";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { syncBuiltinESMExports } from "node:module";
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { networkInterfaces } from "node:os";

const realLookup = dns.lookup;

/**
 * Servers at every private address of this machine that no one may connect to, names that resolve to whatever a test
 * says, and a record of every connection that this process begins.
 */
export class Canaries {
  /** Where this process began to connect to, as `address port`. */
  readonly started: string[] = [];
  /** Connections that arrived at a canary. */
  connected = 0;
  /** What names resolve to, in turn; the last response stays. Several addresses have blanks between them. */
  readonly names = new Map<string, string[]>();
  readonly #servers: Server[] = [];

  async listen(): Promise<void> {
    const lan = Object.values(networkInterfaces()).flatMap((list) =>
      (list ?? []).filter(({ internal, family }) => !internal && family === "IPv4").map(({ address }) => address),
    );
    for (const host of ["127.0.0.1", "::1", ...lan]) {
      const server = createServer((socket) => {
        this.connected += 1;
        socket.destroy();
      });
      // A machine without IPv6 has one canary less.
      const listens = await new Promise<boolean>((resolve) => {
        server.once("error", () => resolve(false));
        server.listen(0, host, () => resolve(true));
      });
      if (listens) this.#servers.push(server);
    }
    dns.lookup = this.#lookup as typeof dns.lookup;
    syncBuiltinESMExports();
  }

  close(): void {
    dns.lookup = realLookup;
    syncBuiltinESMExports();
    for (const server of this.#servers) server.close();
  }

  /** From here on connections are recorded. */
  watch(): void {
    this.started.length = 0;
    this.connected = 0;
    subscribe("net.client.socket", this.#onSocket);
  }

  rest(): void {
    unsubscribe("net.client.socket", this.#onSocket);
    this.names.clear();
  }

  get ports(): readonly number[] {
    return this.#servers.map((server) => (server.address() as AddressInfo).port);
  }

  /** One of the canaries' ports, in turn. */
  port(at: number): number {
    return this.ports[at % this.ports.length] as number;
  }

  readonly #onSocket = (message: unknown): void => {
    const { socket } = message as { socket: Socket };
    socket.on("connectionAttempt", (address: string, port: number) => this.started.push(`${address} ${port}`));
  };

  readonly #lookup = (
    name: string,
    options: dns.LookupOptions,
    callback: (error: Error | null, all: object) => void,
  ): void => {
    const responses = this.names.get(name);
    if (responses === undefined) return realLookup(name, options as dns.LookupAllOptions, callback);
    const response = (responses.length > 1 ? responses.shift() : responses[0]) ?? "";
    const addresses = response.split(" ").map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
    queueMicrotask(() => callback(null, addresses));
  };
}
