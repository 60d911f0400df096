import type { Setup } from "../../contract/setup.ts";
import { sha256 } from "../../lib/ids.ts";
import { budgetId } from "../budgets/budget-record.ts";
import type { DocumentDraft } from "./draft.ts";

/**
 * Removes from a draft what a set-up does not name, in the sections that it has. What the environment adds stays, and so
 * do settings.
 */
export function draftPrune({ connections, keys, routes, aliases, prices, budgets }: Setup, draft: DocumentDraft): void {
  const { document } = draft;
  if (connections !== undefined) {
    const named = new Set(connections.map(({ name }) => name.toLowerCase()));
    for (const { id, name } of document.connections.values())
      if (!named.has(name.toLowerCase())) draft.delete("connections", id);
  }
  if (keys !== undefined) {
    const hashes = new Set(keys.map(({ secret, sha256: hash }) => (secret === undefined ? hash : sha256(secret))));
    const names = new Set(
      keys.filter((key) => key.secret === undefined && key.sha256 === undefined).map(({ name }) => name),
    );
    for (const { id, name, hash, origin } of document.keys.values())
      if (origin !== "environment" && !hashes.has(hash) && !names.has(name)) draft.delete("keys", id);
  }
  if (routes !== undefined) {
    const named = new Set(routes.map(({ name }) => name));
    for (const name of document.routes.keys()) if (!named.has(name)) draft.delete("routes", name);
  }
  if (budgets !== undefined) {
    const named = new Set(budgets.map(budgetId));
    for (const record of document.budgets.values())
      if (!named.has(budgetId(record))) draft.delete("budgets", record.id);
  }
  for (const [collection, section] of [
    ["aliases", aliases],
    ["prices", prices],
  ] as const) {
    if (section === undefined) continue;
    for (const id of document[collection].keys()) if (!Object.hasOwn(section, id)) draft.delete(collection, id);
  }
}
