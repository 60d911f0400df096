import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { LoopbackServer } from "./loopback-server.ts";
import { completion } from "./acts.ts";

/** One call that reached the provider, as it came over the wire. */
export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** Names and values in turn, as sent. */
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
  /** The provider key that it carried. */
  readonly key: string;
  /** Resolves with the moment (monotonic ms) at which the caller broke the connection off. */
  readonly aborted: Promise<number>;
}

/** What an act gets: the call, and both ways to answer it (Node's response, or the bare socket). */
export interface Exchange {
  readonly seen: Seen;
  readonly outgoing: ServerResponse;
  readonly socket: Socket;
  /** Bytes that the caller's side took so far. */
  sent(bytes: number): void;
}

/** How the provider behaves in one call. */
export type Act = (exchange: Exchange) => void | Promise<void>;

/**
 * An OpenAI-compatible provider on loopback that does as it is ordered. Chat calls take the next act of the script, then the
 * usual one; the model list has its own. Everything that arrives is recorded.
 */
export class MockProvider extends LoopbackServer {
  /** Chat calls in the order in which they were complete. */
  readonly chats: Seen[] = [];
  /** Requests for the model list. */
  lists = 0;
  /** Connections that were made, and those of them that are still open. */
  sockets = 0;
  openSockets = 0;
  /** Calls that the caller broke off before the response was whole. */
  aborts = 0;
  bytesSent = 0;
  usual: Act = completion();
  list: Act = modelList(["gpt-4.1", "provider-model"]);
  /** What it answers elsewhere, by path. */
  readonly also = new Map<string, Act>();
  readonly #script: Act[] = [];
  readonly #waiting: { count: number; resolve: () => void }[] = [];

  constructor() {
    super();
    this.server.on("connection", (socket) => {
      this.sockets += 1;
      this.openSockets += 1;
      socket.once("close", () => (this.openSockets -= 1));
    });
  }

  /** Acts for the next chat calls, in order; then `usual` again. */
  next(...acts: readonly Act[]): void {
    this.#script.push(...acts);
  }

  /** Forgets what was seen and what is still in the script. */
  reset(): void {
    this.chats.length = 0;
    this.#script.length = 0;
    this.usual = completion();
    this.aborts = 0;
    this.bytesSent = 0;
  }

  /** Resolves when so many chat calls have arrived since the last reset. */
  arrived(count: number): Promise<void> {
    if (this.chats.length >= count) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push({ count, resolve }));
  }

  /** The newest chat call. */
  get last(): Seen {
    const seen = this.chats.at(-1);
    if (seen === undefined) throw new Error("the provider was not called");
    return seen;
  }

  /** The newest chat call's body, parsed. */
  get lastBody(): Record<string, unknown> {
    return JSON.parse(this.last.body.toString("utf8")) as Record<string, unknown>;
  }

  get baseUrl(): string {
    return `${this.origin}/v1`;
  }

  protected async serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { socket } = incoming;
    const chunks: Buffer[] = [];
    let tell: (at: number) => void = () => {};
    const aborted = new Promise<number>((resolve) => (tell = resolve));
    const onClose = (): void => {
      if (!outgoing.writableFinished) {
        this.aborts += 1;
        tell(performance.now());
      }
    };
    outgoing.once("close", onClose);
    try {
      for await (const chunk of incoming) chunks.push(chunk as Buffer);
    } catch {
      return;
    }
    const path = incoming.url ?? "";
    const seen: Seen = {
      method: incoming.method ?? "",
      path,
      headers: incoming.headers,
      rawHeaders: incoming.rawHeaders,
      body: Buffer.concat(chunks),
      key: (incoming.headers.authorization ?? "").replace(/^Bearer /, ""),
      aborted,
    };
    const sent = (bytes: number): void => {
      this.bytesSent += bytes;
    };
    if (path.endsWith("/models")) {
      this.lists += 1;
      await this.list({ seen, outgoing, socket, sent });
      return;
    }
    const also = this.also.get(path);
    if (also !== undefined) return also({ seen, outgoing, socket, sent });
    if (!path.endsWith("/chat/completions")) {
      outgoing.writeHead(404, { "content-type": "application/json" }).end('{"error":{"message":"no such route"}}');
      return;
    }
    this.chats.push(seen);
    for (const waiting of this.#waiting.splice(0)) {
      if (this.chats.length >= waiting.count) waiting.resolve();
      else this.#waiting.push(waiting);
    }
    await (this.#script.shift() ?? this.usual)({ seen, outgoing, socket, sent });
  }
}

/** A provider that listens on a free port. */
export function startProvider(): Promise<MockProvider> {
  return new MockProvider().listen();
}

/** `GET /models` with these ids. */
export function modelList(ids: readonly string[]): Act {
  const data = ids.map((id) => ({ id, object: "model", created: 1_700_000_000, owned_by: "mock" }));
  return ({ outgoing }) => {
    outgoing.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ object: "list", data }));
  };
}
