import type { IncomingMessage, ServerResponse } from "node:http";
import { Webhook } from "standardwebhooks";
import { LoopbackServer, bodyOf } from "./loopback-server.ts";

/** `whsec_` and the base64 of 32 bytes that are all 7. */
export const WEBHOOK_SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;

/** A webhook that arrived, verified. */
export interface Received {
  /** `webhook-id`. */
  readonly id: string;
  readonly type: string;
  /** Of the task, as its client knows it. */
  readonly task: string;
  /** What the path ends with: tests give each task its own. */
  readonly name: string;
  /** `webhook-timestamp`, Unix ms. */
  readonly signedAt: number;
  /** Monotonic ms of this process. */
  readonly at: number;
  /** What it was answered with; null: the connection ended before. */
  status: number | null;
}

/** A receiver of webhooks on loopback, which verifies each as the reference library does. */
export class WebhookReceiver extends LoopbackServer {
  /** In the order of their arrival. */
  readonly received: Received[] = [];
  /** What was wrong with some, in words. */
  readonly complaints: string[] = [];
  /** What a webhook is answered with. @param nth of its name, from 1 */
  response: (nth: number) => number = () => 204;
  #pending: Promise<void> | null = null;

  /** `127.0.0.1:PORT`. */
  get host(): string {
    return `127.0.0.1:${this.port}`;
  }

  url(name: string): string {
    return `http://${this.host}/hooks/${name}`;
  }

  of(name: string): readonly Received[] {
    return this.received.filter((received) => received.name === name);
  }

  /** Lets webhooks arrive and gives no response until the returned function is called. */
  hold(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#pending = promise;
    return () => {
      this.#pending = null;
      resolve();
    };
  }

  protected async serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = await bodyOf(incoming).catch(() => null);
    if (body === null) return;
    const received = this.#take(incoming.url ?? "", incoming.headers, body.toString("utf8"));
    const status = this.response(this.of(received.name).length);
    await this.#pending;
    if (!outgoing.destroyed) received.status = status;
    outgoing.writeHead(status).end();
  }

  #take(path: string, headers: NodeJS.Dict<string | string[]>, payload: string): Received {
    const name = path.slice("/hooks/".length);
    const signedAt = Number(headers["webhook-timestamp"]) * 1_000;
    let event: { type: string; data: { id: string } } = { type: "", data: { id: "" } };
    try {
      event = verifiedAt(signedAt, payload, headers as Record<string, string>) as typeof event;
    } catch (error) {
      this.complaints.push(`the callback ${name} does not verify: ${String(error)}`);
    }
    const id = String(headers["webhook-id"]);
    const received = { id, type: event.type, task: event.data.id, name, signedAt, at: performance.now(), status: null };
    this.received.push(received);
    return received;
  }
}

/** As a receiver does whose clock runs with the gateway's, which may be faster than this machine's. */
function verifiedAt(now: number, payload: string, headers: Record<string, string>): unknown {
  const real = Date.now;
  Date.now = () => now;
  try {
    return new Webhook(WEBHOOK_SECRET).verify(payload, headers);
  } finally {
    Date.now = real;
  }
}
