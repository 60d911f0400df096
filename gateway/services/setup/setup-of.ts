import type { SetBudget } from "../../contract/budgets.ts";
import type { SetRoute } from "../../contract/routes.ts";
import type { Setup, SetupConnection, SetupKey } from "../../contract/setup.ts";
import { settingNames } from "../../contract/settings.ts";
import { usdFromRates } from "../../core/money/usd-rates.ts";
import { usdFromNano } from "../../lib/money.ts";
import type { Document, StoredBudget, StoredConnection, StoredKey, StoredRoute } from "../../store/document.ts";
import type { Secrets } from "../../store/store.ts";
import { nameScope } from "../budgets/budget-record.ts";
import { isPlainHttp, openedKey } from "../connections/connection-record.ts";
import { writeHeaders } from "../connections/own-headers.ts";
import { getModels } from "../routes/route-models.ts";
import { NOTHING_STORED, findSetting } from "../settings.ts";

/** The parts of the document that a set-up contains. */
export type SetupDocument = Pick<
  Document,
  | "connections"
  | "keys"
  | "routes"
  | "aliases"
  | "prices"
  | "budgets"
  | "settings"
  | "webhook_secrets"
  | "clients"
  | "discoveries"
>;

/**
 * Returns the whole set-up with its secrets and all fields. It excludes what the environment adds, and keys that cannot
 * be decrypted. The order is that of creation.
 */
export function getSetup(document: SetupDocument, secrets: Pick<Secrets, "get">): Setup {
  const stored = document.settings.get("settings") ?? NOTHING_STORED;
  const holding = [...document.webhook_secrets.values()].find(({ signs_until: until }) => until === null);
  const webhookSecret = holding === undefined ? undefined : secrets.get(holding.id);
  const headers = stored.otlp_headers == null ? undefined : secrets.get(stored.otlp_headers.id);
  const routes = [...document.routes.values()];
  const nested = routes.flatMap((route) =>
    getModels(route).filter((model) => model !== route.id && document.routes.has(model)),
  );
  return {
    ...(nested.length > 0 && { route_models: [...new Set(nested)].toSorted() }),
    connections: inOrder(document.connections).map((record) => setupConnection(record, secrets)),
    keys: inOrder(document.keys)
      .filter(({ origin }) => origin !== "environment")
      .map(setupKey),
    routes: inOrder(document.routes).map((record) => setupRoute(record, document.keys)),
    aliases: Object.fromEntries(inOrder(document.aliases).map(({ id, model }) => [id, model])),
    prices: Object.fromEntries([...document.prices.values()].map(({ id, rates }) => [id, usdFromRates(rates)])),
    budgets: inOrder(document.budgets).map(setupBudget),
    settings: Object.fromEntries(settingNames.map((name) => [name, findSetting(stored, name)])),
    search_keys: Object.fromEntries(
      Object.entries(stored.search_keys ?? {}).flatMap(([service, { id }]) => {
        const key = secrets.get(id);
        return key === undefined ? [] : [[service, key]];
      }),
    ),
    ...(webhookSecret !== undefined && { webhook_secret: webhookSecret }),
    ...(headers !== undefined && { telemetry_headers: headers }),
    ...(stored.metrics_key != null && {
      metrics_key: { sha256: stored.metrics_key.hash, hint: stored.metrics_key.hint },
    }),
    clients: [...document.clients.keys()],
  };
}

interface Made {
  readonly id: string;
  readonly created_at: number;
}

const inOrder = <Kind extends Made>(records: ReadonlyMap<string, Kind>): Kind[] =>
  // The order is stable, also for restored records and records created in the same millisecond.
  [...records.values()].toSorted((a, b) => a.created_at - b.created_at || (a.id < b.id ? -1 : 1));

export function setupConnection(record: StoredConnection, secrets: Pick<Secrets, "get">): SetupConnection {
  const { provider, name, base_url, priority, enabled, server } = record;
  return {
    name,
    provider,
    base_url,
    keys: record.secrets.flatMap(({ id }) => openedKey(secrets, id, record) ?? []),
    priority,
    enabled,
    allow_http: record.allow_http === true && isPlainHttp(base_url),
    // A program that was found never does.
    stands_in: server === undefined && record.stands_in !== false,
    prompt_caching: record.prompt_caching === true,
    proxy: record.proxy ?? "default",
    models: [...(record.models ?? [])],
    headers: writeHeaders(record, secrets),
    body: record.body ?? {},
    rpm: record.rpm ?? null,
    concurrency: record.concurrency ?? null,
    credit_notice: record.credit_notice_nano == null ? null : usdFromNano(record.credit_notice_nano),
    ...(server !== undefined && { local_server: { kind: server.kind, port: server.port, uid: server.uid } }),
  };
}

export function setupKey(record: StoredKey): SetupKey {
  return {
    name: record.name,
    sha256: record.hash,
    hint: `${record.prefix}…${record.last4}`,
    models: record.models === null ? null : [...record.models],
    limit_usd: record.limit_nano === null ? null : usdFromNano(record.limit_nano),
    reset: record.reset,
    expires_at: record.expires_at,
    rpm: record.rpm,
    concurrency: record.concurrency,
    hosted_tools: record.hosted_tools ?? null,
    stored_objects: record.stored_objects ?? null,
    mask_secrets: record.mask_secrets ?? null,
    mask_words: record.mask_words ?? null,
    ollama_default: record.ollama_default ?? false,
    disabled: record.disabled,
  };
}

export function setupRoute(record: StoredRoute, keys: Document["keys"]): SetRoute {
  const { id: name, models, order, sticky, rules, enabled } = record;
  const named = rules.map((rule) => {
    const { keys: ids } = rule.when;
    return ids === undefined ? rule : { ...rule, when: { ...rule.when, keys: ids.map((id) => keyName(id, keys)) } };
  });
  return { name, models, order, sticky, rules: named, enabled };
}

export const setupBudget = ({ scope, reset, limit_nano }: StoredBudget): SetBudget => ({
  scope: nameScope(scope),
  reset,
  limit_usd: usdFromNano(limit_nano),
});

/** Returns the name of a key; its SHA-256 if the name is not unique; its id if it was revoked. */
function keyName(id: string, keys: Document["keys"]): string {
  const key = keys.get(id);
  if (key === undefined) return id;
  return [...keys.values()].filter(({ name }) => name === key.name).length > 1 ? key.hash : key.name;
}
