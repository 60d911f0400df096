import { readHome } from "./addresses.ts";
import type { Spoken } from "./addresses.ts";
import type { Seller } from "./chains.ts";
import { SetupBuilder } from "./setup-builder.ts";
import type { SourceFields } from "./fields.ts";
import type { FileRead, RequestedFile, Imported, Importer, Places } from "./importer.ts";
import type { Known } from "./known.ts";
import { findStrictest } from "./limits.ts";
import type { Budget } from "./limits.ts";
import { namedProvider } from "./named-provider.ts";
import { resolveReferences } from "./references.ts";
import { readItems, readMembers, readNumber, readText } from "./values.ts";

/**
 * Bifrost: `config.json` in the folder that it was started with, `~/.config/bifrost` by default. `providers.NAME.keys[]` of
 * `value`, `models`, `weight`; `network_config.base_url`; `governance` with virtual keys, budgets and rate limits
 * (https://docs.getbifrost.ai/quickstart/gateway/setting-up and the repository's examples/configs, read 2026-11-24). The
 * set-up of its pages is in its database, encrypted or not, and is not read.
 */
export const bifrostImporter: Importer = { id: "bifrost", label: "Bifrost", files: readFiles, read };

function readFiles({ home, platform, env, folder }: Places): readonly RequestedFile[] {
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

/** Dialects of a user's own provider: `custom_provider_config.base_provider_type`. */
const DIALECTS: Readonly<Record<string, Spoken>> = { anthropic: "messages", gemini: "gemini", openai: "chat" };

type Members = Readonly<Record<string, unknown>>;

function read(files: readonly FileRead[], { env }: Places, known: Known): Imported | null {
  const [file] = files;
  if (file === undefined) return null;
  const draft = new SetupBuilder(known);
  const { data } = file;
  const fields = draft.fields.source("", data);
  const { providers, governance } = readMembers(data);
  const sellers = new Map<string, Seller>();
  for (const [name, value] of Object.entries(readMembers(providers))) {
    const seller = readProvider(draft, name, readMembers(value), fields.below(["providers", name]), env);
    if (seller !== null) sellers.set(name, seller);
  }
  readVirtualKeys(draft, readMembers(governance), fields.below(["governance"]), sellers, env);
  return providers === undefined && governance === undefined ? null : draft.done();
}

function readProvider(
  draft: SetupBuilder,
  name: string,
  provider: Members,
  fields: SourceFields,
  env: Places["env"],
): Seller | null {
  if (CLOUDS.has(name)) {
    fields.left([], "login");
    return null;
  }
  const own = readText(readMembers(provider["network_config"])["base_url"]);
  // A self-hosted server is configured in its key (`ollama_key_config`, `vllm_key_config`, `sgl_key_config`).
  const inKey = readItems(provider["keys"]).map((key) =>
    readText(readMembers(readMembers(key)[`${name}_key_config`])["url"]),
  );
  const at = own === null ? inKey.findIndex((url) => url !== null) : -1;
  const address = own ?? inKey[at] ?? null;
  const kind = readText(readMembers(provider["custom_provider_config"])["base_provider_type"]);
  const named = namedProvider(name, draft.known);
  const url = address === null ? null : resolveReferences(address, env);
  const spoken = DIALECTS[kind ?? (named?.provider.id === "anthropic" ? "anthropic" : "")] ?? null;
  const home =
    url !== null
      ? "reason" in url
        ? url
        : readHome(readEndpoint(provider, url.value, spoken), spoken, draft.known)
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
    home,
    keys: keys.map(({ value }) => value),
  });
  const becomes = `connection "${connection.name}"`;
  for (const { path } of keys) fields.recordTaken(path, becomes);
  if (address !== null) {
    const path = own === null ? ["keys", at, `${name}_key_config`, "url"] : ["network_config", "base_url"];
    fields.endpoint(path, becomes, home);
  }
  if (kind !== null) fields.noteChange(["custom_provider_config", "base_provider_type"], `provider "${home.provider}"`);
  return connection;
}

/**
 * The address at which Bifrost asks for chats: `/v1/chat/completions` after the base URL, or the path of `request_path_overrides`
 * (https://docs.getbifrost.ai/providers/custom-providers, read 2026-11-29).
 */
function readEndpoint(provider: Members, address: string, spoken: Spoken): string {
  const overrides = readMembers(readMembers(provider["custom_provider_config"])["request_path_overrides"]);
  const path = readText(overrides["chat_completion"]);
  const base = address.replace(/(?<!\/)\/+$/, "");
  if (path?.includes("://") === true) return path;
  if (path !== null) return `${base}/${path.replace(/^\/+/, "")}`;
  const isVersioned = /:\/\/[^/]+(\/.*)?\/v\d/.test(base) || !/:\/\/[^/]+\//.test(base);
  return (spoken ?? "chat") === "chat" && !isVersioned ? `${base}/v1` : address;
}

/** Reads the keys in use, the ones of more weight first. */
function readKeys(
  keys: unknown,
  fields: SourceFields,
  env: Places["env"],
): readonly { readonly value: string; readonly path: readonly (string | number)[] }[] {
  const found = readItems(keys).flatMap((item, index) => {
    const key = readMembers(item);
    const written = readText(key["value"]);
    const path = ["keys", index, "value"];
    if (written === null) return [];
    if (key["enabled"] === false) {
      fields.secret(written);
      fields.left(path, "unused");
      return [];
    }
    const value = resolveReferences(written, env);
    if ("reason" in value) {
      fields.left(path, value.reason);
      return [];
    }
    return [{ value: value.value, path, weight: readNumber(key["weight"]) ?? 1 }];
  });
  return found.toSorted((a, b) => b.weight - a.weight);
}

function readVirtualKeys(
  draft: SetupBuilder,
  governance: Members,
  fields: SourceFields,
  sellers: ReadonlyMap<string, Seller>,
  env: Places["env"],
): void {
  for (const [index, item] of readItems(governance["virtual_keys"]).entries()) {
    const key = readMembers(item);
    const own = fields.below(["virtual_keys", index]);
    const written = readText(key["value"]);
    if (written === null) continue;
    const value = resolveReferences(written, env);
    if ("reason" in value) {
      own.left(["value"], value.reason);
      continue;
    }
    own.secret(value.value);
    const models = readModels(draft, key["provider_configs"], sellers);
    const limits = readLimits(governance, key);
    const limit = limits === undefined ? undefined : findStrictest(limits.budgets);
    const rpm = limits === undefined ? undefined : readRate(limits.rates);
    // Keys whose limits Postern cannot apply are not imported.
    if (models === undefined || limit === undefined || rpm === undefined) {
      own.left([], "not-supported");
      continue;
    }
    const name = readText(key["name"]) ?? `Bifrost ${index + 1}`;
    const added = draft.localKey(value.value, {
      name,
      models: [...models],
      ...limit,
      ...(rpm === null ? {} : { rpm }),
      ...(key["is_active"] === false ? { disabled: true } : {}),
    });
    if ("reason" in added) {
      own.left(["value"], added.reason);
      continue;
    }
    const becomes = `key "${added.name}"`;
    for (const field of ["value", "name"]) if (key[field] !== undefined) own.recordTaken([field], becomes);
    for (const field of ["provider_configs", "is_active", ...LIMITS])
      if (key[field] !== undefined) own.noteChange([field], becomes);
    for (const [list, at] of limits?.places ?? []) fields.noteChange([list, at], becomes);
  }
}

/**
 * Returns the models that a key may use. A provider's `*` means all of its current models: without a list, the key
 * could use other connections, too. Undefined if no list exists.
 */
function readModels(
  draft: SetupBuilder,
  configs: unknown,
  sellers: ReadonlyMap<string, Seller>,
): readonly string[] | undefined {
  const parts = readItems(configs).map(readMembers);
  const models = new Set<string>();
  for (const part of parts) {
    const seller = sellers.get(readText(part["provider"]) ?? "");
    if (seller === undefined) continue;
    const allowed = readItems(part["allowed_models"]);
    const isWhole = allowed.includes("*");
    const own = isWhole ? draft.known.ownModels(seller.provider) : allowed;
    if (isWhole && own.length === 0) return undefined;
    for (const model of own) if (typeof model === "string") models.add(draft.nameModel(seller, model));
  }
  // A key without any may use nothing (https://docs.getbifrost.ai/deployment-guides/config-json/governance, 2026-11-29).
  return models.size === 0 || models.size > MOST_MODELS ? undefined : [...models];
}

/** Max models of a key. */
const MOST_MODELS = 500;

const LIMITS = [
  "budget",
  "budget_id",
  "budgets",
  "rate_limit",
  "rate_limit_id",
  "rate_limit_ids",
  "team_id",
  "customer_id",
];

interface Limits {
  readonly budgets: Budget[];
  readonly rates: Members[];
  /** Places of the limits in the lists of `governance`. */
  readonly places: (readonly [list: "budgets" | "rate_limits", index: number])[];
}

/**
 * Reads all limits of a key: its own and those of its providers, models, team and customer, which apply together
 * (https://docs.getbifrost.ai/features/governance/budget-and-limits, read 2026-11-29).
 * @returns undefined if one is missing or shared with another key
 */
function readLimits(governance: Members, key: Members): Limits | undefined {
  const keys = readItems(governance["virtual_keys"]).map(readMembers);
  const named = (list: string, id: unknown): Members | undefined =>
    readItems(governance[list])
      .map(readMembers)
      .find((each) => id !== undefined && each["id"] === id);
  const teamOf = (one: Members): Members | undefined => named("teams", one["team_id"]);
  const customerOf = (one: Members): unknown => one["customer_id"] ?? teamOf(one)?.["customer_id"];
  const [team, customer] = [teamOf(key), named("customers", customerOf(key))];
  const isMissing = (id: unknown, found: Members | undefined): boolean => id != null && found === undefined;
  if (isMissing(key["team_id"], team) || isMissing(customerOf(key), customer)) return undefined;
  const isShared = (is: (other: Members) => boolean): boolean => keys.filter(is).length > 1;
  const models = readItems(governance["model_configs"])
    .map(readMembers)
    .filter((config) => config["scope"] !== "virtual_key" || config["scope_id"] === key["id"]);
  const owners = [
    { kind: "virtual_key_id", owner: key, isShared: false },
    ...readItems(key["provider_configs"]).map((owner) => ({
      kind: "provider_config_id",
      owner: readMembers(owner),
      isShared: false,
    })),
    ...models.map((owner) => ({
      kind: "model_config_id",
      owner,
      isShared: owner["scope"] !== "virtual_key" && keys.length > 1,
    })),
    { kind: "team_id", owner: team ?? {}, isShared: isShared((other) => other["team_id"] === key["team_id"]) },
    {
      kind: "customer_id",
      owner: customer ?? {},
      isShared: isShared((other) => customerOf(other) === customerOf(key)),
    },
  ];
  const limits: Limits = { budgets: [], rates: [], places: [] };
  for (const { kind, owner, isShared: hasOthers } of owners)
    for (const [what, list] of [
      ["budget", "budgets"],
      ["rate_limit", "rate_limits"],
    ] as const) {
      const ids = [owner[`${what}_id`], ...readItems(owner[`${what}_ids`])].filter((id) => id != null);
      const all = readItems(governance[list]).map(readMembers);
      const found = all.flatMap((limit, at) => {
        const isIts =
          ids.some((id) => id === limit["id"]) || (owner["id"] !== undefined && limit[kind] === owner["id"]);
        return isIts ? [{ limit, at }] : [];
      });
      if (ids.some((id) => !found.some(({ limit }) => limit["id"] === id))) return undefined;
      const inside = [owner[what], ...readItems(owner[list])].filter((one) => one != null).map(readMembers);
      const both = [...found.map(({ limit }) => limit), ...inside];
      if (hasOthers && both.length > 0) return undefined;
      for (const { at } of found) limits.places.push([list, at]);
      if (what === "rate_limit") limits.rates.push(...both);
      else
        limits.budgets.push(
          ...both.map((one) => ({ usd: readNumber(one["max_limit"]), period: readText(one["reset_duration"]) })),
        );
    }
  return limits;
}

/** Requests per minute; null: no limit. Undefined: the limit is in another unit. */
function readRate(rates: readonly Members[]): number | null | undefined {
  const all = rates.map((rate) => {
    const most = readNumber(rate["request_max_limit"]);
    if (readNumber(rate["token_max_limit"]) !== null) return undefined;
    if (most === null) return null;
    const isMinute = ["1m", "60s"].includes(readText(rate["request_reset_duration"]) ?? "");
    return isMinute && Number.isInteger(most) && most >= 1 ? most : undefined;
  });
  if (all.includes(undefined)) return undefined;
  const most = Math.min(...all.flatMap((one) => one ?? []));
  return most === Number.POSITIVE_INFINITY ? null : most;
}
