import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A server of a test on loopback: what every fake provider and receiver has in common. */
export abstract class LoopbackServer {
  protected readonly server: Server;

  constructor() {
    this.server = createServer((incoming, outgoing) => void this.serve(incoming, outgoing));
    this.server.keepAliveTimeout = 30_000;
    this.server.on("connection", (socket) => socket.on("error", () => {}));
  }

  protected abstract serve(incoming: IncomingMessage, outgoing: ServerResponse): void | Promise<void>;

  /** @param port the one of an earlier server, to come back under its address; a free one otherwise */
  async listen(port = 0): Promise<this> {
    await new Promise<void>((resolve, reject) => {
      this.server.once("error", reject);
      this.server.listen(port, "127.0.0.1", resolve);
    });
    return this;
  }

  close(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** `http://127.0.0.1:PORT`. */
  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }
}

/** All bytes of a request's body. */
export async function bodyOf(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
