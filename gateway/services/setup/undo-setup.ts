import type { SetupKind, SetupUndoPlan } from "../../contract/setup-operations.ts";
import { settingNames } from "../../contract/settings.ts";
import { same } from "../../core/setup/same.ts";
import { storedSettingName } from "../../store/document.ts";
import type { Document, RecordChange, StoredSettings } from "../../store/document.ts";
import { NOTHING_STORED } from "../settings.ts";
import { findSecrets } from "./draft.ts";
import type { DocumentDraft } from "./draft.ts";

type Left = SetupUndoPlan["left"];
type SettingsChange = Extract<RecordChange, { readonly in: "settings" }>;
type Fields = Readonly<Record<string, unknown>>;

/** Reduces a change of settings to the changed fields, so that other settings may change before the undo. */
export function narrowChange(change: RecordChange): RecordChange {
  if (change.in !== "settings") return change;
  const [before, after] = [getFields(change.before), getFields(change.after)];
  const names = changedNames(before, after);
  const keys = { before: findFields(before["search_keys"]), after: findFields(after["search_keys"]) };
  const services = changedNames(keys.before, keys.after);
  const side = (fields: Fields, searchKeys: Fields): StoredSettings => ({
    ...(pickFields(fields, names) as StoredSettings),
    id: "settings",
    ...(services.length > 0 && { search_keys: pickFields(searchKeys, services) as StoredSettings["search_keys"] & {} }),
  });
  return { ...change, before: side(before, keys.before), after: side(after, keys.after) };
}

const getFields = (record: StoredSettings | null): Fields => ({ ...(record ?? NOTHING_STORED) });
const findFields = (value: unknown): Fields => (value ?? {}) as Fields;
const pickFields = (fields: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(names.flatMap((name) => (fields[name] === undefined ? [] : [[name, fields[name]]])));

function changedNames(before: Fields, after: Fields): readonly string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.filter((name) => name !== "search_keys" && !same(before[name], after[name]));
}

/**
 * Reverts a draft to its state before a set-up was applied, except for later changes.
 * @returns the records that are not reverted
 */
export function draftUndo(changes: readonly RecordChange[], draft: DocumentDraft): Left {
  return changes.flatMap((change): Left => {
    if (change.in === "settings") return undoSettings(change, draft);
    const now = (draft.document[change.in] as ReadonlyMap<string, unknown>).get(change.id) ?? null;
    if (same(now, change.before)) return [];
    if (!same(now, change.after) || isNameTaken(change, draft))
      return [{ kind: kindOf[change.in], name: getName(change) }];
    if (change.before === null) draft.delete(change.in, change.id);
    else draft.put(change.in, change.before);
    return [];
  });
}

function undoSettings(change: SettingsChange, draft: DocumentDraft): Left {
  const left: { kind: SetupKind; name: string }[] = [];
  const [before, after] = [getFields(change.before), getFields(change.after)];
  const now = getFields(draft.document.settings.get("settings") ?? null);
  const back = (from: Fields, was: Fields, is: Fields, named: (field: string) => Left[number]): Fields => {
    const next: Record<string, unknown> = { ...from };
    for (const field of new Set([...Object.keys(was), ...Object.keys(is)])) {
      if (field === "id" || field === "search_keys" || same(from[field], was[field])) continue;
      if (!same(from[field], is[field])) left.push(named(field));
      else if (was[field] === undefined) delete next[field];
      else next[field] = was[field];
    }
    return next;
  };
  const kindOfField = (field: string): SetupKind =>
    field === "otlp_headers" ? "telemetry_headers" : field === "metrics_key" ? "metrics_key" : "setting";
  const settingName = (field: string): string =>
    settingNames.find((name) => storedSettingName(name) === field) ?? field;
  const fields = back(now, before, after, (field) => ({ kind: kindOfField(field), name: settingName(field) }));
  const [was, is] = [findFields(before["search_keys"]), findFields(after["search_keys"])];
  const keys = back(findFields(now["search_keys"]), was, is, (name) => ({ kind: "search_key", name }));
  const isSearched = Object.keys(was).length + Object.keys(is).length > 0;
  draft.put("settings", { ...fields, ...(isSearched && { search_keys: keys }) } as unknown as StoredSettings);
  return left;
}

/** Tells whether another record has meanwhile taken the name that a restored record needs. */
function isNameTaken({ in: collection, id, before }: RecordChange, { document }: DocumentDraft): boolean {
  if (before === null) return false;
  if (collection === "aliases") return document.routes.has(id);
  if (collection === "routes") return document.aliases.has(id);
  if (collection !== "connections" || !("name" in before)) return false;
  const name = before.name.toLowerCase();
  return [...document.connections.values()].some((other) => other.id !== id && other.name.toLowerCase() === name);
}

const kindOf: Readonly<Record<Exclude<RecordChange["in"], "settings">, SetupKind>> = {
  connections: "connection",
  keys: "key",
  routes: "route",
  aliases: "alias",
  prices: "price",
  budgets: "budget",
  webhook_secrets: "webhook_secret",
};

function getName(change: RecordChange): string {
  const record = change.after ?? change.before;
  if (change.in === "webhook_secrets") return "";
  if (change.in === "budgets") return change.id.replaceAll("|", " ");
  return record !== null && "name" in record ? record.name : change.id;
}

/** Returns the secrets that are neither in use nor restorable by an undo. */
export function unnamedSecrets(ids: readonly string[], document: Document): readonly string[] {
  const named = new Set<string>();
  for (const { secrets } of document.connections.values()) for (const { id } of secrets) named.add(id);
  for (const id of document.webhook_secrets.keys()) named.add(id);
  for (const settings of document.settings.values())
    for (const id of findSecrets([{ in: "settings", id: "settings", before: null, after: settings }], "after"))
      named.add(id);
  for (const { turns: changes } of document.applied_setups.values())
    for (const side of ["before", "after"] as const) for (const id of findSecrets(changes, side)) named.add(id);
  return ids.filter((id) => !named.has(id));
}
