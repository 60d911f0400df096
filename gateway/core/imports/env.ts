import type { Setup } from "../../contract/setup.ts";
import { MAX_DOTENV, parseDotenv } from "../../lib/dotenv.ts";
import { GatewayError } from "../errors.ts";
import { readHome, isLoopback } from "./addresses.ts";
import { SetupBuilder } from "./setup-builder.ts";
import type { SourceFields } from "./fields.ts";
import type { FileRead, RequestedFile, Imported, Importer, Places } from "./importer.ts";
import type { Known, KnownProvider } from "./known.ts";
import { chooseName, namedProvider } from "./named-provider.ts";
import { withVariables } from "./references.ts";

type Variables = Readonly<Record<string, string>>;

/** Usual files of projects. The second one takes precedence. */
const NAMES = [".env", ".env.local"] as const;

/** Further names of keys, by provider; `NAME_API_KEY` is known by each of a provider's names. */
const OTHER_KEYS: Readonly<Record<string, readonly string[]>> = { anthropic: ["ANTHROPIC_AUTH_TOKEN"] };

/** Suffixes of address variables that correspond to `API_KEY`. */
const ADDRESS_ENDS = ["BASE_URL", "API_BASE", "API_BASE_URL", "API_URL", "ENDPOINT"] as const;

/** Keys of web search services, under the names that their own SDKs use. */
const SEARCH_KEYS: Readonly<Record<string, keyof NonNullable<Setup["search_keys"]>>> = {
  BRAVE_API_KEY: "brave",
  BRAVE_SEARCH_API_KEY: "brave",
  TAVILY_API_KEY: "tavily",
  EXA_API_KEY: "exa",
};

const MAX_VARIABLES = 2_000;

/** Min characters of a key; shorter values name no key, such as `sk-none`. */
const SHORTEST_KEY = 16;

/** Provider keys in a file of variables, by the names under which the providers' own programs look for them. */
export const envImporter: Importer = {
  id: "env",
  label: ".env",
  files: ({ home, folder }: Places): readonly RequestedFile[] =>
    NAMES.map((name) => ({ path: `${folder ?? home}/${name}` })),
  read,
};

function read(files: readonly FileRead[], { env }: Places, known: Known): Imported | null {
  const draft = new SetupBuilder(known);
  // A later file takes precedence: earlier keys of the same name are unused.
  const sources = files.map(({ path, text }) => {
    const variables = parseDotenv(text);
    return { variables, fields: draft.fields.source(files.length > 1 ? path : "", variables) };
  });
  const all: Variables = Object.assign({}, ...sources.map(({ variables }) => variables));
  if (files.some(({ text }) => text.length > MAX_DOTENV) || Object.keys(all).length > MAX_VARIABLES)
    throw new GatewayError(
      "invalid_value",
      `The files have more than ${MAX_VARIABLES} variables, or one more than ${MAX_DOTENV / 1_024} KiB. Import a file that has the keys of providers alone.`,
    );
  const values = { ...env, ...all };
  const marks = (name: string): SourceFields | undefined =>
    sources.findLast(({ variables }) => Object.hasOwn(variables, name))?.fields;
  for (const { variables, fields } of sources)
    for (const [name, value] of Object.entries(variables)) {
      // Environment files also have values of other programs, which are not shown.
      draft.fields.secret(value);
      if (marks(name) !== fields) fields.left([name], "unused");
    }

  const used = new Set<string>();
  const valueOf = (name: string): string => (withVariables(all[name] ?? "", values) ?? "").trim();
  for (const offer of readOffers(known, Object.keys(all))) {
    const names = offer.keys.filter((each) => Object.hasOwn(all, each) && !used.has(each));
    // An empty key means that another one is used (https://openrouter.ai/docs/guides/guides/claude-code-integration).
    const name = names.find((each) => valueOf(each).length >= SHORTEST_KEY) ?? names[0];
    if (name === undefined) continue;
    for (const each of names) {
      used.add(each);
      if (each !== name) marks(each)?.left([each], valueOf(each) === "" ? "secret-missing" : "unused");
    }
    const key = valueOf(name);
    const fields = marks(name);
    if (key.length < SHORTEST_KEY) {
      fields?.left([name], key === "" ? "secret-missing" : "unreadable");
      continue;
    }
    const place = readAddress(offer, name, all);
    const home =
      place === null
        ? offer.baseUrl === null
          ? { reason: "unknown-provider" as const }
          : { provider: offer.provider.id, baseUrl: offer.baseUrl, changed: false }
        : readHome(valueOf(place), offer.provider.id === "anthropic" ? "messages" : null, known, [], true);
    if (place !== null) used.add(place);
    if ("reason" in home) {
      // A key is for the address next to it, and for no other.
      fields?.left([name], home.reason);
      if (place !== null) marks(place)?.left([place], home.reason);
      continue;
    }
    const connection = draft.connection({
      name: chooseName(home, offer.label, known),
      home,
      keys: [key],
    });
    const becomes = `connection "${connection.name}"`;
    fields?.recordTaken([name], becomes);
    if (place === null) continue;
    marks(place)?.endpoint([place], becomes, home);
  }
  for (const [name, service] of Object.entries(SEARCH_KEYS)) {
    if (!Object.hasOwn(all, name) || valueOf(name) === "") continue;
    if (draft.searchKey(service, valueOf(name))) marks(name)?.recordTaken([name], `search key "${service}"`);
    else marks(name)?.left([name], "unused");
  }
  return Object.keys(all).length === 0 ? null : draft.done();
}

/** A provider, or an address of it, that a key may be for. */
interface Offer {
  readonly provider: KnownProvider;
  readonly label: string;
  /** Undefined: the provider's own; null: only set by variables. */
  readonly baseUrl: string | undefined | null;
  readonly keys: readonly string[];
}

/** @param names of the file's variables */
function readOffers(known: Known, names: readonly string[]): readonly Offer[] {
  const offers = known.providers.flatMap((provider) =>
    provider.presets.flatMap(({ label, baseUrl, keyVariable }) => {
      if (keyVariable === undefined) return [];
      const keys = [keyVariable, ...(provider.defaultBaseUrl === null ? [] : (OTHER_KEYS[provider.id] ?? []))];
      return [{ provider, label, baseUrl: baseUrl === provider.defaultBaseUrl ? undefined : baseUrl, keys }];
    }),
  );
  const byName = names.flatMap((name) => {
    const found = name.endsWith("_API_KEY") ? namedProvider(name.slice(0, -"_API_KEY".length), known) : null;
    if (found === null) return [];
    // A key is not for a server on this machine unless the file says so.
    const isHere = typeof found.baseUrl === "string" && isLoopback(new URL(found.baseUrl).hostname);
    return [{ ...found, ...(isHere && { baseUrl: null }), keys: [name] }];
  });
  const placeOf = ({ provider, label, baseUrl }: Offer): string =>
    `${provider.id} ${baseUrl === null ? label : (baseUrl ?? "")}`;
  return [...Map.groupBy<string, Offer>([...offers, ...byName], placeOf).values()].map((same) => ({
    ...(same[0] as Offer),
    keys: [...new Set(same.flatMap(({ keys }) => keys))],
  }));
}

/** Returns the variable with the address of the key; null without one. */
function readAddress({ keys }: Offer, name: string, all: Variables): string | null {
  const beginnings = new Set([name, ...keys].map((each) => each.replace(/(_API_KEY|_AUTH_TOKEN|_KEY)$/, "")));
  for (const beginning of beginnings)
    for (const end of ADDRESS_ENDS) {
      const address = `${beginning}_${end}`;
      if (Object.hasOwn(all, address) && (all[address] ?? "").trim() !== "") return address;
    }
  return null;
}
