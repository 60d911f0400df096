import { IncomingMessage, createServer } from "node:http";
import type { RequestListener, Server } from "node:http";
import { createServer as createNetServer } from "node:net";
import type { AddressInfo, Server as NetServer, Socket } from "node:net";
import { GatewayError, errorBody } from "../core/errors.ts";
import type { ErrorCode } from "../core/errors.ts";
import { newRequestId } from "../lib/ids.ts";
import { ClientSockets } from "./client-sockets.ts";
import { GuardedResponse } from "./guarded-response.ts";

/** Whole header in 10 s, against slow ones (Node's own default is 60 s, checked each 30 s). */
const HEADERS_TIMEOUT_MS = 10_000;
const CHECK_EVERY_MS = 2_000;
const BACKLOG = 4_096;
const PROBE_AFTER_MS = 15_000;

export type Listener = RequestListener<typeof IncomingMessage, typeof GuardedResponse>;

/**
 * Creates the HTTP server for a request listener, not yet listening.
 * @param sockets manages its connections
 */
export function createHttpServer(listener: Listener, sockets = new ClientSockets()): Server {
  const server = createServer(
    {
      IncomingMessage,
      ServerResponse: GuardedResponse,
      headersTimeout: HEADERS_TIMEOUT_MS,
      // The rate of bodies is checked by client-sockets.ts, and long streams have no limit.
      requestTimeout: 0,
      connectionsCheckingInterval: CHECK_EVERY_MS,
      // Node would set a timer after each response and clear it before the next request: client-sockets.ts closes idle
      // connections, and guarded-response.ts announces their limit to clients.
      keepAliveTimeout: 0,
      noDelay: true,
      // Routers and firewalls drop idle connections while a local server loads its model.
      keepAlive: true,
      keepAliveInitialDelay: PROBE_AFTER_MS,
      // Checked by the host guard, which answers 403 instead of 400.
      requireHostHeader: false,
      // Java's HTTP client offers HTTP/2 with every plain request and is content with HTTP/1.1: the offer is ignored.
      shouldUpgradeCallback: (request) => /websocket/i.test(request.headers.upgrade ?? ""),
    },
    listener,
  );
  // An announced body is requested when it is read (read-body.ts), so a refused request never sends it.
  server.on("checkContinue", listener);
  // Other expectations may be ignored (RFC 9110, 10.1.1).
  server.on("checkExpectation", listener);
  server.on("clientError", (error: Error & { code?: string }, socket: Socket) => respondBroken(error, socket));
  server.on("upgrade", (_request, socket: Socket) => {
    respondRaw(socket, 426, "upgrade_refused", "Postern has no WebSocket. Send the request over plain HTTP/1.1.");
  });
  server.on("connect", (_request, socket: Socket) => {
    respondRaw(socket, 405, "method_not_allowed", "Postern is not a forward proxy.");
  });
  sockets.watch(server);
  return server;
}

/**
 * Listens on `host:port`; port 0 takes a free one.
 * @throws the socket's error (EADDRINUSE, EACCES, EADDRNOTAVAIL).
 */
export function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host, port, backlog: BACKLOG }, () => {
      server.off("error", reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

/**
 * Listens on another address for a server, which serves what comes there as its own.
 * @throws the socket's error
 */
export function openListener(server: Server, host: string, port: number): Promise<NetServer> {
  // Sockets have the options that Node's own HTTP servers give theirs.
  const listener = createNetServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    server.emit("connection", socket);
  });
  return new Promise((resolve, reject) => {
    listener.once("error", reject);
    listener.listen({ host, port, backlog: BACKLOG }, () => resolve(listener));
  });
}

/** Responds to a request that Node's parser refused, if the connection still accepts a response. */
function respondBroken(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  if (error.code === "HPE_HEADER_OVERFLOW")
    respondRaw(socket, 431, "headers_too_large", "The request's headers are larger than 16 KiB.");
  else if (error.code === "ERR_HTTP_REQUEST_TIMEOUT")
    respondRaw(socket, 408, "request_timeout", "The request's headers did not arrive within 10 s.");
  else respondRaw(socket, 400, "invalid_body", "This is not a valid HTTP/1.1 request.");
}

const REASONS: Readonly<Record<number, string>> = {
  400: "Bad Request",
  405: "Method Not Allowed",
  408: "Request Timeout",
  426: "Upgrade Required",
  431: "Request Header Fields Too Large",
};

function respondRaw(socket: Socket, status: number, code: ErrorCode, message: string): void {
  socket.on("error", () => {});
  const id = newRequestId();
  const body = JSON.stringify(errorBody(new GatewayError(code, message), "nested", id));
  socket.end(
    `HTTP/1.1 ${status} ${REASONS[status] ?? ""}\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nx-content-type-options: nosniff\r\nx-request-id: ${id}\r\nconnection: close\r\n\r\n${body}`,
    () => socket.destroy(),
  );
}
