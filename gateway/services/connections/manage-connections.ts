import type { ConnectionTest, ConnectionView, CreateConnection, UpdateConnection } from "../../contract/connection.ts";
import { HEALTHY } from "../../core/attempts/breaker.ts";
import { GatewayError } from "../../core/errors.ts";
import type { Clock } from "../../lib/clock.ts";
import { newId } from "../../lib/ids.ts";
import { secretHint } from "../../lib/redact.ts";
import type { StoredConnection } from "../../store/document.ts";
import type { Store } from "../../store/store.ts";
import { isForbiddenAddress } from "../../upstream/targets.ts";
import { vendors } from "../../vendors/registry.ts";
import type { Vendor } from "../../vendors/vendor.ts";
import { makeConnection } from "./connection.ts";
import type { Connection } from "./connection.ts";
import type { Connections } from "./connections.ts";
import type { Discovery } from "../models/discovery.ts";
import type { EnvironmentConnection } from "./environment.ts";

export interface ManageConnectionsDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly connections: Connections;
  readonly discovery: Discovery;
}

const DEFAULT_PRIORITY = 100;

/** Adding, changing, testing and removing the ways to vendors. Vendor keys go in and never come out again. */
export class ManageConnections {
  readonly #deps: ManageConnectionsDeps;

  constructor(deps: ManageConnectionsDeps) {
    this.#deps = deps;
    for (const record of deps.store.document.connections.values()) this.#activate(record);
  }

  list(): readonly ConnectionView[] {
    return this.#deps.connections
      .all()
      .filter((connection) => connection.from !== "sandbox")
      .map((connection) => this.#view(connection));
  }

  /** Connections of the environment are made anew at each start and never stored. */
  addFromEnvironment(given: EnvironmentConnection): void {
    const vendor = vendors[given.vendor];
    const id = `env_${given.vendor}`;
    const discovered = this.#deps.store.document.discoveries.get(id);
    this.#deps.connections.put(
      makeConnection({
        id,
        vendor,
        name: given.name,
        baseUrl: checkedBaseUrl(vendor, given.baseUrl ?? homeOf(vendor, given.keys)),
        priority: DEFAULT_PRIORITY,
        enabled: true,
        from: "environment",
        createdAt: this.#deps.clock.now(),
        credentials: given.keys.map((secret) => ({ secret, hint: secretHint(secret) })),
        discovered: discovered && { models: discovered.models, at: discovered.at },
      }),
    );
  }

  async create(input: CreateConnection): Promise<ConnectionView> {
    const vendor = vendors[input.vendor];
    this.#refuseDouble(input.name, null);
    const record: StoredConnection = {
      id: newId("conn"),
      vendor: input.vendor,
      name: input.name,
      base_url: checkedBaseUrl(vendor, input.base_url ?? homeOf(vendor, input.keys ?? [])),
      priority: input.priority ?? DEFAULT_PRIORITY,
      enabled: true,
      origin: "created",
      created_at: this.#deps.clock.now(),
      secrets: await this.#seal(input.keys ?? []),
    };
    return this.#save(record);
  }

  async update(id: string, change: UpdateConnection): Promise<ConnectionView> {
    const record = this.#require(id);
    if (change.name !== undefined) this.#refuseDouble(change.name, id);
    const secrets = change.keys === undefined ? record.secrets : await this.#seal(change.keys);
    const changed: StoredConnection = {
      ...record,
      name: change.name ?? record.name,
      base_url:
        change.base_url === undefined ? record.base_url : checkedBaseUrl(vendors[record.vendor], change.base_url),
      priority: change.priority ?? record.priority,
      enabled: change.enabled ?? record.enabled,
      secrets,
    };
    const view = await this.#save(changed);
    if (change.keys !== undefined) await this.#deps.store.secrets.remove(record.secrets.map((secret) => secret.id));
    return view;
  }

  async remove(id: string): Promise<void> {
    const record = this.#require(id);
    await this.#deps.store.commit([
      { op: "delete", in: "connections", id },
      { op: "delete", in: "discoveries", id },
    ]);
    this.#deps.connections.remove(id);
    await this.#deps.store.secrets.remove(record.secrets.map((secret) => secret.id));
  }

  /** One real call that costs nothing. A good answer closes breakers that earlier failures opened. */
  async test(id: string): Promise<ConnectionTest> {
    const connection = this.#deps.connections.get(id);
    if (connection === undefined) throw notFound(id);
    for (const credential of connection.credentials) credential.health = HEALTHY;
    return this.#deps.discovery.test(connection);
  }

  async #save(record: StoredConnection): Promise<ConnectionView> {
    await this.#deps.store.commit([{ op: "put", in: "connections", record }]);
    const connection = this.#activate(record);
    if (record.enabled) void this.#deps.discovery.test(connection);
    return this.#view(connection);
  }

  #activate(record: StoredConnection): Connection {
    const { secrets, document } = this.#deps.store;
    const discovered = document.discoveries.get(record.id);
    const connection = makeConnection({
      id: record.id,
      vendor: vendors[record.vendor],
      name: record.name,
      baseUrl: record.base_url,
      priority: record.priority,
      enabled: record.enabled,
      from: "created",
      createdAt: record.created_at,
      credentials: record.secrets.map(({ id, hint }) => {
        const secret = secrets.get(id);
        return { secret: secret ?? null, hint, locked: secret === undefined };
      }),
      discovered: discovered && { models: discovered.models, at: discovered.at },
    });
    this.#deps.connections.put(connection);
    return connection;
  }

  async #seal(keys: readonly string[]): Promise<StoredConnection["secrets"]> {
    const sealed: { id: string; hint: string }[] = [];
    for (const key of keys) sealed.push({ id: await this.#deps.store.secrets.add(key), hint: secretHint(key) });
    return sealed;
  }

  #require(id: string): StoredConnection {
    const record = this.#deps.store.document.connections.get(id);
    if (record !== undefined) return record;
    const running = this.#deps.connections.get(id);
    if (running === undefined || running.from === "sandbox") throw notFound(id);
    throw new GatewayError(
      "conflict",
      running.from === "environment"
        ? `"${running.name}" comes from the environment. Change the POSTERN_… variables and start again.`
        : `"${running.name}" was found on this machine. It goes when that server stops.`,
    );
  }

  /** Names must differ: a model may be asked for as `name/model`. */
  #refuseDouble(name: string, except: string | null): void {
    const taken = this.#deps.connections
      .all()
      .some((known) => known.id !== except && known.name.toLowerCase() === name.toLowerCase());
    if (taken)
      throw new GatewayError(
        "conflict",
        `There is a connection with the name "${name}" already. Choose another name.`,
        { param: "name" },
      );
  }

  #view(connection: Connection): ConnectionView {
    const wall = this.#deps.clock.now() - this.#deps.clock.monotonic();
    return {
      id: connection.id,
      vendor: connection.vendor.id,
      name: connection.name,
      base_url: connection.baseUrl,
      priority: connection.priority,
      enabled: connection.enabled,
      origin: connection.from === "sandbox" ? "local" : connection.from,
      created_at: connection.createdAt,
      credentials: connection.credentials.map(({ hint, locked, health }) => ({
        hint,
        state: locked ? "locked" : health.state,
        until: health.state === "ready" ? null : Math.round(wall + health.until),
        reason: health.reason,
      })),
      models: {
        count: connection.discovered?.length ?? 0,
        checked_at: connection.checkedAt,
        error: connection.discoveryError,
      },
    };
  }
}

/** Some vendors have two homes and tell by the key which is meant. */
function homeOf({ homeOf: home }: Vendor, keys: readonly string[]): string | null {
  const [key] = keys;
  return key === undefined ? null : (home?.(key) ?? null);
}

/**
 * The base URL to use.
 * @throws GatewayError when it is no http(s) address, carries credentials, or points where no vendor is.
 */
function checkedBaseUrl(vendor: Vendor, given: string | null): string {
  const text = given ?? vendor.defaultBaseUrl;
  if (text === null)
    throw new GatewayError("missing_required_parameter", `${vendor.label} needs a base URL, as https://host/v1.`, {
      param: "base_url",
    });
  const url = URL.parse(text.includes("://") ? text : `https://${text}`);
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw new GatewayError("invalid_value", "The base URL must be an http or https address, as https://host/v1.", {
      param: "base_url",
    });
  }
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    throw new GatewayError(
      "invalid_value",
      "The base URL must not hold a user name, a query or a fragment. Give the key as a key.",
      { param: "base_url" },
    );
  }
  if (isForbiddenAddress(url.hostname.replace(/^\[|\]$/g, ""))) {
    throw new GatewayError("invalid_value", "No vendor lives at a link-local or metadata address.", {
      param: "base_url",
    });
  }
  return vendor.normalizeBaseUrl(url);
}

function notFound(id: string): GatewayError {
  return new GatewayError("not_found", `There is no connection with the id "${id}".`, { param: "id" });
}
