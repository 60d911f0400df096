import { isRecord } from "../../lib/records.ts";
import type { MachineUser } from "../../store/disk/port-holder.ts";
import type { ProviderClient } from "../../upstream/provider-client.ts";
import { UpstreamFailure } from "../../upstream/failure.ts";
import { createProviderHeaders } from "../calls/upstream-request.ts";
import { getServerId } from "./found-servers.ts";
import type { FoundServers } from "./found-servers.ts";

/** A program that serves models on this machine. */
export interface LocalServer {
  readonly id: string;
  readonly name: string;
  readonly ports: readonly number[];
  /** Route with a response specific to this program, so that another program on its port is not mistaken for it. */
  readonly probe: string;
  readonly isIt: (body: unknown) => boolean;
}

/** Ports and identifying routes: docs/providers/openai-compatible.md#local-servers. */
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
  readonly found: FoundServers;
  readonly providerClient: ProviderClient;
  readonly instanceId: string;
  /** Aborted when Postern stops. */
  readonly stopping: AbortSignal;
  /** Our own port is never probed. */
  readonly ownPort: () => number;
  /**
   * Returns the user whose program listens on a port; undefined if the port is closed, null if the system does not
   * report it.
   */
  readonly portUser: (port: number) => Promise<MachineUser | null | undefined>;
}

/** Looks for model servers at their usual loopback ports. What is found is the owner's to use or to refuse. */
export class LocalServers {
  readonly #deps: LocalServersDeps;
  readonly #servers: readonly LocalServer[];
  #timer: NodeJS.Timeout | null = null;

  constructor(deps: LocalServersDeps, servers: readonly LocalServer[]) {
    this.#deps = deps;
    this.#servers = servers;
  }

  /** Looks now and every 20 s. */
  start(): void {
    this.#timer = setInterval(() => void this.check(), AGAIN_MS).unref();
    void this.check();
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }

  /** Checks all ports once. Never rejects. */
  async check(): Promise<void> {
    await Promise.all(this.#servers.flatMap((server) => server.ports.map((port) => this.#probe(server, port))));
  }

  async #probe({ id: kind, name, probe, isIt }: LocalServer, port: number): Promise<void> {
    if (port === this.#deps.ownPort()) return;
    const id = getServerId({ kind, port });
    const responses = await this.#answers(port, probe, isIt);
    // A server that can no longer be probed may still be running.
    if (this.#deps.stopping.aborted) return;
    const user = responses ? await this.#deps.portUser(port) : undefined;
    this.#deps.found.set(id, user === undefined ? null : { id, kind, name, port, user });
  }

  async #answers(port: number, probe: string, isIt: LocalServer["isIt"]): Promise<boolean> {
    const origin = loopbackOrigin(port);
    try {
      const exchange = await this.#deps.providerClient.open({
        origin,
        path: probe,
        method: "GET",
        headers: createProviderHeaders({ accept: "application/json" }, origin, this.#deps.instanceId),
        body: null,
        headTimeout: PROBE_TIMEOUT_MS,
        gapTimeout: PROBE_TIMEOUT_MS,
      }).response;
      const body = await exchange.collect(MAX_PROBE_BYTES);
      return exchange.status === 200 && isIt(JSON.parse(body.toString("utf8")));
    } catch (error) {
      if (error instanceof UpstreamFailure || error instanceof SyntaxError) return false;
      throw error;
    }
  }
}

export function loopbackOrigin(port: number): string {
  return `http://127.0.0.1:${port}`;
}

/** Whether an origin is this port of this machine, by any of its names. */
export function isOnPort(origin: string, port: number): boolean {
  return [loopbackOrigin(port), `http://localhost:${port}`, `http://[::1]:${port}`].includes(origin);
}
