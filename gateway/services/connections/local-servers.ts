import type { Clock } from "../../lib/clock.ts";
import { isRecord } from "../../lib/records.ts";
import type { Door } from "../../upstream/door.ts";
import { UpstreamFailure } from "../../upstream/failure.ts";
import { vendors } from "../../vendors/registry.ts";
import { makeConnection } from "./connection.ts";
import type { Connections } from "./connections.ts";
import type { Discovery } from "../models/discovery.ts";
import { vendorHeaders } from "../calls/loop-guard.ts";

/** A program that serves models on this machine. */
export interface LocalServer {
  readonly id: string;
  readonly name: string;
  readonly ports: readonly number[];
  /** A route that only this program answers like this, so that a stranger on its port is not taken for it. */
  readonly probe: string;
  readonly isIt: (body: unknown) => boolean;
}

/** Ports and tell-tale routes: upstreams reference 9. */
export const LOCAL_SERVERS: readonly LocalServer[] = [
  {
    id: "ollama",
    name: "Ollama",
    ports: [11_434],
    probe: "/api/tags",
    isIt: (body) => isRecord(body) && Array.isArray(body["models"]),
  },
  {
    id: "lm-studio",
    name: "LM Studio",
    ports: [1_234],
    probe: "/api/v0/models",
    isIt: (body) => isRecord(body) && body["object"] === "list" && Array.isArray(body["data"]),
  },
  {
    id: "llama-cpp",
    name: "llama.cpp",
    ports: [8_080, 9_931],
    probe: "/v1/models",
    isIt: (body) =>
      isRecord(body) &&
      Array.isArray(body["data"]) &&
      body["data"].some((model) => isRecord(model) && model["owned_by"] === "llamacpp"),
  },
];

const PROBE_TIMEOUT_MS = 1_000;
const MAX_PROBE_BYTES = 4 * 1024 * 1024;
const AGAIN_MS = 20_000;

export interface LocalServersDeps {
  readonly connections: Connections;
  readonly discovery: Discovery;
  readonly door: Door;
  readonly clock: Clock;
  readonly instanceId: string;
  /** Our own port is never probed. */
  readonly ownPort: () => number;
}

/** Finds model servers at their usual loopback ports and connects them: no key, price 0. They come and go with them. */
export class LocalServers {
  readonly #deps: LocalServersDeps;
  readonly #servers: readonly LocalServer[];
  #timer: NodeJS.Timeout | null = null;

  constructor(deps: LocalServersDeps, servers: readonly LocalServer[] = LOCAL_SERVERS) {
    this.#deps = deps;
    this.#servers = servers;
  }

  /** Looks now and every 20 s. */
  start(): void {
    this.#timer = setInterval(() => void this.look(), AGAIN_MS).unref();
    void this.look();
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }

  /** One round. Never rejects. */
  async look(): Promise<void> {
    await Promise.all(this.#servers.flatMap((server) => server.ports.map((port) => this.#lookAt(server, port))));
  }

  async #lookAt(server: LocalServer, port: number): Promise<void> {
    const { connections, discovery, clock } = this.#deps;
    if (port === this.#deps.ownPort()) return;
    const origin = `http://127.0.0.1:${port}`;
    const id = `local_${server.id}_${port}`;
    const known = connections.get(id);
    const there = await this.#answers(server, origin);
    if (!there && known !== undefined) connections.remove(id);
    // What the owner has connected by hand is the owner's: not twice.
    const taken = connections.all().some((other) => other.id !== id && sameServer(other.origin, port));
    if (!there || known !== undefined || taken) return;
    const connection = makeConnection({
      id,
      vendor: vendors["openai-compatible"],
      name: server.name,
      baseUrl: `${origin}/v1`,
      priority: 1_000,
      enabled: true,
      from: "local",
      createdAt: clock.now(),
      credentials: [],
    });
    connections.put(connection);
    await discovery.test(connection);
  }

  async #answers(server: LocalServer, origin: string): Promise<boolean> {
    try {
      const exchange = await this.#deps.door.open({
        origin,
        path: server.probe,
        method: "GET",
        headers: vendorHeaders({ accept: "application/json" }, origin, this.#deps.instanceId),
        body: null,
        headTimeout: PROBE_TIMEOUT_MS,
        gapTimeout: PROBE_TIMEOUT_MS,
      }).answer;
      const body = await exchange.collect(MAX_PROBE_BYTES);
      return exchange.status === 200 && server.isIt(JSON.parse(body.toString("utf8")));
    } catch (error) {
      if (error instanceof UpstreamFailure || error instanceof SyntaxError) return false;
      throw error;
    }
  }
}

function sameServer(origin: string, port: number): boolean {
  return [`http://127.0.0.1:${port}`, `http://localhost:${port}`, `http://[::1]:${port}`].includes(origin);
}
