import { DEFAULT_PRIORITY } from "../../contract/connection.ts";
import type { ConnectionTest, ConnectionView, CreateConnection, UpdateConnection } from "../../contract/connection.ts";
import { GatewayError } from "../../core/errors.ts";
import type { Clock } from "../../lib/clock.ts";
import { newId } from "../../lib/ids.ts";
import { secretHint } from "../../lib/redact.ts";
import type { StoredConnection } from "../../store/document.ts";
import type { Store } from "../../store/store.ts";
import { providers } from "../../providers/registry.ts";
import { checkedBaseUrl, getHome } from "./base-url.ts";
import {
  changedConnection,
  getHolder,
  newConnection,
  openedKey,
  refuseDouble,
  runtimeConnection,
  serverConnection,
} from "./connection-record.ts";
import { boundTo, findProviderId, getPeer } from "./connection-rules.ts";
import { getView } from "./connection-view.ts";
import { makeConnection } from "./connection.ts";
import type { Connection } from "./connection.ts";
import type { Connections } from "./connections.ts";
import type { CreditReader } from "./credit-reader.ts";
import { keepDiscovery } from "../models/keep-discovery.ts";
import type { Discovery } from "../models/discovery.ts";
import { readOwnHeaders } from "../../contract/own-fields.ts";
import { storeProxy } from "../proxy-choice.ts";
import { storeHeaders } from "./own-headers.ts";
import type { EnvironmentConnection } from "./environment.ts";
import type { FoundServer, FoundServers } from "./found-servers.ts";

export interface ManageConnectionsDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly connections: Connections;
  readonly discovery: Discovery;
  readonly credit: Pick<CreditReader, "read">;
  readonly found: FoundServers;
}

type SealedKey = StoredConnection["secrets"][number];
/** Stores secrets for the record that is being made. */
interface Seal {
  readonly keys: (keys: readonly string[], baseUrl: string) => Promise<readonly SealedKey[]>;
  readonly proxy: (address: string) => Promise<string>;
  readonly header: (value: string, boundTo: string) => Promise<string>;
}

/**
 * Adds, changes, tests and removes connections. Provider keys are write-only, except for exports encrypted by a
 * passphrase (../setup).
 */
export class ManageConnections {
  readonly #deps: ManageConnectionsDeps;
  /** Connections whose program does not run now. */
  readonly #away = new Map<string, Connection>();

  constructor(deps: ManageConnectionsDeps) {
    this.#deps = deps;
    for (const record of deps.store.document.connections.values()) this.#activate(record);
    deps.found.onChange(() => this.#followServers());
    deps.store.secrets.onChange(() => this.#followSecrets());
  }

  list(): readonly ConnectionView[] {
    return this.#listKnown()
      .filter((connection) => connection.from !== "sandbox")
      .map((connection) => this.#view(connection));
  }

  /** Connections of the environment are created at each start and never stored. */
  async addFromEnvironment(given: EnvironmentConnection): Promise<void> {
    const provider = providers[given.provider];
    const id = `env_${given.provider}`;
    const discovered = this.#deps.store.document.discoveries.get(id);
    this.#deps.connections.put(
      makeConnection({
        id,
        provider,
        name: given.name,
        baseUrl: await checkedBaseUrl(provider, given.baseUrl ?? getHome(provider, given.keys), given.allowHttp),
        priority: DEFAULT_PRIORITY,
        enabled: true,
        from: "environment",
        createdAt: this.#deps.clock.now(),
        peer: getPeer({ allow_http: given.allowHttp }, given.proxy),
        credentials: given.keys.map((secret) => ({ secret, hint: secretHint(secret) })),
        discovered,
      }),
    );
  }

  async create(input: CreateConnection): Promise<ConnectionView> {
    const id = newId("conn");
    return this.#save(id, async (seal) => {
      refuseDouble(this.#listKnown(), input.name, null);
      const record = await newConnection(id, input, this.#deps.clock.now());
      const proxy = await storeProxy(input.proxy, {}, seal.proxy);
      const headers = await storeHeaders(input.headers, null, record.base_url, seal.header);
      return { ...record, ...proxy, headers, secrets: await seal.keys(input.keys ?? [], record.base_url) };
    });
  }

  /** Creates a connection of a program detected on this machine, replacing one with the same place. */
  async useServer({ id, kind, name, port, user }: FoundServer): Promise<ConnectionView> {
    if (this.#deps.store.document.connections.has(id)) await this.remove(id);
    return this.#save(id, async () => {
      const free = [name, `${name} ${port}`].find((each) => getHolder(this.#listKnown(), each, id) === undefined);
      return serverConnection({ kind, port, uid: user?.uid ?? null }, free ?? id, this.#deps.clock.now());
    });
  }

  update(id: string, change: UpdateConnection): Promise<ConnectionView> {
    return this.#save(id, async (seal) => {
      const record = this.#require(id);
      if (change.name !== undefined) refuseDouble(this.#listKnown(), change.name, id);
      const moved = await changedConnection(record, change);
      const proxy = await storeProxy(change.proxy, record, seal.proxy);
      const headers = await storeHeaders(change.headers, record, moved.base_url, seal.header);
      const changed = { ...moved, ...proxy, headers };
      if (change.keys === undefined) return changed;
      return { ...changed, secrets: await seal.keys(change.keys, changed.base_url) };
    });
  }

  async remove(id: string): Promise<void> {
    await this.#deps.store.transact([{ in: "connections" }, { in: "discoveries", id }], async (commit) => {
      const record = this.#require(id);
      await commit([
        { op: "delete", in: "connections", id },
        { op: "delete", in: "discoveries", id },
      ]);
      this.#away.delete(id);
      this.#deps.connections.remove(id);
      const proxy = record.proxy_secret == null ? [] : [{ id: record.proxy_secret }];
      await this.#forget([...record.secrets, ...proxy, ...(record.headers ?? [])]);
    });
  }

  /** Updates the running connections to records that another transaction has changed. */
  follow(ids: readonly string[]): void {
    const { store, connections, discovery } = this.#deps;
    for (const id of ids) {
      const record = store.document.connections.get(id);
      if (record === undefined) {
        this.#away.delete(id);
        connections.remove(id);
        continue;
      }
      const connection = this.#activate(record);
      if (record.enabled && !this.#away.has(id)) void discovery.test(connection);
    }
  }

  /**
   * Makes one real, free call with each key, and reads its credit. A good response closes breakers that earlier failures
   * opened.
   */
  async test(id: string): Promise<ConnectionTest> {
    const connection = this.#deps.connections.get(id) ?? this.#away.get(id);
    if (connection === undefined) throw notFound(id);
    const result = await this.#deps.discovery.test(connection, true);
    await this.#deps.credit.read(connection);
    return result;
  }

  /** Forgets what its refusals have taught. */
  async forgetLearned(id: string): Promise<ConnectionView> {
    const connection = this.#deps.connections.get(id) ?? this.#away.get(id);
    if (connection === undefined) throw notFound(id);
    connection.learned = [];
    this.#deps.store.commitRelaxed(keepDiscovery(connection));
    this.#deps.connections.notifyChange();
    return this.#view(connection);
  }

  /** Tests the values typed into a form, before any of them is stored. */
  async tryOut(input: CreateConnection): Promise<ConnectionTest> {
    const provider = providers[findProviderId(input.provider)];
    const keys = input.keys ?? [];
    const allow_http = input.allow_http === true;
    return this.#deps.discovery.tryOut(
      makeConnection({
        id: "",
        provider,
        name: input.name,
        baseUrl: await checkedBaseUrl(provider, input.base_url ?? getHome(provider, keys), allow_http),
        priority: DEFAULT_PRIORITY,
        enabled: true,
        from: "created",
        createdAt: this.#deps.clock.now(),
        peer: getPeer({ allow_http }, input.proxy ?? null, readOwnHeaders(input.headers ?? "")),
        credentials: keys.map((secret) => ({ secret, hint: secretHint(secret) })),
      }),
    );
  }

  /**
   * Encrypts keys before a record refers to them and deletes them when no record does, so that an interruption loses no
   * key.
   * @param make builds the record from the newest one, once the lock is held
   */
  #save(id: string, make: (seal: Seal) => Promise<StoredConnection>): Promise<ConnectionView> {
    const { store, discovery } = this.#deps;
    return store.transact([{ in: "connections" }], async (commit) => {
      const before = store.document.connections.get(id);
      const sealed: SealedKey[] = [];
      let record: StoredConnection;
      try {
        record = await make({
          keys: (keys, baseUrl) => this.#sealKeys(keys, baseUrl, sealed),
          proxy: (address) => this.#seal(address, undefined, sealed),
          header: (value, boundTo) => this.#seal(value, boundTo, sealed),
        });
        await commit([{ op: "put", in: "connections", record }]);
      } catch (error) {
        await this.#forget(sealed);
        throw error;
      }
      const connection = this.#activate(record);
      if (record.secrets !== before?.secrets) await this.#forget(before?.secrets ?? []);
      if (before?.proxy_secret != null && record.proxy_secret !== before.proxy_secret)
        await this.#forget([{ id: before.proxy_secret }]);
      const dropped = (before?.headers ?? []).filter(({ id }) => record.headers?.every((each) => each.id !== id));
      if (dropped.length > 0) await this.#forget(dropped);
      if (record.enabled && !this.#away.has(id)) void discovery.test(connection);
      return this.#view(connection);
    });
  }

  /** When the disk refuses this, they stay in the secrets file, sealed, and nothing names them. */
  async #forget(keys: readonly Pick<SealedKey, "id">[]): Promise<void> {
    await this.#deps.store.secrets.remove(keys.map(({ id }) => id)).catch(() => undefined);
  }

  #activate(record: StoredConnection): Connection {
    const { secrets, document } = this.#deps.store;
    const connection = runtimeConnection(record, secrets, document.discoveries);
    const isAway = record.server !== undefined && this.#deps.found.find(record.server) === undefined;
    if (isAway) this.#away.set(record.id, connection);
    else this.#away.delete(record.id);
    if (!isAway) this.#deps.connections.put(connection);
    else if (this.#deps.connections.get(record.id) !== undefined) this.#deps.connections.remove(record.id);
    return connection;
  }

  /** Connections of found programs come and go with these. */
  #followServers(): void {
    for (const record of this.#deps.store.document.connections.values()) {
      if (record.server === undefined) continue;
      const wasAway = this.#away.has(record.id);
      if (wasAway === (this.#deps.found.find(record.server) === undefined)) continue;
      const connection = this.#activate(record);
      if (wasAway && record.enabled) void this.#deps.discovery.test(connection);
    }
    this.#deps.connections.notifyChange();
  }

  /** Connections whose keys were locked are used as soon as a keychain decrypts them. */
  #followSecrets(): void {
    const { store, connections, discovery } = this.#deps;
    for (const record of store.document.connections.values()) {
      const known = connections.get(record.id) ?? this.#away.get(record.id);
      const opens = record.secrets.some(
        ({ id }, index) =>
          known?.credentials[index]?.locked === true && openedKey(store.secrets, id, record) !== undefined,
      );
      if (!opens) continue;
      const connection = this.#activate(record);
      if (record.enabled && !this.#away.has(record.id)) void discovery.test(connection);
    }
  }

  /** Stores keys bound to this origin, even if the connection's address changes later. */
  async #sealKeys(keys: readonly string[], baseUrl: string, into: SealedKey[]): Promise<readonly SealedKey[]> {
    const sealed: SealedKey[] = [];
    for (const key of keys) sealed.push({ id: await this.#seal(key, boundTo(baseUrl), into), hint: secretHint(key) });
    return sealed;
  }

  /** @param into receives secrets to delete if the record is not stored */
  async #seal(value: string, origin: string | undefined, into: SealedKey[]): Promise<string> {
    const id = await this.#deps.store.secrets.add(value, origin);
    into.push({ id, hint: "" });
    return id;
  }

  #require(id: string): StoredConnection {
    const record = this.#deps.store.document.connections.get(id);
    if (record !== undefined) return record;
    const running = this.#deps.connections.get(id);
    if (running === undefined || running.from === "sandbox") throw notFound(id);
    throw new GatewayError(
      "conflict",
      `"${running.name}" comes from the environment. Change the POSTERN_… variables and start again.`,
    );
  }

  #listKnown(): readonly Connection[] {
    return [...this.#deps.connections.all(), ...this.#away.values()];
  }

  #view(connection: Connection): ConnectionView {
    const now = this.#deps.clock.now();
    return getView(connection, !this.#away.has(connection.id), now - this.#deps.clock.monotonic(), now);
  }
}

function notFound(id: string): GatewayError {
  return new GatewayError("not_found", `There is no connection with the id "${id}".`, { param: "id" });
}
