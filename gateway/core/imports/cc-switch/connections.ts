import type { SetupPrice } from "../../../contract/setup.ts";
import { readHome, isLoopback } from "../addresses.ts";
import type { Seller } from "../chains.ts";
import type { SetupBuilder } from "../setup-builder.ts";
import { resolveReferences, variable } from "../references.ts";
import { readMembers, readNumber } from "../values.ts";
import { readAccess } from "./access.ts";
import type { Access } from "./access.ts";
import { isLogin } from "./rows.ts";
import type { ProviderRow } from "./rows.ts";

/** The value that replaces a key in cc-switch while its own proxy is in front of the provider. */
const PROXY = "PROXY_MANAGED";

/** A provider of an app that became a connection, possibly merged with those of other apps. */
export interface Reached {
  readonly row: ProviderRow;
  readonly access: Access;
  readonly seller: Seller;
}

export interface RowContext {
  /** The environment; null if variables must not be resolved, because links are untrusted. */
  readonly env: Readonly<Record<string, string | undefined>> | null;
  /** Ports of cc-switch's own proxy. */
  readonly ports: readonly string[];
  /** Whether a provider is used without being chosen: then it may respond for models of others. */
  isUsed(row: ProviderRow): boolean;
}

/** Adds connections, one for each address and key; what several apps have in common is one. */
export function addConnections(
  draft: SetupBuilder,
  rows: readonly ProviderRow[],
  context: RowContext,
): readonly Reached[] {
  for (const row of rows) {
    const { models, requested } = readAccess(row.app, row.settings, row.meta) ?? { models: [], requested: new Map() };
    draft.sells(
      row.name,
      [...models, ...requested.values()].map(({ text }) => text),
    );
  }
  const known = new Map<string, Seller>();
  const names = new Set<string>();
  return rows.flatMap((row) => {
    const found = readRow(row, draft, context);
    if (found === null) return [];
    const { access, home, keys } = found;
    const same = JSON.stringify([home.provider, home.baseUrl, keys]);
    const already = known.get(same);
    const isTaken = names.has(row.name.toLowerCase());
    const seller =
      already ??
      draft.connection({
        name: isTaken ? `${row.name} ${row.app}` : row.name,
        otherwise: row.app,
        home,
        keys,
        ...(context.isUsed(row) ? {} : { stands_in: false }),
      });
    names.add(row.name.toLowerCase());
    known.set(same, seller);
    markRow(row, access, seller.name, home.changed);
    return [{ row, access, seller }];
  });
}

/** @returns null if a row is not a provider for Postern; its fields have the reason */
function readRow(row: ProviderRow, draft: SetupBuilder, { env, ports }: RowContext) {
  const { fields } = row;
  if (isLogin(row)) {
    fields.left([], "login");
    return null;
  }
  const access = readAccess(row.app, row.settings, row.meta);
  if (access === null) return null;
  const { address, key, keyVariable, spoken } = access;
  if (key !== null) fields.secret(key.text);
  if (address === null) {
    fields.left([], "unknown-provider");
    return null;
  }
  const home = readHome(address.text, spoken, draft.known, ports);
  if ("reason" in home) {
    fields.left([], home.reason);
    return null;
  }
  const secret = readSecret(key?.text ?? null, keyVariable?.text ?? null, env);
  // A local server may need no key.
  const isLocal = home.baseUrl !== undefined && isLoopback(new URL(home.baseUrl).hostname);
  if (secret === null && !isLocal) {
    fields.left([], "secret-missing");
    return null;
  }
  return { access, home, keys: secret === null ? [] : [secret] };
}

function readSecret(key: string | null, variableName: string | null, env: RowContext["env"]): string | null {
  if (key !== null && key !== PROXY) {
    const found = resolveReferences(key, env ?? {});
    return "value" in found ? found.value : null;
  }
  return variableName === null || env === null ? null : variable(env, variableName);
}

function markRow({ fields, name, settings }: ProviderRow, access: Access, connection: string, changed: boolean): void {
  const becomes = `connection "${connection}"`;
  for (const column of ["id", "app_type", "is_current", "in_failover_queue", "inFailoverQueue"])
    fields.recordTaken([column], becomes);
  if (name === connection) fields.recordTaken(["name"], becomes);
  else fields.noteChange(["name"], becomes, "renamed");
  for (const config of ["settings_config", "settingsConfig"]) {
    const own = fields.below([config]);
    for (const path of access.marked) own.recordTaken(path, becomes);
    for (const written of [access.key, access.keyVariable])
      if (written !== null) own.recordTaken(written.path, becomes);
    const { address } = access;
    if (address === null) continue;
    // Codex and Grok keep everything in one text.
    const isText = address.path.join() === "config" && typeof readMembers(settings)["config"] === "string";
    if (isText) own.noteChange(address.path, becomes);
    else if (changed) own.noteChange(address.path, becomes, "endpoint");
    else own.recordTaken(address.path, becomes);
  }
  fields.recordTaken(["meta", "apiFormat"], becomes);
  fields.recordTaken(["meta", "isFullUrl"], becomes);
}

/** Names and prices of the models that a provider lists; ask when all connections are there. */
export function markModels(draft: SetupBuilder, { row, access, seller }: Reached): void {
  for (const config of ["settings_config", "settingsConfig"]) {
    const own = row.fields.below([config]);
    for (const { text, path, cost } of access.models) {
      const id = draft.nameModel(seller, text);
      own.recordTaken(path, `model "${id}"`);
      if (cost === null || cost === undefined) continue;
      // Postern's own data on a provider's models is more reliable than a copy of it.
      if (!id.includes("/")) own.left([...path, "cost"], "default");
      else if (draft.price(id, readPrices(cost))) own.recordTaken([...path, "cost"], `price of "${id}"`);
      else own.left([...path, "cost"], "not-supported");
    }
  }
}

function readPrices(cost: unknown): SetupPrice {
  const { input, output, cacheRead, cache_read, cacheWrite, cache_write } = readMembers(cost);
  const rates = {
    input: readNumber(input),
    output: readNumber(output),
    cached_input: readNumber(cacheRead ?? cache_read),
    cache_write: readNumber(cacheWrite ?? cache_write),
  };
  return Object.fromEntries(Object.entries(rates).filter(([, rate]) => rate !== null));
}
