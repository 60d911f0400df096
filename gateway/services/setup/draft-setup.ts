import type { Setup, SetupConnection, SetupKey } from "../../contract/setup.ts";
import type { SetupConflict } from "../../contract/setup-operations.ts";
import { GatewayError } from "../../core/errors.ts";
import { budgetName } from "../../core/setup/diff-setups.ts";
import { same } from "../../core/setup/same.ts";
import { newId } from "../../lib/ids.ts";
import { secretHint } from "../../lib/redact.ts";
import type { StoredConnection, StoredKey } from "../../store/document.ts";
import { budgetId, newBudget } from "../budgets/budget-record.ts";
import { changedConnection, newConnection, openedKey, serverConnection } from "../connections/connection-record.ts";
import { boundTo } from "../connections/connection-rules.ts";
import { changedKey, checkOllamaDefault, newKey } from "../keys/key-record.ts";
import { storeHeaders } from "../connections/own-headers.ts";
import { storeProxy } from "../proxy-choice.ts";
import { Conflicts } from "./conflicts.ts";
import type { DocumentDraft } from "./draft.ts";
import { draftModels } from "./draft-models.ts";
import type { DraftModelsDeps } from "./draft-models.ts";
import type { DraftWish } from "./draft-wish.ts";
import { leaveOutLost } from "./leave-out-lost.ts";
import type { NewKeys } from "./new-keys.ts";
import { draftPrune } from "./draft-prune.ts";
import { draftSettings } from "./draft-settings.ts";
import { setupConnection, setupKey } from "./setup-of.ts";

export interface DraftSetupDeps extends DraftModelsDeps {
  readonly newKeys: NewKeys;
}

/**
 * Applies a set-up to a draft, by the rules of each record type.
 * @returns the conflicting records, which are unchanged in the draft
 */
export async function draftSetup(
  whole: Setup,
  draft: DocumentDraft,
  deps: DraftSetupDeps,
  wish: DraftWish,
): Promise<readonly SetupConflict[]> {
  const conflicts = new Conflicts(deps.clock);
  if (wish.prune) draftPrune(whole, draft);
  // Entries created in the same moment keep their order by increasing timestamps.
  let now = deps.clock.now();
  for (const connection of whole.connections ?? [])
    await conflicts.gather("connection", connection.name, () => {
      conflicts.once("connection", connection.name.toLowerCase(), connection.name);
      return draftConnection(connection, draft, deps, now++);
    });
  const brought = wish.brought ?? whole.connections?.map(({ name }) => name) ?? [];
  const requested = leaveOutLost(whole, brought, draft, deps, conflicts);
  // A key that takes over Ollama requests comes after the one that gives them up.
  const keys = (requested.keys ?? []).toSorted((a, b) => rankKey(a) - rankKey(b));
  for (const key of keys)
    await conflicts.gather("key", key.name, () => {
      conflicts.once("key", deps.newKeys.readFaces(key)?.hash ?? key.name, key.name);
      draftKey(key, draft, deps, now++);
    });
  for (const budget of requested.budgets ?? [])
    await conflicts.gather("budget", budgetName(budget), () => {
      conflicts.once("budget", budgetId(budget), budgetName(budget));
      const { budgets } = draft.document;
      const record = newBudget(budget, budgets, now++);
      if (!same(budgets.get(record.id), record)) draft.put("budgets", record);
    });
  await draftSettings(requested, draft, deps.settings, conflicts, now);
  await draftModels(requested, draft, deps, conflicts, now, wish);
  return conflicts.all;
}

async function draftConnection(
  requested: SetupConnection,
  draft: DocumentDraft,
  { connections }: DraftSetupDeps,
  now: number,
): Promise<void> {
  const { keys, enabled, local_server: server, ...input } = requested;
  const records = [...draft.document.connections.values()];
  const before = records.find(({ name }) => name.toLowerCase() === requested.name.toLowerCase());
  const fixed = connections.all().find(({ from, name }) => from === "environment" && sameName(name, requested.name));
  if (before === undefined && fixed !== undefined)
    throw new GatewayError(
      "conflict",
      `"${fixed.name}" comes from the environment. Change the POSTERN_… variables, or choose another name.`,
    );
  let record: StoredConnection;
  if (server !== undefined) {
    record = draftServer(requested, before, now);
    const double = records.find(({ id }) => id === record.id);
    if (double !== undefined && double !== before)
      throw new GatewayError(
        "conflict",
        `The program at port ${server.port} is connected as "${double.name}" already.`,
      );
  } else if (before === undefined) {
    const made = await newConnection(newId("conn"), { ...input, ...(keys !== undefined && { keys }) }, now);
    record = { ...made, enabled: enabled ?? true };
  } else {
    requireSameProvider(before, requested);
    const { provider: _same, ...change } = input;
    const given = { ...change, ...(keys !== undefined && { keys }), ...(enabled !== undefined && { enabled }) };
    record = await changedConnection(before, given);
  }
  record = { ...record, ...(await storeProxy(input.proxy, before ?? {}, null)) };
  if (server === undefined) {
    const encrypt = (value: string, origin: string): string => draft.addSecret(value, origin);
    record = { ...record, headers: await storeHeaders(input.headers, before ?? null, record.base_url, encrypt) };
  }
  if (keys !== undefined) record = { ...record, secrets: getKeys(record, keys, draft) };
  const unchanged = before !== undefined && same(setupConnection(before, draft), setupConnection(record, draft));
  if (!unchanged) draft.put("connections", record);
}

const sameName = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

function requireSameProvider(before: StoredConnection, requested: SetupConnection): void {
  if (before.provider === requested.provider) return;
  throw new GatewayError(
    "conflict",
    `There is a connection "${before.name}" already, to another kind of provider (${before.provider}). Choose another name, or remove that connection first.`,
  );
}

function draftServer(requested: SetupConnection, before: StoredConnection | undefined, now: number): StoredConnection {
  const { local_server: server, name, priority, enabled } = requested;
  if (server === undefined) throw new Error("only for programs that were found");
  const made = serverConnection(server, name, before?.created_at ?? now);
  if (before !== undefined && before.id !== made.id)
    throw new GatewayError(
      "conflict",
      `There is a connection "${before.name}" already, to another server. Choose another name, or remove that connection first.`,
    );
  return {
    ...made,
    priority: priority ?? before?.priority ?? made.priority,
    enabled: enabled ?? before?.enabled ?? true,
  };
}

/** Returns the keys of a connection: keys already stored for this address keep their ids; others are new. */
function getKeys(record: StoredConnection, keys: readonly string[], draft: DocumentDraft): StoredConnection["secrets"] {
  return keys.map((key) => {
    const existing = record.secrets.find(({ id }) => openedKey(draft, id, record) === key);
    return existing ?? { id: draft.addSecret(key, boundTo(record.base_url)), hint: secretHint(key) };
  });
}

const rankKey = ({ ollama_default: isDefault }: SetupKey): number => Number(isDefault === true);

function draftKey(requested: SetupKey, draft: DocumentDraft, { newKeys }: DraftSetupDeps, now: number): void {
  const { sha256: _hash, secret: _secret, hint: _hint, disabled, ...limits } = requested;
  const faces = newKeys.readFaces(requested);
  const before = keyBefore(requested, faces?.hash, draft);
  if (before?.origin === "environment")
    throw new GatewayError(
      "conflict",
      `The key "${before.name}" comes from the environment. Change POSTERN_API_KEY or POSTERN_KEYS.`,
    );
  const record =
    before === undefined
      ? { ...newKey(limits, "created", faces ?? newKeys.make(requested.name), now), disabled: disabled ?? false }
      : changedKey(before, { ...limits, ...(disabled !== undefined && { disabled }) });
  if (before !== undefined && same(setupKey(before), setupKey(record))) return;
  const named = before === undefined ? { ...record, id: newKeys.getId(record.hash) } : record;
  draft.put("keys", checkOllamaDefault(named, draft.document.keys));
}

function keyBefore({ name }: SetupKey, hash: string | undefined, draft: DocumentDraft): StoredKey | undefined {
  const keys = [...draft.document.keys.values()];
  if (hash !== undefined) return keys.find((key) => key.hash === hash);
  const [first, second] = keys.filter((key) => key.name === name);
  if (second === undefined) return first;
  throw new GatewayError("conflict", `Several keys have the name "${name}". Say by 'sha256' which one is meant.`);
}
