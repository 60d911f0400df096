import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";
import { GatewayError } from "../core/errors.ts";
import type { GuardedResponse } from "./guarded-response.ts";
import { isThisMachine } from "./middleware/local-only.ts";

/** Limits of the server's connections. */
export interface SocketLimits {
  /** Max concurrent connections. */
  readonly most: number;
  /** Max of these from one address of another machine. */
  readonly mostOfAddress: number;
  /** Max milliseconds during which a client may read nothing of a pending response, or be idle. */
  readonly stalledMs: number;
  /** Milliseconds within which an incoming body must deliver at least `paceBytes` … */
  readonly paceMs: number;
  readonly paceBytes: number;
  /** … and milliseconds within which it must be complete: the largest form at 0.5 Mbit/s. */
  readonly bodyMs: number;
}

const LIMITS: SocketLimits = {
  most: 4_096,
  mostOfAddress: 1_024,
  stalledMs: 120_000,
  paceMs: 30_000,
  paceBytes: 64 * 1_024,
  bodyMs: 30 * 60_000,
};

const SWEEP_MS = 5_000;
/** Milliseconds without reading after which a connection may be closed under pressure. */
const UNREAD_MS = 10_000;
/** Share of connections that are closed together under pressure, because checking all of them takes time. */
const SHARE_SHED = 1 / 16;

/** Last observed state of a connection. Times are monotonic milliseconds. */
interface Watched {
  /** Remote address; null for this machine. */
  readonly address: string | null;
  /** Request whose body is being received. */
  request: IncomingMessage | null;
  /** When that body was first seen; when its pace was last measured, and how many bytes had come by then. */
  startedAt: number;
  measured: number;
  bytes: number;
  /** Since when the client has taken nothing of what waits for it, and how much that is. */
  unreadSince: number;
  unread: number;
}

/**
 * Prevents one client from using all connections: their number is bounded, idle ones are closed first, and stalled
 * uploads and downloads are ended. One sweep every few seconds checks all of them, so that calls pay nothing.
 */
export class ClientSockets {
  readonly #limits: SocketLimits;
  readonly #now: () => number;
  readonly #watched = new Map<Socket, Watched>();
  readonly #ofAddress = new Map<string, number>();

  /** @param now monotonic milliseconds */
  constructor(limits: Partial<SocketLimits> = {}, now: () => number = () => performance.now()) {
    this.#limits = { ...LIMITS, ...limits };
    this.#now = now;
  }

  watch(server: Server): void {
    server.on("connection", (socket: Socket) => this.#admit(socket));
    server.setTimeout(this.#limits.stalledMs, (socket: Socket) => {
      // Without activity for that long: the connection rests, or the client does not read. Else a provider takes its time.
      if (createResponseOn(socket) === null || socket.writableLength > 0) socket.destroy();
    });
    const timer = setInterval(() => this.sweep(), SWEEP_MS).unref();
    server.once("close", () => clearInterval(timer));
  }

  /** Checks all connections once. Public so that tests need not wait. */
  sweep(): void {
    const now = this.#now();
    for (const [socket, watched] of this.#watched) {
      const response = createResponseOn(socket);
      if (response === null || response.req.complete) watched.request = null;
      else this.#look(socket, watched, response, now);
      const { writableLength } = socket;
      if (writableLength === 0 || writableLength !== watched.unread) {
        watched.unread = writableLength;
        watched.unreadSince = now;
      }
    }
  }

  /** Checks the rate of a body that is being received. */
  #look(socket: Socket, watched: Watched, response: GuardedResponse, now: number): void {
    const { paceMs, paceBytes, bodyMs } = this.#limits;
    if (watched.request !== response.req) {
      watched.request = response.req;
      watched.startedAt = now;
    } else if (now - watched.startedAt > bodyMs) {
      return slow(socket, response, `The body took longer than ${bodyMs / 1_000} s.`);
    } else if (now - watched.measured < paceMs) {
      return;
    } else if (socket.bytesRead - watched.bytes < paceBytes) {
      const seconds = paceMs / 1_000;
      return slow(socket, response, `The body arrived too slowly: less than ${paceBytes / 1_024} KiB in ${seconds} s.`);
    }
    watched.measured = now;
    watched.bytes = socket.bytesRead;
  }

  #admit(socket: Socket): void {
    const { remoteAddress, localAddress } = socket;
    const address = remoteAddress === undefined || isThisMachine(remoteAddress, localAddress) ? null : remoteAddress;
    const now = this.#now();
    this.#watched.set(socket, {
      address,
      request: null,
      startedAt: now,
      measured: now,
      bytes: 0,
      unreadSince: now,
      unread: 0,
    });
    this.#count(address, 1);
    socket.once("close", () => {
      this.#watched.delete(socket);
      this.#count(address, -1);
    });
    if (address !== null && (this.#ofAddress.get(address) ?? 0) > this.#limits.mostOfAddress)
      this.#makeRoom(socket, address);
    else if (this.#watched.size > this.#limits.most) this.#makeRoom(socket, null);
  }

  #count(address: string | null, by: number): void {
    if (address === null) return;
    const count = (this.#ofAddress.get(address) ?? 0) + by;
    if (count > 0) this.#ofAddress.set(address, count);
    else this.#ofAddress.delete(address);
  }

  /** Closes the least useful connection, or the new one if all others are being served. */
  #makeRoom(newcomer: Socket, address: string | null): void {
    const now = this.#now();
    const ranked: { readonly socket: Socket; readonly rank: number }[] = [];
    for (const [socket, watched] of this.#watched) {
      if (socket === newcomer || (address !== null && watched.address !== address)) continue;
      const rank = getRank(socket, watched, now);
      if (rank !== null) ranked.push({ socket, rank });
    }
    ranked.sort((a, b) => a.rank - b.rank || computeTraffic(a.socket) - computeTraffic(b.socket));
    const most = address === null ? this.#limits.most : this.#limits.mostOfAddress;
    const shed = ranked.slice(0, Math.ceil(most * SHARE_SHED));
    if (shed.length === 0) newcomer.destroy();
    for (const { socket } of shed) socket.destroy();
  }
}

/** The lower, the sooner a connection makes room for another; null while it is being served. */
function getRank(socket: Socket, { unread, unreadSince }: Watched, now: number): number | null {
  const response = createResponseOn(socket);
  if (response === null) return socket.bytesWritten === 0 ? 0 : 1;
  if (unread > 0 && now - unreadSince > UNREAD_MS) return 2;
  return response.req.complete ? null : 3;
}

function computeTraffic({ bytesRead, bytesWritten }: Socket): number {
  return bytesRead + bytesWritten;
}

function slow(socket: Socket, response: GuardedResponse, problem: string): void {
  if (response.onSlowBody === null) socket.destroy();
  else response.onSlowBody(new GatewayError("request_timeout", problem));
}

/**
 * Returns the running response of a connection. It uses Node's internal field, like `closeIdleConnections`; a test
 * guards it.
 */
function createResponseOn(socket: Socket): GuardedResponse | null {
  return (Reflect.get(socket, "_httpMessage") as GuardedResponse | null | undefined) ?? null;
}
