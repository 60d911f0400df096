import type { FieldReason } from "../../contract/imports.ts";
import type { SetRoute } from "../../contract/routes.ts";
import type { Setup, SetupConnection, SetupKey, SetupPrice } from "../../contract/setup.ts";
import { GatewayError } from "../errors.ts";
import { sha256 } from "../../lib/ids.ts";
import { secretHint } from "../../lib/redact.ts";
import { ratesFromUsd } from "../money/usd-rates.ts";
import type { Home } from "./addresses.ts";
import { readChain, getModel, routeName } from "./chains.ts";
import type { Seller } from "./chains.ts";
import { ConnectionNames } from "./connection-names.ts";
import { Fields } from "./fields.ts";
import type { Imported } from "./importer.ts";
import type { Known } from "./known.ts";
import { namedProvider } from "./named-provider.ts";

const MOST_KEYS = 20;
const LONGEST_KEY = 4_000;
/** How many rules a route may have. */
export const MOST_RULES = 20;
const LONGEST_ID = 200;

/** Min characters of a local key, as in the environment; shorter values are not secrets. */
const SHORTEST_LOCAL_KEY = 9;
/** Min characters of keys of another form. */
const SHORTEST_FOREIGN_KEY = 20;
const LONGEST_LOCAL_KEY = 500;

type NewConnection = Omit<SetupConnection, "name" | "provider" | "base_url"> & {
  readonly home: Pick<Home, "provider" | "baseUrl">;
  /** The other program's name for it. */
  readonly name: unknown;
  /** A fallback name if that one is unusable. */
  readonly otherwise?: string;
};

/** Each connection is compared with all others. */
const MAX_CONNECTIONS = 200;

/** Builds a set-up; everything in it satisfies the contract. */
export class SetupBuilder {
  readonly fields: Fields;
  readonly known: Known;
  readonly #names = new ConnectionNames();
  readonly #connections: SetupConnection[] = [];
  readonly #keys: SetupKey[] = [];
  readonly #routes = new Map<string, SetRoute>();
  readonly #aliases = new Map<string, string>();
  readonly #prices = new Map<string, SetupPrice>();
  readonly #searchKeys: NonNullable<Setup["search_keys"]> = {};

  constructor(known: Known) {
    this.known = known;
    this.fields = new Fields((text) => namedProvider(text, known) !== null);
  }

  /** Says which models a connection of this name has. Before connections are added. */
  sells(name: unknown, models: readonly string[]): void {
    this.#names.sells(name, models);
  }

  /** Adds a connection by a name that no other one has. Its keys are shown nowhere. */
  connection({ name, otherwise, home, keys = [], ...rest }: NewConnection): SetupConnection {
    if (this.#connections.length >= MAX_CONNECTIONS)
      throw new GatewayError(
        "invalid_value",
        `The set-up has more than ${MAX_CONNECTIONS} connections. Split it into several files and import each.`,
      );
    const usable = [...new Set(keys.map((key) => key.trim()))].filter((key) => key !== "" && key.length <= LONGEST_KEY);
    for (const key of usable) this.fields.secret(key);
    for (const key of usable.slice(MOST_KEYS)) this.fields.leftSecret(key);
    const connection: SetupConnection = {
      name: this.#names.take(name, otherwise),
      provider: home.provider,
      ...(home.baseUrl !== undefined && { base_url: home.baseUrl }),
      ...rest,
      ...(usable.length === 0 ? {} : { keys: usable.slice(0, MOST_KEYS) }),
    };
    this.#connections.push(connection);
    return connection;
  }

  /** Returns the name of a connection's model. Call it after all connections were added. */
  nameModel(seller: Seller, model: string): string {
    return getModel(seller, model, this.#connections, this.known);
  }

  /**
   * Adds a route, unless the name is taken or its chain is empty.
   * @returns its name; null if it was not added
   */
  route(preferred: string, { models, rules = [], ...rest }: Omit<SetRoute, "name">): string | null {
    const name = routeName(preferred);
    const chain = readChain(models);
    if (name === null || chain.length === 0 || this.#routes.has(name) || this.#aliases.has(name)) return null;
    const supported = rules
      .map((rule) => ({ ...rule, models: [...readChain(rule.models)] }))
      .filter((rule) => rule.models.length > 0)
      .slice(0, MOST_RULES);
    this.#routes.set(name, {
      name,
      models: [...chain],
      ...(supported.length === 0 ? {} : { rules: supported }),
      ...rest,
    });
    return name;
  }

  get routeCount(): number {
    return this.#routes.size;
  }

  /** Adds an alias of a model. @returns the name; null if it was not added */
  alias(preferred: string, model: string): string | null {
    const name = routeName(preferred);
    if (name === null || model === "" || model.length > LONGEST_ID || name === model) return null;
    if (this.#routes.has(name) || this.#aliases.has(name)) return null;
    this.#aliases.set(name, model);
    return name;
  }

  /**
   * Adds a custom price of a model in USD per million tokens.
   * @returns whether it was added: a price needs both input and output
   */
  price(model: string, rates: SetupPrice): boolean {
    const isWhole = rates.input !== undefined && rates.output !== undefined;
    if (!isWhole || ratesFromUsd(rates) === null || model === "" || model.length > LONGEST_ID) return false;
    this.#prices.set(model, rates);
    return true;
  }

  /**
   * Adds a key with which programs called the other one: they go on with it.
   * @returns its name, or why it is left
   */
  localKey(
    secret: string,
    { name, ...limits }: Omit<SetupKey, "sha256" | "secret" | "hint">,
  ): { readonly name: string } | { readonly reason: FieldReason } {
    const key = secret.trim();
    this.fields.secret(key);
    const isOwnForm = key.startsWith("sk-");
    // HTTP headers cannot carry other characters.
    if (key.length > LONGEST_LOCAL_KEY || !/^[\x21-\x7e]+$/.test(key)) return { reason: "not-supported" };
    if (key.length < (isOwnForm ? SHORTEST_LOCAL_KEY : SHORTEST_FOREIGN_KEY)) return { reason: "weak" };
    const hash = sha256(key);
    const same = this.#keys.find((known) => known.sha256 === hash || known.secret === key);
    if (same !== undefined) return { name: same.name };
    const label = name.trim().slice(0, 100) || "imported";
    this.#keys.push({
      name: label,
      ...(isOwnForm ? { secret: key } : { sha256: hash, hint: secretHint(key) }),
      ...limits,
    });
    return { name: label };
  }

  /** Adds the key of a search service, unless one exists. */
  searchKey(service: keyof NonNullable<Setup["search_keys"]>, key: string): boolean {
    this.fields.secret(key);
    if (this.#searchKeys[service] !== undefined || key.length > 500) return false;
    this.#searchKeys[service] = key;
    return true;
  }

  done(): Imported {
    const setup: Setup = {
      ...(this.#connections.length === 0 ? {} : { connections: this.#connections }),
      ...(this.#keys.length === 0 ? {} : { keys: this.#keys }),
      ...(this.#routes.size === 0 ? {} : { routes: [...this.#routes.values()] }),
      ...(this.#aliases.size === 0 ? {} : { aliases: Object.fromEntries(this.#aliases) }),
      ...(this.#prices.size === 0 ? {} : { prices: Object.fromEntries(this.#prices) }),
      ...(Object.keys(this.#searchKeys).length === 0 ? {} : { search_keys: this.#searchKeys }),
    };
    return { setup, fields: this.fields.list() };
  }
}
