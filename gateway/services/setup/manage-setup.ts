import type { Setup } from "../../contract/setup.ts";
import type {
  AppliedSetup,
  SetupChange,
  SetupConflict,
  SetupPlan,
  SetupRead,
  SetupResult,
  SetupUndoPlan,
} from "../../contract/setup-operations.ts";
import { GatewayError } from "../../core/errors.ts";
import { diffSetups } from "../../core/setup/diff-setups.ts";
import { newId, sha256 } from "../../lib/ids.ts";
import type { Change, Document, RecordChange, StoredAppliedSetup } from "../../store/document.ts";
import type { Commit, RecordRef } from "../../store/record-changes.ts";
import type { Store } from "../../store/store.ts";
import type { ManageBudgets } from "../budgets/manage-budgets.ts";
import type { ManageConnections } from "../connections/manage-connections.ts";
import type { Events } from "../events.ts";
import type { ManageKeys } from "../keys/manage-keys.ts";
import type { Discovery } from "../models/discovery.ts";
import type { ModelIndex } from "../models/model-index.ts";
import { DocumentDraft, getChanges, findSecrets } from "./draft.ts";
import type { DraftModelsDeps } from "./draft-models.ts";
import { draftSetup } from "./draft-setup.ts";
import type { DraftWish } from "./draft-wish.ts";
import { NewKeys } from "./new-keys.ts";
import { getSetup } from "./setup-of.ts";
import { testKeys, withoutKeys } from "./test-keys.ts";
import type { TestedKey } from "./test-keys.ts";
import { draftUndo, narrowChange, unnamedSecrets } from "./undo-setup.ts";

export interface ManageSetupDeps extends DraftModelsDeps {
  readonly store: Pick<Store, "document" | "secrets" | "transact">;
  readonly discovery: Pick<Discovery, "tryOut">;
  readonly manageConnections: Pick<ManageConnections, "follow">;
  readonly manageKeys: Pick<ManageKeys, "applyChanges">;
  readonly manageBudgets: Pick<ManageBudgets, "applyChanges">;
  readonly index: Pick<ModelIndex, "invalidate" | "findId">;
  readonly events: Pick<Events, "emit">;
}

export interface SetupWish extends DraftWish {
  readonly setup: Setup;
  /** Variables and files of this machine that it has read. */
  readonly reads?: readonly SetupRead[];
}

export interface ApplySetup {
  readonly source: AppliedSetup["source"];
  /** Token of the plan that was shown; null without one. */
  readonly token: string | null;
  /** See `SetupConfirmation`. */
  readonly test_keys?: boolean | undefined;
  readonly keep_refused?: boolean | undefined;
}

/** So many can be undone; older ones stay as they are. */
const MOST_APPLIED = 20;

interface Drafted {
  readonly draft: DocumentDraft;
  readonly recordChanges: readonly RecordChange[];
  readonly changes: readonly SetupChange[];
  readonly conflicts: readonly SetupConflict[];
}

/** Reads, compares, applies and undoes a whole set-up as one transaction. */
export class ManageSetup {
  readonly #deps: ManageSetupDeps;

  constructor(deps: ManageSetupDeps) {
    this.#deps = deps;
  }

  /** The whole set-up with its secrets. */
  read(): Setup {
    const { document, secrets } = this.#deps.store;
    return getSetup(document, secrets);
  }

  /** Plans the changes of a set-up. It writes nothing and calls no provider. */
  async plan(wish: SetupWish): Promise<SetupPlan> {
    const drafted = await this.#draft(wish, new NewKeys());
    return {
      changes: [...drafted.changes],
      conflicts: [...drafted.conflicts],
      reads: [...(wish.reads ?? [])],
      unconnected_clients: this.#listUnconnected(wish.setup),
      token: getToken(wish, drafted),
    };
  }

  /**
   * Applies a set-up completely or not at all.
   * @throws GatewayError conflict if a record conflicts, or differs from the plan that was shown; StoreWriteError if it
   * could not be written: then nothing is changed, also after a restart
   */
  async apply(wish: SetupWish, { source, token, test_keys, keep_refused }: ApplySetup): Promise<SetupResult> {
    const newKeys = new NewKeys(wish.setup.keys);
    const { tested, token: expected } =
      test_keys === false ? { tested: [], token } : await this.#testKeys(wish, newKeys, token);
    const refused = keep_refused === true ? [] : tested.filter(({ test }) => test.problem === "refused");
    const { document } = this.#deps.store;
    const { drafted, applied } = await this.#deps.store.transact(refs(document, newKeys.ids), async (commit) => {
      const whole = await this.#draft(wish, newKeys);
      this.#require(wish, whole, expected);
      const accepted = refused.length === 0 ? whole : await this.#draft(this.#omitKeys(wish, refused), newKeys);
      return { drafted: accepted, applied: await this.#commit(accepted, accepted.recordChanges, source, commit) };
    });
    return {
      applied,
      changes: [...drafted.changes],
      conflicts: [...drafted.conflicts],
      tests: tested.map((key) => testView(key, !refused.includes(key))),
      created_keys: [...newKeys.listNewKeys(drafted.recordChanges)],
      unconnected_clients: this.#listUnconnected(wish.setup),
    };
  }

  /** Lists the set-ups that can be undone, newest first. */
  list(): readonly AppliedSetup[] {
    return newestFirst(this.#deps.store.document).map(appliedView);
  }

  /** @throws GatewayError not_found */
  planUndo(id: string): SetupUndoPlan {
    return this.#undo(id).plan;
  }

  /**
   * Puts everything back that was not changed since, as one.
   * @throws GatewayError not_found; conflict where it is not as it was shown
   */
  undo(id: string, token: string): Promise<SetupUndoPlan> {
    const { store } = this.#deps;
    const before = store.document.applied_setups.get(id);
    const ids = (before?.turns ?? []).flatMap((change) => (change.in === "keys" ? [change.id] : []));
    return store.transact(refs(store.document, ids), async (commit) => {
      const { draft, plan, applied } = this.#undo(id);
      if (plan.token !== token) throw changedMeanwhile();
      const recordChanges = draft.listChanges();
      await commit([...this.#changes(recordChanges), { op: "delete", in: "applied_setups", id }]);
      await this.#follow(recordChanges, [
        ...findSecrets(applied.turns, "before"),
        ...findSecrets(applied.turns, "after"),
      ]);
      return plan;
    });
  }

  /** @throws GatewayError not_found */
  async forget(id: string): Promise<void> {
    const { store, events } = this.#deps;
    await store.transact([{ in: "applied_setups" }], async (commit) => {
      const { turns: recordChanges } = this.#applySetup(id);
      await commit([{ op: "delete", in: "applied_setups", id }]);
      await this.#forgetSecrets(findSecrets(recordChanges, "before"));
    });
    events.emit({ type: "settings.changed" });
  }

  /**
   * Tests new keys at providers, which takes seconds, so it runs before the transaction on a separate draft.
   * @returns the results, and the token of the tested set-up
   */
  async #testKeys(wish: SetupWish, newKeys: NewKeys, token: string | null) {
    const drafted = await this.#draft(wish, newKeys);
    this.#require(wish, drafted, token);
    const tested = await testKeys(drafted.draft, drafted.recordChanges, this.#deps.discovery);
    return { tested, token: token ?? getToken(wish, drafted) };
  }

  #omitKeys(wish: SetupWish, refused: readonly TestedKey[]): SetupWish {
    const brought = wish.setup.connections?.map(({ name }) => name) ?? [];
    return { ...wish, brought, setup: withoutKeys(wish.setup, refused, (name) => this.#isConnected(name)) };
  }

  async #draft({ setup, ...how }: SetupWish, newKeys: NewKeys): Promise<Drafted> {
    const { document, secrets } = this.#deps.store;
    const before = getSetup(document, secrets);
    const draft = new DocumentDraft(document, secrets);
    const conflicts = await draftSetup(setup, draft, { ...this.#deps, newKeys }, how);
    const changes = diffSetups(before, getSetup(draft.document, draft));
    return { draft, recordChanges: draft.listChanges(), changes, conflicts };
  }

  #require(wish: SetupWish, drafted: Drafted, token: string | null): void {
    if (token !== null && getToken(wish, drafted) !== token) throw changedMeanwhile();
    const [first, ...others] = drafted.conflicts;
    if (wish.partial || first === undefined) return;
    const more = others.length === 0 ? "" : ` (and ${others.length} more)`;
    const name = first.name === "" ? first.kind : `${first.kind} "${first.name}"`;
    throw new GatewayError("conflict", `Nothing was changed. ${name.replaceAll("_", " ")}: ${first.message}${more}`);
  }

  /** @returns null if there is nothing to change */
  async #commit(
    { draft }: Drafted,
    changes: readonly RecordChange[],
    source: AppliedSetup["source"],
    commit: Commit,
  ): Promise<AppliedSetup | null> {
    if (changes.length === 0) return null;
    const { store, clock } = this.#deps;
    const made: string[] = [];
    try {
      const encrypted = await draft.encrypt(changes, store.secrets, made);
      const record = { id: newId("setup"), at: clock.now(), source, turns: encrypted.map(narrowChange) };
      const old = newestFirst(store.document).slice(MOST_APPLIED - 1);
      await commit([
        ...this.#changes(encrypted),
        { op: "put", in: "applied_setups", record },
        ...old.map(({ id }): Change => ({ op: "delete", in: "applied_setups", id })),
      ]);
      await this.#follow(
        encrypted,
        old.flatMap((one) => findSecrets(one.turns, "before")),
      );
      return appliedView(record);
    } catch (error) {
      // When the disk refuses this, they stay in the secrets file, encrypted, and nothing names them.
      await store.secrets.remove(unnamedSecrets(made, store.document)).catch(() => undefined);
      throw error;
    }
  }

  /** Returns the changes, including removal of a removed connection's discovered models. */
  #changes(changes: readonly RecordChange[]): readonly Change[] {
    const gone = changes.flatMap((change) => (change.in === "connections" && change.after === null ? [change.id] : []));
    return [...getChanges(changes), ...gone.map((id): Change => ({ op: "delete", in: "discoveries", id }))];
  }

  /** Updates the running parts after the records. @param secrets that may be needed no more */
  async #follow(changes: readonly RecordChange[], secrets: readonly string[]): Promise<void> {
    const { manageConnections, manageKeys, manageBudgets, index, events } = this.#deps;
    manageConnections.follow(changes.flatMap((change) => (change.in === "connections" ? [change.id] : [])));
    manageKeys.applyChanges();
    manageBudgets.applyChanges();
    index.invalidate();
    events.emit({ type: "settings.changed" });
    events.emit({ type: "models.changed" });
    events.emit({ type: "webhooks.changed" });
    await this.#forgetSecrets(secrets);
  }

  async #forgetSecrets(ids: readonly string[]): Promise<void> {
    const { secrets, document } = this.#deps.store;
    await secrets.remove(unnamedSecrets(ids, document)).catch(() => undefined);
  }

  #undo(id: string): {
    readonly draft: DocumentDraft;
    readonly plan: SetupUndoPlan;
    readonly applied: StoredAppliedSetup;
  } {
    const { document, secrets } = this.#deps.store;
    const applied = this.#applySetup(id);
    const draft = new DocumentDraft(document, secrets);
    const left = draftUndo(applied.turns, draft);
    const changes = [...diffSetups(getSetup(document, secrets), getSetup(draft.document, draft))];
    const token = sha256(JSON.stringify([id, changes, left]));
    return { draft, applied, plan: { applied: appliedView(applied), changes, left, token } };
  }

  #applySetup(id: string): StoredAppliedSetup {
    const applied = this.#deps.store.document.applied_setups.get(id);
    if (applied !== undefined) return applied;
    throw new GatewayError("not_found", "There is nothing of that id to undo: it was undone, or is too long ago.");
  }

  #isConnected(name: string): boolean {
    const { document } = this.#deps.store;
    return [...document.connections.values()].some((known) => known.name.toLowerCase() === name.toLowerCase());
  }

  #listUnconnected({ clients = [] }: Setup): string[] {
    const { document } = this.#deps.store;
    return clients.filter((id) => !(document.clients as ReadonlyMap<string, unknown>).has(id));
  }
}

/** Everything that a set-up may change. @param keyIds of keys that are not there yet */
function refs(document: Document, keyIds: readonly string[]): readonly RecordRef[] {
  const keys = new Set([...document.keys.keys(), ...keyIds]);
  return [
    { in: "connections" },
    { in: "webhook_secrets" },
    { in: "aliases" },
    { in: "prices" },
    { in: "budgets" },
    { in: "routes" },
    { in: "applied_setups" },
    { in: "settings", id: "settings" },
    ...[...keys].map((id): RecordRef => ({ in: "keys", id })),
    ...[...document.connections.keys()].map((id): RecordRef => ({ in: "discoveries", id })),
  ];
}

/** The token hashes the whole set-up including secrets, so it reveals none of them. */
function getToken(wish: SetupWish, { changes, conflicts }: Drafted): string {
  return sha256(JSON.stringify([wish, changes, conflicts]));
}

function changedMeanwhile(): GatewayError {
  return new GatewayError("conflict", "Nothing was changed: it is not as it was shown any more. Look at it again.");
}

/** Returns set-ups in reverse order of application: two may share a millisecond, and clocks are set back. */
const newestFirst = ({ applied_setups: applied }: Document): readonly StoredAppliedSetup[] =>
  [...applied.values()].toReversed();

function appliedView({ id, at, source, turns: recordChanges }: StoredAppliedSetup): AppliedSetup {
  return { id, at, source, records: recordChanges.length };
}

const testView = ({ connection, hint, test }: TestedKey, isAccepted: boolean): SetupResult["tests"][number] => ({
  ...test,
  connection,
  hint,
  taken: isAccepted,
});
