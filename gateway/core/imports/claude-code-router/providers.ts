import type { SetupPrice } from "../../../contract/setup.ts";
import { readHome } from "../addresses.ts";
import type { Found, Spoken } from "../addresses.ts";
import type { Seller } from "../chains.ts";
import type { SetupBuilder } from "../setup-builder.ts";
import type { SourceFields } from "../fields.ts";
import { resolveReferences, withVariables } from "../references.ts";
import { firstText, readItems, readMembers, readNumber, readText } from "../values.ts";

/**
 * `Providers` of Claude Code Router. Versions 1 and 2: `name`, `api_base_url`, `api_key`, `models`, `transformer`
 * (https://github.com/musistudio/claude-code-router/tree/v2.0.0#providers). Version 3 has further spellings and fields
 * (packages/core/src/config/config.ts, `parseProviders`, read at 1347c86 on 2026-11-24).
 */

/** A provider of the router that has become a connection. */
export interface Provider {
  /** Index in `Providers`. */
  readonly index: number;
  /** Names in the router, in lower case. */
  readonly names: readonly string[];
  readonly models: readonly string[];
  readonly seller: Seller;
}

export interface ProviderSource {
  readonly providers: unknown;
  readonly fields: SourceFields;
  /** The environment; null if the router resolves no variables (version 3). */
  readonly env: Readonly<Record<string, string | undefined>> | null;
  /** The router's own port. */
  readonly port: string | null;
}

const ADDRESSES = ["api_base_url", "baseUrl", "baseurl"] as const;
const KEYS = ["api_key", "apiKey", "apikey"] as const;
const CREDENTIAL_KEYS = ["api_key", "apiKey", "apikey", "key", "token"] as const;

/** The value that replaces a key in version 3 if it uses the login of another program (agents/local-providers). */
const LOGIN = "ccr-local-agent-login";

/** Ways to reach a model that Postern has not: a cloud's own login, and the logins of other programs. */
const LOGINS: ReadonlySet<string> = new Set([
  "gemini-cli",
  "qwen-cli",
  "rovo-cli",
  "vertex-gemini",
  "vertex-claude",
  "vertex-openai",
]);

/** Transformers that do what Postern does for every provider of that kind. */
const USUAL: ReadonlySet<string> = new Set([
  "anthropic",
  "cerebras",
  "cleancache",
  "deepseek",
  "gemini",
  "groq",
  "openai",
  "openai-responses",
  "openrouter",
  "reasoning",
  "streamoptions",
  "vercel",
]);

/** Adds a connection for each provider that has an address. */
export function readProviders(
  draft: SetupBuilder,
  { providers, fields, env, port }: ProviderSource,
): readonly Provider[] {
  for (const item of readItems(providers)) draft.sells(readMembers(item)["name"], readModels(readMembers(item)));
  return readItems(providers).flatMap((item, index) => {
    const found = readProvider(draft, readMembers(item), fields.below([index]), { env, port });
    return found === null ? [] : [{ index, ...found }];
  });
}

function readProvider(
  draft: SetupBuilder,
  provider: Readonly<Record<string, unknown>>,
  fields: SourceFields,
  { env, port }: Pick<ProviderSource, "env" | "port">,
): Omit<Provider, "index"> | null {
  const transformers = readTransformers(provider["transformer"]);
  for (const { name, text } of findKeys(provider)) {
    fields.secret(text);
    if (text === LOGIN) fields.left([name], "login");
  }
  const isLogin = findKeys(provider).some(({ text }) => text === LOGIN) || transformers.some((use) => LOGINS.has(use));
  if (isLogin) fields.left([], "login");
  if (isLogin) return null;

  const addresses = findAddresses(provider, transformers).map(({ path, text, spoken }) => {
    const url = env === null ? text : withVariables(text, env);
    const own = port === null ? [] : [port];
    const home: Found = url === null ? { reason: "secret-missing" } : readHome(url, spoken, draft.known, own);
    return { path, spoken, home };
  });
  const [best] = addresses.toSorted((a, b) => readRank(a) - readRank(b));
  if (best === undefined) return null;
  const { home } = best;
  if ("reason" in home) {
    fields.left([], home.reason);
    return null;
  }
  const keys = readKeys(provider, fields, env);
  const connection = draft.connection({
    name: provider["name"],
    otherwise: new URL(home.baseUrl ?? "http://provider").hostname,
    home,
    keys: keys.map(({ key }) => key),
    ...(provider["enabled"] === false ? { enabled: false } : {}),
  });
  const becomes = `connection "${connection.name}"`;
  for (const { path } of keys) fields.recordTaken(path, becomes);
  if (provider["id"] !== undefined) fields.recordTaken(["id"], becomes);
  if (connection.name === provider["name"]) fields.recordTaken(["name"], becomes);
  else fields.noteChange(["name"], becomes, "renamed");
  for (const { path } of addresses) fields.left(path, "unused");
  fields.endpoint(best.path, becomes, home);
  if (provider["enabled"] !== undefined) fields.recordTaken(["enabled"], becomes);
  for (const name of ["type", "protocol"])
    if (provider[name] !== undefined) fields.noteChange([name], `provider "${home.provider}"`);
  markTransformers(provider["transformer"], fields.below(["transformer"]));
  return {
    names: ["name", "id", "provider"].flatMap((name) => readText(provider[name])?.toLowerCase() ?? []),
    models: readModels(provider),
    seller: connection,
  };
}

const readModels = (provider: Readonly<Record<string, unknown>>): readonly string[] =>
  readItems(provider["models"]).flatMap((model) => readText(model) ?? []);

/** The keys of a provider: its own first, then those of its pool by priority. */
function readKeys(
  provider: Readonly<Record<string, unknown>>,
  fields: SourceFields,
  env: ProviderSource["env"],
): readonly { readonly key: string; readonly path: readonly (string | number)[] }[] {
  const found = findKeys(provider).map(({ name, text }) => ({ text, path: [name] as (string | number)[], order: -1 }));
  for (const pool of ["credentials", "keys", "apiKeys"]) {
    for (const [index, item] of readItems(provider[pool]).entries()) {
      const credential = readMembers(item);
      const key = firstText(credential, CREDENTIAL_KEYS);
      if (key === null) continue;
      fields.secret(key.text);
      if (credential["enabled"] === false) fields.left([pool, index], "unused");
      else
        found.push({ text: key.text, path: [pool, index, key.name], order: readNumber(credential["priority"]) ?? 0 });
    }
  }
  return found
    .toSorted((a, b) => a.order - b.order)
    .flatMap(({ text, path }) => {
      const key = env === null ? { value: text } : resolveReferences(text, env, true);
      if ("value" in key) return [{ key: key.value, path }];
      fields.left(path, key.reason);
      return [];
    });
}

function findKeys(provider: Readonly<Record<string, unknown>>): readonly { name: string; text: string }[] {
  return KEYS.flatMap((name) => firstText(provider, [name]) ?? []);
}

/** Marks models and their prices; ask when all connections are there. */
export function markModels(draft: SetupBuilder, raw: unknown, fields: SourceFields, { seller }: Provider): void {
  const provider = readMembers(raw);
  for (const [index, model] of readItems(provider["models"]).entries()) {
    const id = readText(model);
    if (id !== null) fields.recordTaken(["models", index], `model "${draft.nameModel(seller, id)}"`);
  }
  for (const name of ["modelMetadata", "model_metadata"]) {
    for (const [model, metadata] of Object.entries(readMembers(provider[name]))) {
      const pricing = readMembers(readMembers(metadata)["pricing"]);
      const id = draft.nameModel(seller, model);
      if (draft.price(id, readPrices(pricing))) fields.recordTaken([name, model, "pricing"], `price of "${id}"`);
    }
  }
}

/** USD per million tokens, as here. */
function readPrices(pricing: Readonly<Record<string, unknown>>): SetupPrice {
  const rate = (...names: string[]): number | null => {
    for (const name of names) {
      const value = readNumber(pricing[name]);
      if (value !== null) return value;
    }
    return null;
  };
  const rates = {
    input: rate("inputUsdPerMillionTokens", "input_usd_per_million_tokens"),
    output: rate("outputUsdPerMillionTokens", "output_usd_per_million_tokens"),
    cached_input: rate("cacheReadUsdPerMillionTokens", "cache_read_usd_per_million_tokens"),
    cache_write: rate(
      "cacheWrite5mUsdPerMillionTokens",
      "cache_write_5m_usd_per_million_tokens",
      "cacheWriteUsdPerMillionTokens",
      "cache_write_usd_per_million_tokens",
    ),
  };
  return Object.fromEntries(Object.entries(rates).filter(([, value]) => value !== null));
}

/** Names of the transformers of a provider, without those of single models. */
function readTransformers(transformer: unknown): readonly string[] {
  return readItems(readMembers(transformer)["use"]).flatMap((use) => nameOfUse(use)?.toLowerCase() ?? []);
}

/** `"maxtoken"`, or `["maxtoken", {…}]`. */
const nameOfUse = (use: unknown): string | null => readText(Array.isArray(use) ? use[0] : use);

function markTransformers(transformer: unknown, fields: SourceFields): void {
  const mark = (uses: unknown, below: SourceFields): void => {
    for (const [index, use] of readItems(uses).entries()) {
      const isUsual = typeof use === "string" && USUAL.has(use.trim().toLowerCase());
      below.left(["use", index], isUsual ? "default" : "not-supported");
    }
  };
  mark(readMembers(transformer)["use"], fields);
  for (const [model, own] of Object.entries(readMembers(transformer)))
    if (model !== "use") mark(readMembers(own)["use"], fields.below([model]));
}

interface Address {
  readonly path: readonly (string | number)[];
  readonly text: string;
  readonly spoken: Spoken;
}

/**
 * Reads a provider's addresses. Versions 1 and 2 state its dialect by a transformer, version 3 by the detected capabilities,
 * each with an address.
 */
function findAddresses(
  provider: Readonly<Record<string, unknown>>,
  transformers: readonly string[],
): readonly Address[] {
  const main = firstText(provider, ADDRESSES);
  const spoken = transformers.flatMap((use) => BY_TRANSFORMER.get(use) ?? [])[0] ?? null;
  const declared = readDialect(provider["protocol"]) ?? readDialect(provider["type"]);
  const capabilities = readItems(provider["capabilities"]).flatMap((item, index): readonly Address[] => {
    const capability = readMembers(item);
    const address = firstText(capability, ADDRESSES);
    const dialect = readDialect(capability["type"]) ?? readDialect(capability["protocol"]);
    if (address === null || dialect === null) return [];
    return [{ path: ["capabilities", index, address.name], text: address.text, spoken: dialect }];
  });
  if (main === null) return capabilities;
  return [...capabilities, { path: [main.name], text: main.text, spoken: spoken ?? declared }];
}

/** Ranks a provider's own API first; else Claude Code's dialect, whose program this is. */
function readRank({ spoken, home }: { readonly spoken: Spoken; readonly home: Found }): number {
  if ("reason" in home) return 9;
  if (home.baseUrl === undefined) return 0;
  return ["messages", "chat", null, "responses", "gemini"].indexOf(spoken) + 1;
}

const BY_TRANSFORMER: ReadonlyMap<string, Spoken> = new Map([
  ["gemini", "gemini"],
  ["anthropic", "messages"],
  ["openai-responses", "responses"],
]);

function readDialect(name: unknown): Spoken {
  const text = readText(name)?.toLowerCase() ?? "";
  return DIALECTS.find(([start]) => text.startsWith(start))?.[1] ?? null;
}

/** Dialects by version 3's names and short forms. Images and videos are not chat dialects. */
const DIALECTS: readonly (readonly [string, Spoken])[] = [
  ["anthropic", "messages"],
  ["openai_chat", "chat"],
  ["openai_image", null],
  ["openai_video", null],
  ["openai", "responses"],
  ["gemini_generate", "gemini"],
];
