import { decryptText, keyFromPassword } from "../../../lib/aes-gcm.ts";
import { parseDotenv } from "../../../lib/dotenv.ts";
import { folderFrom, joinPath } from "../../clients/place.ts";
import { readJson } from "../documents.ts";
import { SetupBuilder } from "../setup-builder.ts";
import type { SourceFields } from "../fields.ts";
import type { FileRead, RequestedFile, Imported, Importer, Places, Row } from "../importer.ts";
import type { Known } from "../known.ts";
import { findStrictest } from "../limits.ts";
import { isOn, readItems, readMembers, readNumber, readText } from "../values.ts";
import { addAccounts, modelNamed } from "./accounts.ts";
import type { Account, Builtin, Node, Reached } from "./accounts.ts";
import { addChains, addPrices, listNamedModels, findSteps } from "./chains.ts";
import type { Combo } from "./chains.ts";
import { chooseDialect } from "./9router.ts";

/**
 * OmniRoute (https://github.com/diegosouzapw/OmniRoute): `storage.sqlite`, whose keys may be encrypted with
 * STORAGE_ENCRYPTION_KEY of its environment or of `server.env` and `.env` next to it. Tables (src/lib/db/migrations),
 * registry of providers and encryption as in 3.7.9, read on 2026-11-24.
 */
export const omniRouteImporter: Importer = { id: "omniroute", label: "OmniRoute", files, read };

const TABLES = [
  "provider_connections",
  "provider_nodes",
  "combos",
  "api_keys",
  "key_value",
  "domain_budgets",
  "model_combo_mappings",
] as const;

function files(places: Places): readonly RequestedFile[] {
  const { folder, home, platform, env } = places;
  const below = (...parts: readonly string[]): string => joinPath(places, ...parts);
  // Same as `resolveDataDir` of scripts/sync-env.mjs.
  const usual =
    platform === "win32"
      ? [below(env["APPDATA"] ?? below(home, "AppData", "Roaming"), "omniroute")]
      : [folderFrom(places, "XDG_CONFIG_HOME"), null].map((base) =>
          base === null ? below(home, ".omniroute") : below(base, "omniroute"),
        );
  const named = folderFrom(places, "DATA_DIR");
  const where = folder === null ? [...new Set([...(named === null ? [] : [named]), ...usual])] : [folder];
  return where.flatMap((each) => [
    { path: below(each, "storage.sqlite"), tables: TABLES },
    { path: below(each, "server.env") },
    { path: below(each, ".env") },
  ]);
}

type Members = Readonly<Record<string, unknown>>;

function read(found: readonly FileRead[], places: Places, known: Known): Imported | null {
  const file = found.find(({ tables }) => Object.hasOwn(tables, "provider_connections"));
  if (file === undefined) return null;
  const draft = new SetupBuilder(known);
  const opener = readOpener(found, places);
  const { tables, otherTables } = file;
  const connections = (tables["provider_connections"] ?? []).map((row) => ({
    ...row,
    provider_specific_data: parseColumn(row["provider_specific_data"]),
  }));
  const combos = (tables["combos"] ?? []).map((row) => ({ ...row, data: parseColumn(row["data"]) }));
  const values = new Map<string, Record<string, unknown>>();
  for (const { namespace, key, value } of tables["key_value"] ?? []) {
    const own = values.get(String(namespace)) ?? {};
    values.set(String(namespace), { ...own, [String(key)]: parseColumn(value) });
  }
  const keys = (tables["api_keys"] ?? []).map((row) => ({
    ...row,
    allowed_models: parseColumn(row["allowed_models"]),
  }));
  const budgets = tables["domain_budgets"] ?? [];
  const key_value: Members = Object.fromEntries(values);
  const fields = draft.fields.source("", {
    provider_connections: connections,
    provider_nodes: tables["provider_nodes"] ?? [],
    combos,
    key_value,
    api_keys: keys,
    domain_budgets: budgets,
    model_combo_mappings: tables["model_combo_mappings"] ?? [],
    ...otherTables,
  });
  const nodes = (tables["provider_nodes"] ?? []).flatMap(
    (row, index) => readNode(row, fields.below(["provider_nodes", index])) ?? [],
  );
  const accounts = connections.flatMap(
    (row, index) => readAccount(row, fields.below(["provider_connections", index]), opener) ?? [],
  );
  const chains = combos.flatMap((row, index) => readCombo(row, fields.below(["combos", index])) ?? []);
  const aliases = { data: key_value["modelAliases"], fields: fields.below(["key_value", "modelAliases"]) };
  const reached = addAccounts(draft, accounts, {
    nodes,
    builtin: BUILTIN,
    aliases: ALIASES,
    named: listNamedModels(chains, aliases),
  });
  addChains(draft, chains, aliases, reached);
  addPrices(draft, key_value["pricing"], fields.below(["key_value", "pricing"]), reached);
  for (const namespace of values.keys())
    if (namespace !== "modelAliases" && namespace !== "pricing") fields.left(["key_value", namespace], "not-supported");
  addKeys(draft, { keys, budgets, fields, reached });
  return draft.done();
}

function parseColumn(value: Row[string] | undefined): unknown {
  return typeof value === "string" ? (readJson(value) ?? value) : value;
}

/** Opens a column; returns null if it is encrypted and cannot be opened. */
type Opener = (value: string) => string | null;

function readAccount(row: Members, fields: SourceFields, opener: Opener): Account | null {
  const provider = readText(row["provider"]);
  if (provider === null) return null;
  const stored = readText(row["api_key"]);
  return {
    provider,
    authType: readText(row["auth_type"]) ?? "oauth",
    isActive: row["is_active"] === null || isOn(row["is_active"]),
    priority: readNumber(row["priority"]) ?? 999,
    key: stored === null ? null : opener(stored),
    baseUrl: readText(readMembers(row["provider_specific_data"])["baseUrl"]),
    fields,
    keyPath: ["api_key"],
  };
}

function readNode(row: Members, fields: SourceFields): Node | null {
  const id = readText(row["id"]);
  const baseUrl = readText(row["base_url"]);
  if (id === null || baseUrl === null) return null;
  return {
    id,
    name: readText(row["name"]) ?? id,
    prefix: readText(row["prefix"]),
    spoken: chooseDialect(row["type"], row["api_type"]),
    baseUrl,
    fields,
  };
}

function readCombo(row: Members, fields: SourceFields): Combo | null {
  const data = readMembers(row["data"]);
  const name = readText(row["name"]) ?? readText(data["name"]);
  if (name === null) return null;
  const strategy = readText(data["strategy"]) ?? "priority";
  return {
    name,
    steps: findSteps(data["models"], ["data", "models"]),
    isActive: data["isActive"] !== false,
    isOrdered: strategy === "priority",
    fields,
  };
}

interface Keys {
  readonly keys: readonly Members[];
  readonly budgets: readonly Members[];
  readonly fields: SourceFields;
  readonly reached: readonly Reached[];
}

/**
 * Keys with a limit that Postern has not are left: they would be able to do more here. A day's budget or a month's is
 * one that it has, not both.
 */
function addKeys(draft: SetupBuilder, { keys, budgets, fields, reached }: Keys): void {
  for (const [index, row] of keys.entries()) {
    const own = fields.below(["api_keys", index]);
    const secret = readText(row["key"]);
    if (secret === null) continue;
    own.secret(secret);
    const isIts = (each: Members): boolean => each["api_key_id"] === row["id"];
    const limit = readLimit(budgets.filter(isIts));
    const models = readModels(draft, row["allowed_models"], reached);
    const until = readText(row["expires_at"]);
    const expires = Date.parse(until ?? "");
    const isEndless = until !== null && Number.isNaN(expires);
    if (limit === undefined || isEndless || models === null || UNLIKE.some((name) => isSet(row[name]))) {
      own.left([], "not-supported");
      continue;
    }
    const rpm = readNumber(row["max_requests_per_minute"]) ?? 0;
    const isOff = (row["is_active"] !== undefined && !isOn(row["is_active"])) || readText(row["revoked_at"]) !== null;
    const added = draft.localKey(secret, {
      name: readText(row["name"]) ?? "OmniRoute",
      ...limit,
      ...(models.length === 0 ? {} : { models: [...models] }),
      ...(rpm >= 1 && rpm <= 1_000_000 ? { rpm: Math.floor(rpm) } : {}),
      ...(expires > 0 ? { expires_at: expires } : {}),
      ...(isOff ? { disabled: true } : {}),
    });
    if ("reason" in added) {
      own.left([], added.reason);
      continue;
    }
    own.recordTaken([], `key "${added.name}"`);
    for (const [at, budget] of budgets.entries())
      if (isIts(budget)) fields.recordTaken(["domain_budgets", at], `limit of key "${added.name}"`);
  }
}

/** Limits of keys that Postern has nothing like. */
const UNLIKE = [
  "ip_allowlist",
  "access_schedule",
  "max_requests_per_day",
  "max_sessions",
  "allowed_connections",
] as const;

function isSet(value: unknown): boolean {
  const text = typeof value === "string" ? value.trim() : value;
  return text !== undefined && text !== null && text !== "" && text !== "[]" && text !== "{}" && text !== 0;
}

const PERIODS: Readonly<Record<string, string>> = { daily_limit_usd: "1d", monthly_limit_usd: "1M" };

/** @returns undefined if a budget has an unsupported period, or none of them covers the others */
function readLimit(budgets: readonly Members[]): ReturnType<typeof findStrictest> {
  const limits = budgets.flatMap((budget) =>
    Object.entries(budget).flatMap(([name, value]) => {
      const usd = name.endsWith("_limit_usd") ? (readNumber(value) ?? 0) : 0;
      return usd > 0 ? [{ usd, period: PERIODS[name] ?? null }] : [];
    }),
  );
  return findStrictest(limits);
}

/** @returns none: every model is allowed; null: an allowed model is unknown here */
function readModels(draft: SetupBuilder, allowed: unknown, reached: readonly Reached[]): readonly string[] | null {
  const names = readItems(allowed).flatMap((item) => readText(item) ?? []);
  const models = names.map((name) => modelNamed(draft, reached, name));
  return models.some((model) => model === null || model.length > 200) || models.length > 500
    ? null
    : models.flatMap((model) => model ?? []);
}

/** AES-256-GCM by a key from scrypt, as `enc:v1:<iv>:<text>:<tag>` in hex. */
const ENCRYPTED = /^enc:v1:([\da-f]{32}):([\da-f]*):([\da-f]{32})$/i;
const SALT = "omniroute-field-encryption-v1";

function readOpener(found: readonly FileRead[], { env }: Places): Opener {
  const files = found.flatMap(({ path, text }) => (path.endsWith(".env") ? [parseDotenv(text)] : []));
  const passwords = [env, ...files].flatMap(({ STORAGE_ENCRYPTION_KEY: each }) =>
    each === undefined || each.trim() === "" ? [] : [each],
  );
  let keys: readonly Buffer[] | null = null;
  return (value) => {
    if (!value.startsWith("enc:")) return value;
    keys ??= [...new Set(passwords)].slice(0, 3).map((password) => keyFromPassword(password, SALT));
    return keys.flatMap((key) => decryptValue(value, key) ?? [])[0] ?? null;
  };
}

function decryptValue(value: string, key: Buffer): string | null {
  const [, iv, text, tag] = ENCRYPTED.exec(value) ?? [];
  return iv === undefined || text === undefined || tag === undefined ? null : decryptText(iv, text, tag, key);
}

/** Providers with another address than usual, by its registry. */
const BUILTIN: Builtin = {
  agentrouter: ["https://agentrouter.org", "messages"],
  alicode: ["https://coding.{dashscope-cn}/v1", "chat"],
  "alicode-intl": ["https://coding-intl.{dashscope-cn}/v1", "chat"],
  "bailian-coding-plan": ["https://coding-intl.{dashscope-cn}/apps/anthropic", "messages"],
  glm: ["https://api.z.ai/api/anthropic", "messages"],
  "glm-cn": ["https://open.bigmodel.cn/api/coding/paas/v4", "chat"],
  glmt: ["https://api.z.ai/api/anthropic", "messages"],
  "kimi-coding-apikey": ["https://api.kimi.com/coding", "messages"],
  minimax: ["https://api.minimax.io/anthropic", "messages"],
  "minimax-cn": ["https://api.minimaxi.com/anthropic", "messages"],
  zai: ["https://api.z.ai/api/anthropic", "messages"],
};

const ALIASES: Readonly<Record<string, string>> = {
  ali: "alibaba",
  aiml: "aimlapi",
  bb: "blackbox",
  bcp: "bailian-coding-plan",
  ds: "deepseek",
  featherless: "featherless-ai",
  friendli: "friendliai",
  hf: "huggingface",
  hyp: "hyperbolic",
  inet: "inference-net",
  kmca: "kimi-coding-apikey",
  lambda: "lambda-ai",
  lc: "longcat",
  meta: "meta-llama",
  mimo: "xiaomi-mimo",
  nous: "nous-research",
  ollamacloud: "ollama-cloud",
  ovh: "ovhcloud",
  pplx: "perplexity",
  samba: "sambanova",
  scw: "scaleway",
  v0: "v0-vercel",
  vag: "vercel-ai-gateway",
};
