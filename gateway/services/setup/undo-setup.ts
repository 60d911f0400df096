import type { SetupKind, SetupUndoPlan } from "../../contract/setup-operations.ts";
import { settingNames } from "../../contract/settings.ts";
import { same } from "../../core/setup/same.ts";
import { storedSettingName } from "../../store/document.ts";
import type { Document, RecordTurn, StoredSettings } from "../../store/document.ts";
import { NOTHING_STORED } from "../settings.ts";
import { findSecrets } from "./draft.ts";
import type { DocumentDraft } from "./draft.ts";

type Left = SetupUndoPlan["left"];
type SettingsTurn = Extract<RecordTurn, { readonly in: "settings" }>;
type Fields = Readonly<Record<string, unknown>>;

/** A turn with no more of the settings than what it changes, so that other settings may change before it is undone. */
export function narrowChange(turn: RecordTurn): RecordTurn {
  if (turn.in !== "settings") return turn;
  const [before, after] = [getFields(turn.before), getFields(turn.after)];
  const names = changedNames(before, after);
  const keys = { before: findFields(before["search_keys"]), after: findFields(after["search_keys"]) };
  const services = changedNames(keys.before, keys.after);
  const side = (fields: Fields, searchKeys: Fields): StoredSettings => ({
    ...(pickFields(fields, names) as StoredSettings),
    id: "settings",
    ...(services.length > 0 && { search_keys: pickFields(searchKeys, services) as StoredSettings["search_keys"] & {} }),
  });
  return { ...turn, before: side(before, keys.before), after: side(after, keys.after) };
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
 * Makes a draft what it was before a set-up was applied, but for what was changed since.
 * @returns what is left as it is
 */
export function draftUndo(turns: readonly RecordTurn[], draft: DocumentDraft): Left {
  return turns.flatMap((turn): Left => {
    if (turn.in === "settings") return undoSettings(turn, draft);
    const now = (draft.document[turn.in] as ReadonlyMap<string, unknown>).get(turn.id) ?? null;
    if (same(now, turn.before)) return [];
    if (!same(now, turn.after) || isNameTaken(turn, draft)) return [{ kind: kindOf[turn.in], name: getName(turn) }];
    if (turn.before === null) draft.delete(turn.in, turn.id);
    else draft.put(turn.in, turn.before);
    return [];
  });
}

function undoSettings(turn: SettingsTurn, draft: DocumentDraft): Left {
  const left: { kind: SetupKind; name: string }[] = [];
  const [before, after] = [getFields(turn.before), getFields(turn.after)];
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

/** Whether something else has got the name meanwhile that a record would have again. */
function isNameTaken({ in: collection, id, before }: RecordTurn, { document }: DocumentDraft): boolean {
  if (before === null) return false;
  if (collection === "aliases") return document.routes.has(id);
  if (collection === "routes") return document.aliases.has(id);
  if (collection !== "connections" || !("name" in before)) return false;
  const name = before.name.toLowerCase();
  return [...document.connections.values()].some((other) => other.id !== id && other.name.toLowerCase() === name);
}

const kindOf: Readonly<Record<Exclude<RecordTurn["in"], "settings">, SetupKind>> = {
  connections: "connection",
  keys: "key",
  routes: "route",
  aliases: "alias",
  prices: "price",
  budgets: "budget",
  webhook_secrets: "webhook_secret",
};

function getName(turn: RecordTurn): string {
  const record = turn.after ?? turn.before;
  if (turn.in === "webhook_secrets") return "";
  if (turn.in === "budgets") return turn.id.replaceAll("|", " ");
  return record !== null && "name" in record ? record.name : turn.id;
}

/** Returns the secrets that are neither in use nor restorable by an undo. */
export function unnamedSecrets(ids: readonly string[], document: Document): readonly string[] {
  const named = new Set<string>();
  for (const { secrets } of document.connections.values()) for (const { id } of secrets) named.add(id);
  for (const id of document.webhook_secrets.keys()) named.add(id);
  for (const settings of document.settings.values())
    for (const id of findSecrets([{ in: "settings", id: "settings", before: null, after: settings }], "after"))
      named.add(id);
  for (const { turns } of document.applied_setups.values())
    for (const side of ["before", "after"] as const) for (const id of findSecrets(turns, side)) named.add(id);
  return ids.filter((id) => !named.has(id));
}
