import { ServerResponse } from "node:http";
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { GatewayError } from "../core/errors.ts";

/** How long a client may take to read a response before its connection is closed, in milliseconds. */
const FAREWELL_MS = 1_500;

/**
 * Idle timeout announced to clients, longer than they keep connections, so that they close first. The server closes no
 * sooner (client-sockets.ts).
 */
const REST = "timeout=65";

/** Base of all server responses, with the rules that apply to every one of them. */
export class GuardedResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  /** Called if the request's body comes too slowly, while it is read. */
  onSlowBody: ((error: GatewayError) => void) | null = null;

  /** Names and values in turn. No browser guesses a type. */
  readonly #added: string[] = ["x-content-type-options", "nosniff"];

  /** Adds a header to the eventual response; the last value of a name wins. @param name in lower case */
  tell(name: string, value: string): void {
    const added = this.#added;
    let at = 0;
    // A value may be the name of another header.
    while (at < added.length && added[at] !== name) at += 2;
    added[at] = name;
    added[at + 1] = value;
  }

  /** Leaves the rest of an unread body unread. */
  override writeHead(status: number, ...more: readonly unknown[]): this {
    // The busiest test first: the body of nearly every request has been read by now.
    if (!this.req.complete && hasBody(this.req)) this.#closeAfterResponse();
    // Node only sends this header if it sets its own timer.
    if (this.shouldKeepAlive) this.tell("keep-alive", REST);
    const added = this.#added;
    const [headers] = more;
    // Node processes headers faster if they are passed at once as a list.
    if (more.length === 1 && isPlain(headers) && this.getHeaderNames().length === 0) {
      const all: string[] = [];
      for (let at = 0; at < added.length; at += 2) {
        const name = added[at] as string;
        if (headers[name] === undefined) all.push(name, added[at + 1] as string);
      }
      for (const name in headers) all.push(name, headers[name] as string);
      return super.writeHead(status, all);
    }
    for (let at = 0; at < added.length; at += 2) this.setHeader(added[at] as string, added[at + 1] as string);
    return super.writeHead(status, ...(more as []));
  }

  /**
   * Closes the connection after the response, with a delay: closing with unread bytes resets it, and the client would
   * see that instead of the response (RFC 9112, 9.6).
   */
  #closeAfterResponse(): void {
    const { req } = this;
    const { socket } = req;
    this.shouldKeepAlive = false;
    // Node reads on by itself after a response whose request was not read.
    req.read(0);
    req.pause();
    socket.destroySoon = endAndLeave;
  }
}

/** Replaces a socket's own `destroySoon`. */
function endAndLeave(this: Socket): void {
  this.end();
  const farewell = setTimeout(() => this.destroy(), FAREWELL_MS).unref();
  this.once("close", () => clearTimeout(farewell));
}

function isPlain(headers: unknown): headers is Readonly<Record<string, string>> {
  return typeof headers === "object" && headers !== null && !Array.isArray(headers);
}

/** Whether bytes follow the head: a request without a body is complete only after it was announced. */
function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0";
}
