import type { Reset } from "../../contract/key.ts";
import { MOST_USD } from "../../contract/money.ts";
import type { SetupKey } from "../../contract/setup.ts";
import { homeOf } from "./addresses.ts";
import type { Spoken } from "./addresses.ts";
import type { Seller } from "./chains.ts";
import { readJson } from "./documents.ts";
import { Draft } from "./draft.ts";
import type { SourceFields } from "./fields.ts";
import type { FileRead, FileWanted, Imported, Importer, Places } from "./importer.ts";
import type { Known } from "./known.ts";
import { namedProvider } from "./named-provider.ts";
import { resolved } from "./references.ts";
import { itemsOf, membersOf, numberOf, textOf } from "./values.ts";

/**
 * Bifrost: `config.json` in the folder that it was started with, `~/.config/bifrost` unless told. `providers.NAME.keys[]` of
 * `value`, `models`, `weight`; `network_config.base_url`; `governance` with virtual keys, budgets and rate limits
 * (https://docs.getbifrost.ai/quickstart/gateway/setting-up and the repository's examples/configs, read 2026-11-24). What
 * is set up on its pages is in its database, encrypted or not, and is not read.
 */
export const bifrostImporter: Importer = { id: "bifrost", label: "Bifrost", files: filesOf, read };

function filesOf({ home, platform, env, folder }: Places): readonly FileWanted[] {
  const config = env["XDG_CONFIG_HOME"] ?? `${home}/.config`;
  const usual =
    platform === "darwin"
      ? [`${home}/Library/Application Support/bifrost`, `${config}/bifrost`]
      : platform === "win32"
        ? [`${env["APPDATA"] ?? `${home}/AppData/Roaming`}/bifrost`]
        : [`${config}/bifrost`];
  return (folder === null ? usual : [folder]).map((at) => ({ path: `${at}/config.json` }));
}

/** Providers that need more than a key: an account of a cloud. */
const CLOUDS: ReadonlySet<string> = new Set(["azure", "bedrock", "vertex", "sagemaker"]);

/** What a provider of the user's own speaks: `custom_provider_config.base_provider_type`. */
const DIALECTS: Readonly<Record<string, Spoken>> = { anthropic: "messages", gemini: "gemini", openai: "chat" };

type Members = Readonly<Record<string, unknown>>;

function read(files: readonly FileRead[], { env }: Places, known: Known): Imported | null {
  const [file] = files;
  if (file === undefined) return null;
  const draft = new Draft(known);
  const data = readJson(file.text);
  const fields = draft.fields.source("", data);
  if (data === undefined) {
    fields.left([], "unreadable");
    return draft.done();
  }
  const { providers, governance } = membersOf(data);
  const sellers = new Map<string, Seller>();
  for (const [name, value] of Object.entries(membersOf(providers))) {
    const seller = readProvider(draft, name, membersOf(value), fields.below(["providers", name]), env);
    if (seller !== null) sellers.set(name, seller);
  }
  readVirtualKeys(draft, membersOf(governance), fields.below(["governance"]), sellers, env);
  return providers === undefined && governance === undefined ? null : draft.done();
}

function readProvider(
  draft: Draft,
  name: string,
  provider: Members,
  fields: SourceFields,
  env: Places["env"],
): Seller | null {
  if (CLOUDS.has(name)) {
    fields.left([], "login");
    return null;
  }
  const address = textOf(membersOf(provider["network_config"])["base_url"]);
  const kind = textOf(membersOf(provider["custom_provider_config"])["base_provider_type"]);
  const named = namedProvider(name, draft.known);
  const url = address === null ? null : resolved(address, env);
  const spoken = DIALECTS[kind ?? (named?.provider.id === "anthropic" ? "anthropic" : "")] ?? null;
  const home =
    url !== null
      ? "reason" in url
        ? url
        : homeOf(url.value, spoken, draft.known)
      : named === null || named.baseUrl === null
        ? { reason: "unknown-provider" as const }
        : { provider: named.provider.id, baseUrl: named.baseUrl, changed: false };
  if ("reason" in home) {
    fields.left([], home.reason);
    return null;
  }
  const keys = readKeys(provider["keys"], fields, env);
  const connection = draft.connection({
    name,
    provider: home.provider,
    ...(home.baseUrl === undefined ? {} : { base_url: home.baseUrl }),
    keys: keys.map(({ value }) => value),
  });
  const becomes = `connection "${connection.name}"`;
  for (const { path } of keys) fields.taken(path, becomes);
  if (address !== null) {
    const path = ["network_config", "base_url"];
    if (home.changed) fields.changed(path, becomes, "endpoint");
    else fields.taken(path, becomes);
  }
  if (kind !== null) fields.changed(["custom_provider_config", "base_provider_type"], `provider "${home.provider}"`);
  return connection;
}

/** Those that are in use, the ones of more weight first. */
function readKeys(
  keys: unknown,
  fields: SourceFields,
  env: Places["env"],
): readonly { readonly value: string; readonly path: readonly (string | number)[] }[] {
  const found = itemsOf(keys).flatMap((item, index) => {
    const key = membersOf(item);
    const written = textOf(key["value"]);
    const path = ["keys", index, "value"];
    if (written === null) return [];
    if (key["enabled"] === false) {
      fields.secret(written);
      fields.left(path, "unused");
      return [];
    }
    const value = resolved(written, env);
    if ("reason" in value) {
      fields.left(path, value.reason);
      return [];
    }
    return [{ value: value.value, path, weight: numberOf(key["weight"]) ?? 1 }];
  });
  return found.toSorted((a, b) => b.weight - a.weight);
}

function readVirtualKeys(
  draft: Draft,
  governance: Members,
  fields: SourceFields,
  sellers: ReadonlyMap<string, Seller>,
  env: Places["env"],
): void {
  const budgets = itemsOf(governance["budgets"]).map(membersOf);
  const rates = itemsOf(governance["rate_limits"]).map(membersOf);
  for (const [index, item] of itemsOf(governance["virtual_keys"]).entries()) {
    const key = membersOf(item);
    const own = fields.below(["virtual_keys", index]);
    const written = textOf(key["value"]);
    if (written === null) continue;
    const value = resolved(written, env);
    if ("reason" in value) {
      own.left(["value"], value.reason);
      continue;
    }
    own.secret(value.value);
    const models = modelsOf(draft, key["provider_configs"], sellers);
    const limit = limitOf(budgets, key);
    const rpm = rateOf(rates, key);
    // What cannot be limited here as it is there is not let in.
    if (models === undefined || limit === undefined || rpm === undefined) {
      own.left([], "not-supported");
      continue;
    }
    const name = textOf(key["name"]) ?? `Bifrost ${index + 1}`;
    const added = draft.localKey(value.value, {
      name,
      ...(models === null ? {} : { models: [...models] }),
      ...limit,
      ...(rpm === null ? {} : { rpm }),
      ...(key["is_active"] === false ? { disabled: true } : {}),
    });
    if ("reason" in added) {
      own.left(["value"], added.reason);
      continue;
    }
    const becomes = `key "${added.name}"`;
    for (const field of ["value", "name"]) if (key[field] !== undefined) own.taken([field], becomes);
    for (const field of ["provider_configs", "is_active", "budget_id", "budget", "rate_limit_id", "rate_limit"])
      if (key[field] !== undefined) own.changed([field], becomes);
    markNamed(fields, "budgets", budgets, key, becomes);
    markNamed(fields, "rate_limits", rates, key, becomes);
  }
}

/** The models that a key may use; null: all. Undefined: not to be said in names of models. */
function modelsOf(
  draft: Draft,
  configs: unknown,
  sellers: ReadonlyMap<string, Seller>,
): readonly string[] | null | undefined {
  const parts = itemsOf(configs).map(membersOf);
  if (parts.length === 0) return null;
  const isWhole = (part: Members): boolean => itemsOf(part["allowed_models"]).includes("*");
  const named = new Set(parts.filter(isWhole).map(({ provider }) => provider));
  if ([...sellers.keys()].every((name) => named.has(name))) return null;
  const models: string[] = [];
  for (const part of parts) {
    const seller = sellers.get(textOf(part["provider"]) ?? "");
    if (seller === undefined) continue;
    if (isWhole(part)) return undefined;
    for (const model of itemsOf(part["allowed_models"]))
      if (typeof model === "string") models.push(draft.modelAt(seller, model));
  }
  return models;
}

/** How often a limit starts again here, by how long it holds there. */
const RESETS: Readonly<Record<string, Reset>> = { "1d": "daily", "24h": "daily", "1M": "monthly" };

type Limit = Pick<SetupKey, "limit_usd" | "reset">;

/** Undefined: a budget of another period. */
function limitOf(budgets: readonly Members[], key: Members): Limit | undefined {
  const budget = namedBy(budgets, key, "budget");
  if (budget === null) return {};
  const limit = numberOf(budget["max_limit"]);
  const reset = RESETS[textOf(budget["reset_duration"]) ?? ""];
  return limit === null || limit < 0 || reset === undefined
    ? undefined
    : { limit_usd: Math.min(limit, MOST_USD), reset };
}

/** Requests a minute; null: no limit. Undefined: one that is counted otherwise. */
function rateOf(rates: readonly Members[], key: Members): number | null | undefined {
  const rate = namedBy(rates, key, "rate_limit");
  if (rate === null) return null;
  const most = numberOf(rate["request_max_limit"]);
  if (numberOf(rate["token_max_limit"]) !== null) return undefined;
  if (most === null) return null;
  const isMinute = ["1m", "60s"].includes(textOf(rate["request_reset_duration"]) ?? "");
  return isMinute && Number.isInteger(most) && most >= 1 ? most : undefined;
}

/** What a key names by id, or what names the key. */
function namedBy(all: readonly Members[], key: Members, what: "budget" | "rate_limit"): Members | null {
  const id = textOf(key[`${what}_id`]);
  const inside = key[what];
  const found = all.find((each) => (id !== null && each["id"] === id) || isOf(each, key));
  return found ?? (inside === undefined || inside === null ? null : membersOf(inside));
}

const isOf = (each: Members, key: Members): boolean =>
  each["virtual_key_id"] !== undefined && each["virtual_key_id"] === key["id"];

function markNamed(
  fields: SourceFields,
  list: "budgets" | "rate_limits",
  all: readonly Members[],
  key: Members,
  becomes: string,
): void {
  const id = key[list === "budgets" ? "budget_id" : "rate_limit_id"];
  for (const [index, each] of all.entries())
    if ((id !== undefined && each["id"] === id) || isOf(each, key)) fields.changed([list, index], becomes);
}
