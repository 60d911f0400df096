import { clientIdSchema } from "../../contract/clients.ts";
import type {
  AppliedClient,
  ApplyClient,
  ClientCheck,
  ClientPlan,
  ClientsView,
  ClientView,
  PlanClient,
} from "../../contract/clients.ts";
import type { ClientKind } from "../../core/clients/client-kind.ts";
import { GatewayError } from "../../core/errors.ts";
import type { Commit } from "../../store/record-changes.ts";
import type { ClientDeps } from "./client-deps.ts";

/** Lazy-loads the modules that do the work, because they bring three parsers. */
async function workshop() {
  const [kinds, connect, plan, read, check, write] = await Promise.all([
    import("../../core/clients/client-kinds.ts"),
    import("./connect-client.ts"),
    import("./plan-client.ts"),
    import("./read-clients.ts"),
    import("./check-client.ts"),
    import("./draft-files.ts"),
  ]);
  return { ...kinds, ...connect, ...plan, ...read, ...check, ...write };
}

/**
 * Connects programs on this machine to Postern: each gets its own key, by lines in its configuration file that are
 * previewed, backed up, tested with a real call, and undone byte for byte.
 */
export class ManageClients {
  readonly #deps: ClientDeps;
  /** Keys that are in no file, for a check in this run of Postern. */
  readonly #checkedKeys = new Map<string, string>();

  constructor(deps: ClientDeps) {
    this.#deps = deps;
  }

  async list(): Promise<ClientsView> {
    return (await workshop()).readClients(this.#deps);
  }

  /** Returns the changes that connecting would make. Nothing is written and no key is created. */
  async plan(id: string, input: PlanClient): Promise<ClientPlan> {
    const { getPlan: planOf, getDrafts: draftsFor } = await workshop();
    const kind = await getKind(id);
    const drafts = await draftsFor(this.#deps, kind, input.parts, input.models);
    for (const { place, found } of drafts) await this.#deps.clientFiles.requireWritable(place, found);
    return planOf(kind, drafts);
  }

  connect(id: string, input: ApplyClient): Promise<AppliedClient> {
    return this.#runExclusive(id, async (kind, commit) => {
      const { secret, link } = await (await workshop()).connectClient(this.#deps, kind, input, commit);
      if (secret !== null) this.#checkedKeys.set(id, secret);
      return { client: await this.#view(id), secret, link };
    });
  }

  /** Rewrites a connected app's model list and Postern's other changed settings; its key stays. */
  refresh(id: string): Promise<ClientView> {
    return this.#runExclusive(id, async (kind, commit) => {
      const record = this.#deps.store.document.clients.get(kind.id);
      if (record === undefined) throw notConnected(kind);
      const { getDrafts, getToken, connectClient } = await workshop();
      const parts = [...record.parts];
      const { models } = record;
      const token = getToken(await getDrafts(this.#deps, kind, parts, models));
      await connectClient(this.#deps, kind, { parts, models, token }, commit, true);
      return this.#view(id);
    });
  }

  /** Tries every part that is connected. */
  check(id: string): Promise<readonly ClientCheck[]> {
    return this.#runExclusive(id, async (kind, commit) => {
      const { store } = this.#deps;
      const record = store.document.clients.get(kind.id);
      if (record === undefined) throw notConnected(kind);
      const { checkClient } = await workshop();
      const checks: ClientCheck[] = [];
      for (const part of record.parts)
        checks.push(await checkClient(this.#deps, kind, part, this.#checkedKeys.get(id)));
      await commit([{ op: "put", in: "clients", record: { ...record, checks } }]);
      return checks;
    });
  }

  /** Returns the changes that an undo would make. */
  async planUndo(id: string): Promise<ClientPlan> {
    const { getPlan: planOf, getDrafts: draftsFor } = await workshop();
    const kind = await getKind(id);
    if (!this.#deps.store.document.clients.has(kind.id)) throw notConnected(kind);
    return planOf(kind, await draftsFor(this.#deps, kind, [], {}));
  }

  /** Puts the files back and revokes the key, which cannot be undone. */
  undo(id: string, token: string): Promise<ClientView> {
    return this.#runExclusive(id, async (kind, commit) => {
      const { store, clientFiles, manageKeys } = this.#deps;
      const { getDrafts: draftsFor, requireSameFiles, writeDraft } = await workshop();
      const record = store.document.clients.get(kind.id);
      if (record === undefined) throw notConnected(kind);
      const drafts = await draftsFor(this.#deps, kind, [], {});
      requireSameFiles(drafts, token);
      // The first file made the folders of the others.
      for (const draft of drafts.toReversed()) await writeDraft(clientFiles, draft);
      await commit([{ op: "delete", in: "clients", id: kind.id }]);
      if (store.document.keys.has(record.key_id)) await manageKeys.revoke(record.key_id);
      this.#checkedKeys.delete(id);
      return this.#view(id);
    });
  }

  /** A client's files, key and record change together: one thing at a time for each client. */
  async #runExclusive<T>(id: string, work: (kind: ClientKind, commit: Commit) => Promise<T>): Promise<T> {
    const kind = await getKind(id);
    return this.#deps.store.transact([{ in: "clients", id: kind.id }], (commit) => work(kind, commit));
  }

  async #view(id: string): Promise<ClientView> {
    const found = (await this.list()).data.find((client) => client.id === id);
    if (found === undefined) throw createUnknownClient(id);
    return found;
  }
}

async function getKind(id: string): Promise<ClientKind> {
  const parsed = clientIdSchema.safeParse(id);
  const kind = parsed.success ? (await workshop()).readKind(parsed.data) : undefined;
  if (kind === undefined) throw createUnknownClient(id);
  return kind;
}

function createUnknownClient(id: string): GatewayError {
  return new GatewayError("not_found", `Postern writes no file of a client "${id.slice(0, 40)}".`, { param: "id" });
}

function notConnected(kind: ClientKind): GatewayError {
  return new GatewayError("conflict", `${kind.name} is not connected by Postern.`);
}
