import { readHome } from "../addresses.ts";
import type { Found, Spoken } from "../addresses.ts";
import type { Seller } from "../chains.ts";
import type { SetupBuilder } from "../setup-builder.ts";
import type { SourceFields } from "../fields.ts";
import type { Known } from "../known.ts";
import { namedProvider } from "../named-provider.ts";

/** A provider account, as stored by 9router and its fork OmniRoute. */
export interface Account {
  /** The provider's id, or that of a node. */
  readonly provider: string;
  readonly authType: string;
  readonly isActive: boolean;
  readonly priority: number;
  /** Null if it has no readable key. */
  readonly key: string | null;
  /** Custom address; null without one. */
  readonly baseUrl: string | null;
  readonly fields: SourceFields;
  /** Path of the key's field, within `fields`. */
  readonly keyPath: readonly string[];
}

/** A server that the user has added. */
export interface Node {
  readonly id: string;
  readonly name: string;
  /** Prefix of its models. */
  readonly prefix: string | null;
  readonly spoken: Spoken;
  readonly baseUrl: string;
  readonly fields: SourceFields;
}

/** A provider with the connection that it has become. */
export interface Reached {
  /** Prefixes of its models. */
  readonly names: readonly string[];
  readonly seller: Seller;
}

/** The addresses that differ between a program and the others. `{…}` is the host of a preset. */
export type Builtin = Readonly<Record<string, readonly [address: string, spoken: Spoken]>>;

export interface AccountContext {
  readonly nodes: readonly Node[];
  readonly builtin: Builtin;
  /** Other names of providers in front of models (`ds/deepseek-chat`). */
  readonly aliases: Readonly<Record<string, string>>;
  /** Models that are named anywhere, as `provider/model`. */
  readonly named: readonly string[];
}

/** Providers that are search services. */
const SEARCH: Readonly<Record<string, "brave" | "tavily" | "exa">> = {
  brave: "brave",
  "brave-search": "brave",
  tavily: "tavily",
  "tavily-search": "tavily",
  exa: "exa",
  "exa-search": "exa",
};

/** Adds a connection for each provider, with the keys of its accounts in their order. */
export function addAccounts(
  draft: SetupBuilder,
  accounts: readonly Account[],
  context: AccountContext,
): readonly Reached[] {
  const usable = accounts.filter((account) => isUsable(draft, account));
  const groups = [...Map.groupBy(usable, ({ provider }) => provider)];
  for (const [provider] of groups) draft.sells(readLabel(provider, context), listModels(provider, context));
  return groups.flatMap(([provider, own]) => {
    const node = context.nodes.find(({ id }) => id === provider);
    // Accounts of one provider may have different base URLs.
    return [...Map.groupBy(own, ({ baseUrl }) => baseUrl ?? "")].flatMap(([, together]) => {
      const ordered = together.toSorted((a, b) => a.priority - b.priority);
      const home = readPlace(provider, ordered[0]?.baseUrl ?? null, node, draft.known, context);
      if ("reason" in home) {
        for (const { fields } of together) fields.left([], home.reason);
        return [];
      }
      const seller = draft.connection({
        name: readLabel(provider, context),
        home,
        keys: ordered.flatMap(({ key }) => key ?? []),
      });
      const becomes = `connection "${seller.name}"`;
      for (const { fields, keyPath, key } of together) {
        for (const name of ACCOUNT_FIELDS) fields.recordTaken([name], becomes);
        for (const name of NODE_FIELDS) for (const data of SPECIFIC) fields.recordTaken([data, name], becomes);
        if (key === null) fields.left(keyPath, "secret-missing");
        else fields.recordTaken(keyPath, becomes);
      }
      for (const name of NODE_FIELDS) node?.fields.recordTaken([name], becomes);
      return [{ names: readNames(provider, context), seller }];
    });
  });
}

/** Fields of both programs; other account fields do not belong to a connection. */
const ACCOUNT_FIELDS = [
  "id",
  "provider",
  "authType",
  "auth_type",
  "name",
  "priority",
  "isActive",
  "is_active",
] as const;
const NODE_FIELDS = ["id", "type", "name", "prefix", "apiType", "api_type", "baseUrl", "base_url", "nodeName"] as const;
const SPECIFIC = ["providerSpecificData", "provider_specific_data"] as const;

/** Skips logins, cookies and disabled accounts. */
function isUsable(draft: SetupBuilder, { provider, authType, isActive, key, fields, keyPath }: Account): boolean {
  if (key !== null) fields.secret(key);
  if (authType !== "apikey" || provider.endsWith("-web")) {
    fields.left([], "login");
    return false;
  }
  if (!isActive) {
    fields.left([], "unused");
    return false;
  }
  const service = Object.hasOwn(SEARCH, provider) ? SEARCH[provider] : undefined;
  if (service === undefined) return true;
  if (key !== null && draft.searchKey(service, key)) fields.recordTaken([], `key of the search service "${service}"`);
  else fields.left(key === null ? keyPath : [], key === null ? "secret-missing" : "unused");
  return false;
}

/** Clouds and services with their own protocols, which Postern does not support. */
const NOT_OURS: ReadonlySet<string> = new Set([
  "assemblyai",
  "azure",
  "cloudflare-ai",
  "commandcode",
  "databricks",
  "deepgram",
  "snowflake",
  "vertex",
  "vertex-partner",
]);

function readPlace(
  provider: string,
  own: string | null,
  node: Node | undefined,
  known: Known,
  { builtin }: AccountContext,
): Found {
  if (node !== undefined) return readHome(own ?? node.baseUrl, node.spoken, known, [PORT]);
  if (NOT_OURS.has(provider)) return { reason: "not-supported" };
  const entry = Object.hasOwn(builtin, provider) ? builtin[provider] : undefined;
  if (entry !== undefined) return readHome(own ?? withHosts(entry[0], known), entry[1], known, [PORT]);
  const found = namedProvider(provider, known);
  if (own !== null) return readHome(own, null, known, [PORT]);
  if (found === null || found.baseUrl === null) return { reason: "unknown-provider" };
  if (found.baseUrl !== undefined) return readHome(found.baseUrl, null, known, [PORT]);
  return { provider: found.provider.id, baseUrl: undefined, changed: false };
}

/** Both programs' usual port. */
const PORT = "20128";

/** `https://coding.{dashscope-cn}/v1`: plans for coding are at hosts that go by those of the API. */
function withHosts(address: string, { providers }: Known): string {
  return address.replace(/\{([\w-]+)\}/, (_, id: string) => {
    const preset = providers.flatMap(({ presets }) => presets).find((each) => each.id === id);
    return URL.parse(preset?.baseUrl ?? "")?.host ?? "";
  });
}

/** Returns the prefix of its models there, so that names which clients have keep their meaning. */
function readLabel(provider: string, { nodes }: AccountContext): string {
  const node = nodes.find(({ id }) => id === provider);
  return node?.prefix ?? node?.name ?? provider;
}

function readNames(provider: string, { nodes, aliases }: AccountContext): readonly string[] {
  const node = nodes.find(({ id }) => id === provider);
  const others = Object.entries(aliases).flatMap(([alias, id]) => (id === provider ? [alias] : []));
  return [provider, ...others, ...(node?.prefix == null ? [] : [node.prefix])];
}

function listModels(provider: string, context: AccountContext): readonly string[] {
  const names = readNames(provider, context);
  return context.named.flatMap((model) => {
    const name = names.find((each) => model.startsWith(`${each}/`));
    return name === undefined ? [] : [model.slice(name.length + 1)];
  });
}

/** Returns the model for `provider/model`; null if no provider of this name was imported. */
export function modelNamed(draft: SetupBuilder, reached: readonly Reached[], text: string): string | null {
  const slash = text.indexOf("/");
  const name = text.slice(0, Math.max(0, slash));
  const found = reached.find(({ names }) => names.includes(name));
  return found === undefined || slash < 1 ? null : draft.nameModel(found.seller, text.slice(slash + 1));
}
