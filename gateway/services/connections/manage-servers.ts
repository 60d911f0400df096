import type { ConnectionView } from "../../contract/connection.ts";
import type { LocalServerView } from "../../contract/local-servers.ts";
import { userLabel } from "../../core/diagnosis.ts";
import { GatewayError } from "../../core/errors.ts";
import type { Clock } from "../../lib/clock.ts";
import type { StoredRefusal, StoredServer } from "../../store/document.ts";
import type { Store } from "../../store/store.ts";
import type { Connections } from "./connections.ts";
import { ID_PREFIX, getServerId } from "./found-servers.ts";
import type { FoundServer, FoundServers } from "./found-servers.ts";
import { LOCAL_SERVERS, isOnPort, loopbackOrigin } from "./local-servers.ts";
import type { ManageConnections } from "./manage-connections.ts";

export interface ManageServersDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly found: FoundServers;
  readonly connections: Connections;
  readonly manageConnections: ManageConnections;
  /** User id that Postern runs as; null if the system has none. */
  readonly ownUid: number | null;
}

/**
 * Keeps the user's decisions about programs that were detected on this machine: to use one, which makes it a connection; to
 * refuse it; to forget either. A decision is about this program as far as it can be identified: its kind, its port, its
 * user.
 */
export class ManageServers {
  readonly #deps: ManageServersDeps;

  constructor(deps: ManageServersDeps) {
    this.#deps = deps;
  }

  /** Lists the running programs and those with a decision. Programs that the user connected manually are not offered. */
  list(): readonly LocalServerView[] {
    const { store, found, connections } = this.#deps;
    const decided = new Map<string, readonly [StoredServer, "used" | "refused"]>();
    for (const [id, record] of store.document.refused_servers) decided.set(id, [record, "refused"]);
    for (const [id, { server }] of store.document.connections)
      if (server !== undefined) decided.set(id, [server, "used"]);
    const ids = new Set([...decided.keys(), ...found.all().map(({ id }) => id)]);
    return [...ids].flatMap((id) => {
      const [server, state] = decided.get(id) ?? [];
      const here = found.get(id);
      // If another user's program took its port, that one is offered: the decision was not about it.
      if (server !== undefined && state !== undefined && (here === undefined || found.find(server) === here))
        return [this.#view(server, state)];
      const isPortUsed = connections
        .all()
        .some(({ id: other, origin }) => other !== id && isOnPort(origin, here?.port ?? 0));
      return here === undefined || isPortUsed ? [] : [this.#view(toStored(here), "offered")];
    });
  }

  /**
   * Starts to use a program whenever it runs.
   * @throws GatewayError `not_found` if it does not run; `conflict` if it is another user's and that was not confirmed.
   */
  async use(id: string, otherUser: boolean): Promise<ConnectionView> {
    const server = this.#findOffered(id);
    const view = this.#view(toStored(server), "offered");
    if (view.user?.other === true && !otherUser) {
      throw new GatewayError(
        "conflict",
        `${server.name} at port ${server.port} is run by ${userLabel(view.user)}, not by you: what is sent to its models, that user can read. Confirm that you want to use it (other_user).`,
        { param: "other_user" },
      );
    }
    await this.#deps.store.change("refused_servers", id, () => null);
    return this.#deps.manageConnections.useServer(server);
  }

  /** It is not offered again. @throws GatewayError `not_found` when it does not run. */
  async refuse(id: string): Promise<void> {
    const record: StoredRefusal = { ...toStored(this.#findOffered(id)), id, at: this.#deps.clock.now() };
    await this.#deps.store.change("refused_servers", id, () => record);
    this.#deps.connections.notifyChange();
  }

  /** Reverts a decision: if the program runs, it is offered. @throws GatewayError `not_found` if there is no decision. */
  async forget(id: string): Promise<void> {
    const { store, connections, manageConnections } = this.#deps;
    if (store.document.connections.get(id)?.server !== undefined) return manageConnections.remove(id);
    if (!store.document.refused_servers.has(id)) throw notFound(id);
    await store.change("refused_servers", id, () => null);
    connections.notifyChange();
  }

  /**
   * Forgets the models of programs that earlier versions used and stored without asking.
   * @returns the notice for the user; null if no program was used.
   */
  async forgetEarlier(): Promise<string | null> {
    const { discoveries, connections } = this.#deps.store.document;
    const ids = [...discoveries.keys()].filter((id) => id.startsWith(ID_PREFIX) && !connections.has(id));
    if (ids.length === 0) return null;
    for (const id of ids) await this.#deps.store.change("discoveries", id, () => null);
    const names = LOCAL_SERVERS.flatMap(({ id, name }) => (ids.some((each) => each.includes(id)) ? [name] : []));
    return `Programs that are found on this machine (${names.join(", ")}) are no longer used unasked. Say on the Providers page which of them Postern may use.`;
  }

  #findOffered(id: string): FoundServer {
    const server = this.#deps.found.get(id);
    if (server === undefined) throw notFound(id);
    return server;
  }

  #view(server: StoredServer, state: LocalServerView["state"]): LocalServerView {
    const { found, ownUid } = this.#deps;
    const { kind, port } = server;
    const here = found.find(server);
    const user = here?.user ?? (server.uid === null ? null : { uid: server.uid, name: null });
    return {
      id: getServerId(server),
      kind,
      name: LOCAL_SERVERS.find(({ id }) => id === kind)?.name ?? kind,
      base_url: `${loopbackOrigin(port)}/v1`,
      state,
      present: here !== undefined,
      user: user === null ? null : { ...user, other: user.uid !== ownUid },
    };
  }
}

function toStored({ kind, port, user }: FoundServer): StoredServer {
  return { kind, port, uid: user?.uid ?? null };
}

function notFound(id: string): GatewayError {
  return new GatewayError("not_found", `There is no program "${id}" on this machine that serves models now.`, {
    param: "id",
  });
}
