import type { SpendRow } from "../../core/usage/aggregate.ts";
import { DailyRows } from "../../core/usage/daily-rows.ts";
import type { Change, CollectionName, Collections, Document } from "../document.ts";

/** The document as the store sees it. All others get the read-only `Document` of the same object. */
export type LiveDocument = { readonly [C in CollectionName]: Map<string, Collections[C]> } & {
  readonly spend: Map<string, SpendRow>;
  readonly daily: DailyRows;
};

/** The collections in the order of a generation. */
export const COLLECTIONS: readonly CollectionName[] = [
  "settings",
  "keys",
  "connections",
  "discoveries",
  "notices",
  "tasks",
  "receivers",
  "webhook_secrets",
  "aliases",
  "prices",
  "routes",
  "budgets",
  "clients",
  "refused_servers",
  "applied_setups",
];

export function emptyDocument(): LiveDocument {
  return {
    keys: new Map(),
    connections: new Map(),
    discoveries: new Map(),
    settings: new Map(),
    notices: new Map(),
    tasks: new Map(),
    receivers: new Map(),
    webhook_secrets: new Map(),
    aliases: new Map(),
    prices: new Map(),
    routes: new Map(),
    budgets: new Map(),
    clients: new Map(),
    refused_servers: new Map(),
    applied_setups: new Map(),
    spend: new Map(),
    daily: new DailyRows(),
  } satisfies Document;
}

/** Puts and deletes are absolute, so applying a change a second time changes nothing. */
export function applyChange(document: LiveDocument, change: Change): void {
  if (change.op === "delete") document[change.in].delete(change.id);
  else (document[change.in] as Map<string, typeof change.record>).set(change.record.id, change.record);
}

/** Returns the target of a change, as one string. */
export function changeTarget(change: Change): string {
  return `${change.in}/${change.op === "put" ? change.record.id : change.id}`;
}
