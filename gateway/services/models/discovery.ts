import type { Clock } from "../../lib/clock.ts";
import { parseJson } from "../../lib/json.ts";
import type { Log } from "../../lib/log.ts";
import { redact } from "../../lib/redact.ts";
import { toGatewayError } from "../../core/attempts/provider-error.ts";
import type { ProviderClient } from "../../upstream/provider-client.ts";
import { UpstreamFailure } from "../../upstream/failure.ts";
import type { ConnectionTest } from "../../contract/connection.ts";
import type { Store } from "../../store/store.ts";
import type { Connection, Credential } from "../connections/connection.ts";
import type { Connections } from "../connections/connections.ts";
import { upstreamRequest } from "../calls/attempts.ts";

const TIMEOUTS = { head: 10_000, gap: 10_000 };
const MAX_LIST_BYTES = 16 * 1024 * 1024;
/** A list is asked for with a key and for no model. */
const NO_MODEL = "";
/** A model that nobody knows makes us ask again, but not more often than this. */
const ASK_AGAIN_MS = 10_000;

export interface DiscoveryDeps {
  readonly connections: Connections;
  readonly providerClient: ProviderClient;
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly instanceId: string;
  /** Aborted when Postern stops: no response changes anything any more. */
  readonly stopping: AbortSignal;
  /** Resolves when the sandbox serves, if it is to serve at all. */
  readonly sandboxReady: () => Promise<void>;
}

/** Asks connections what they serve, and remembers the answers for starts without a network. */
export class Discovery {
  readonly #deps: DiscoveryDeps;
  readonly #running = new Map<string, Promise<ConnectionTest>>();
  #askedAgainAt = Number.NEGATIVE_INFINITY;

  constructor(deps: DiscoveryDeps) {
    this.#deps = deps;
  }

  /** One call that costs nothing: the model list, with the first key that works. Never rejects. */
  test(connection: Connection): Promise<ConnectionTest> {
    const running = this.#running.get(connection.id);
    if (running !== undefined) return running;
    const started = this.#ask(connection).finally(() => this.#running.delete(connection.id));
    this.#running.set(connection.id, started);
    return started;
  }

  /** Resolves when nobody is being asked. */
  async idle(): Promise<void> {
    await Promise.all(this.#running.values());
  }

  /** Asks every real connection. */
  async refreshAll(): Promise<void> {
    await Promise.all(this.#deps.connections.real().map((connection) => this.test(connection)));
  }

  /** Waits for connections whose first response is still on its way, so that a client need not ask twice after a start. */
  async settled(): Promise<void> {
    const firsts = this.#deps.connections.real().filter((connection) => connection.discovered === null);
    await Promise.all([this.#deps.sandboxReady(), ...firsts.map((connection) => this.#running.get(connection.id))]);
  }

  /** Before "no such model": what is new at the providers since we last asked? True when anybody was asked. */
  async askAgain(): Promise<boolean> {
    const now = this.#deps.clock.monotonic();
    if (now - this.#askedAgainAt < ASK_AGAIN_MS) return false;
    this.#askedAgainAt = now;
    if (this.#deps.connections.real().length === 0) return false;
    await this.refreshAll();
    return true;
  }

  async #ask(connection: Connection): Promise<ConnectionTest> {
    const started = this.#deps.clock.monotonic();
    let message = `${connection.name} has no key that can be used here. Give it one on the Providers page.`;
    let ok = false;
    for (const credential of connection.credentials) {
      if (credential.locked) continue;
      const problem = await this.#askWith(connection, credential);
      ok = problem === null;
      message = problem ?? wellSaid(connection);
      if (ok || this.#deps.stopping.aborted) break;
    }
    if (this.#deps.stopping.aborted) return { ok: false, message: "Postern is stopping.", ms: 0, models: 0 };
    connection.discoveryError = ok ? null : message;
    this.#deps.connections.changed();
    if (!ok) this.#deps.log.warn("discovery.failed", { connection: connection.id, message });
    return {
      ok,
      message,
      ms: Math.round(this.#deps.clock.monotonic() - started),
      models: connection.discovered?.length ?? 0,
    };
  }

  /** @returns what went wrong, as a sentence; null when it went well. */
  async #askWith(connection: Connection, credential: Credential): Promise<string | null> {
    const { provider } = connection;
    if (provider.models === null) {
      this.#remember(connection, []);
      return null;
    }
    const wire = provider.models.toRequest(credential.secret);
    const secrets = credential.secret === null ? [] : [credential.secret];
    const now = (): number => this.#deps.clock.monotonic();
    try {
      const request = upstreamRequest(wire, connection, this.#deps.instanceId, TIMEOUTS);
      const exchange = await this.#deps.providerClient.open(request).response;
      const body = parseJson(await exchange.collect(MAX_LIST_BYTES)) ?? null;
      if (this.#deps.stopping.aborted) return null;
      if (exchange.status !== 200) {
        const error = provider.errors.fromResponse(exchange.status, exchange.headers, body);
        const shown = toGatewayError(error, connection.name, secrets).message;
        if (error.kind === "auth") credential.health.report(NO_MODEL, { kind: "refused", reason: shown }, now());
        return shown;
      }
      const models = provider.models.fromResponse(body);
      if (models === null) return `${connection.name} responds, but not with a list of models. Check its base URL.`;
      credential.health.report(NO_MODEL, { kind: "answered" }, now());
      this.#remember(connection, models);
      return null;
    } catch (error) {
      if (!(error instanceof UpstreamFailure)) throw error;
      return `${connection.name} cannot be reached at ${connection.origin}: ${redact(error.message, secrets)}`;
    }
  }

  #remember(connection: Connection, models: NonNullable<Connection["discovered"]>): void {
    const same = JSON.stringify(connection.discovered) === JSON.stringify(models);
    connection.discovered = models;
    connection.checkedAt = this.#deps.clock.now();
    // Lists hardly ever change, and each record stays in the journal for days.
    if (same || connection.from === "sandbox") return;
    const record = { id: connection.id, at: connection.checkedAt, models };
    this.#deps.store.commitRelaxed([{ op: "put", in: "discoveries", record }]);
  }
}

function wellSaid({ name, provider, discovered }: Connection): string {
  return provider.models === null
    ? `${provider.label} has no list of models to ask for, so ${name} was not asked: its first call will tell.`
    : `${name} responds; it lists ${discovered?.length ?? 0} models.`;
}
