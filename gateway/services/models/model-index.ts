import { findModel } from "../../catalog/lookup.ts";
import { guessCapabilities, withMessages } from "../../core/models/capability.ts";
import { GatewayError } from "../../core/errors.ts";
import type { DiscoveredModel } from "../../core/models/discovered-model.ts";
import type { Capability, ModelSpec, Price } from "../../core/models/model.ts";
import { redact } from "../../lib/redact.ts";
import { canDo } from "../../vendors/abilities.ts";
import type { StoredPrice } from "../../store/document.ts";
import type { Connection } from "../connections/connection.ts";
import type { Connections } from "../connections/connections.ts";
import { NOTHING_SAID, ownPrice } from "./own-names.ts";
import type { OwnSayings } from "./own-names.ts";
import { priceAt } from "./price-at.ts";
import { owns, servedBy, specOf } from "./served-by.ts";
import type { Served } from "./served-by.ts";

/** One connection that serves a model. */
export interface Candidate {
  readonly connection: Connection;
  /** The id that this connection knows the model by. */
  readonly upstreamModel: string;
  /** Null: unpriced. */
  readonly price: Price | null;
  /** What would be its price without the owner's own; absent where the owner has set none. */
  readonly listPrice?: Price | null;
}

/** A model that a connection serves. */
export interface Route {
  readonly id: string;
  /** Null for models that only a vendor's list knows. */
  readonly spec: ModelSpec | null;
  readonly discovered: DiscoveredModel | null;
  /** What its candidates can do of what the model can do. */
  readonly capabilities: readonly Capability[];
  /** In the order in which they are asked; at least one. Not each of them can do everything. */
  readonly candidates: readonly Candidate[];
  /** The owner's own names for it; absent where there are none. */
  readonly aliases?: readonly string[];
}

/** A name under which clients find a model. */
export interface Offer {
  readonly name: string;
  readonly route: Route;
}

/**
 * Which models can be reached by which connections, by which names and at which price. Rebuilt when connections or the
 * owner's sayings change; a look-up is one Map access.
 */
export class ModelIndex {
  readonly #connections: Connections;
  readonly #sandboxActive: () => boolean;
  readonly #own: () => OwnSayings;
  #routes = new Map<string, Route>();
  /** Vendors' other names, and the public ids that they mean. */
  #aliases = new Map<string, string>();
  /** The owner's names, by the id of the route that they lead to now. */
  #ownNames = new Map<string, readonly string[]>();
  #stale = true;

  constructor(connections: Connections, sandboxActive: () => boolean, own: () => OwnSayings = () => NOTHING_SAID) {
    this.#connections = connections;
    this.#sandboxActive = sandboxActive;
    this.#own = own;
    connections.onChange(() => this.invalidate());
  }

  invalidate(): void {
    this.#stale = true;
  }

  /** Every model that a connection serves, in catalog order, vendors' own additions behind. */
  list(): readonly Route[] {
    this.#refresh();
    return [...this.#routes.values()];
  }

  /**
   * What clients may ask for: the owner's own names first, then every model by its id. A model whose id is one of those
   * names is left out, as calls by it go elsewhere.
   */
  offers(): readonly Offer[] {
    const { aliases } = this.#own();
    const own = [...aliases.values()].flatMap(({ id, model }) => {
      const route = this.findId(model);
      return route === undefined ? [] : [{ name: id, route }];
    });
    const ids = this.list().flatMap((route) => (aliases.has(route.id) ? [] : [{ name: route.id, route }]));
    return [...own, ...ids];
  }

  /** The id that one of the owner's own names stands for; undefined for other names. */
  targetOf(name: string): string | undefined {
    return this.#own().aliases.get(name)?.model;
  }

  /**
   * The way to a model by any of its names. The owner's own names go before ids, so that no vendor can take one over by
   * what it lists.
   * @returns undefined when no enabled connection serves it. Also takes `connection name/id`.
   */
  find(name: string): Route | undefined {
    return this.findId(this.targetOf(name) ?? name);
  }

  /** The same without the owner's own names. */
  findId(id: string): Route | undefined {
    this.#refresh();
    const route = this.#reach(id);
    return route === undefined ? undefined : this.#named(route);
  }

  #reach(id: string): Route | undefined {
    return (
      this.#routes.get(id) ?? this.#routes.get(this.#aliases.get(id) ?? "") ?? this.#variant(id) ?? this.#direct(id)
    );
  }

  /** Routes that are made while they are looked for (variants, `connection name/id`) get their names here. */
  #named(route: Route): Route {
    if (route.aliases !== undefined) return route;
    const aliases = this.#ownNames.get(route.id);
    return aliases === undefined ? route : { ...route, aliases };
  }

  #refresh(): void {
    if (!this.#stale) return;
    this.#stale = false;
    const { aliases, prices } = this.#own();
    const routes = new Map<string, Route>();
    for (const connection of this.#connections.all()) {
      if (!connection.enabled) continue;
      if (connection.from === "sandbox" && !this.#sandboxActive()) continue;
      for (const served of servedBy(connection)) addTo(routes, served, connection, prices);
    }
    this.#routes = routes;
    this.#aliases = aliasesOf(routes);
    this.#ownNames = new Map();
    for (const { id, model } of aliases.values()) {
      const target = this.#reach(model)?.id;
      if (target !== undefined) this.#ownNames.set(target, [...(this.#ownNames.get(target) ?? []), id]);
    }
    // Once for all calls.
    for (const [target, names] of this.#ownNames) {
      const route = routes.get(target);
      if (route !== undefined) routes.set(target, { ...route, aliases: names });
    }
  }

  /**
   * `openai/gpt-5:online`: OpenRouter takes a variant behind a colon that its list does not hold, and prices it
   * otherwise. `llama3.2` is Ollama's `llama3.2:latest`.
   */
  #variant(id: string): Route | undefined {
    const latest = this.#routes.get(`${id}:latest`);
    if (latest !== undefined) return latest;
    const base = this.#routes.get(id.slice(0, Math.max(0, id.lastIndexOf(":"))));
    const candidates = base?.candidates.filter(
      ({ connection }) => connection.vendor.id === "openai-compatible" && connection.from !== "sandbox",
    );
    if (base === undefined || candidates === undefined || candidates.length === 0) return undefined;
    return {
      ...base,
      id,
      candidates: candidates.map(({ connection }) => ({
        connection,
        upstreamModel: id,
        ...pricedAt(null, this.#own().prices.get(id)),
      })),
    };
  }

  /** `openrouter/deepseek/deepseek-chat`: a connection's name, then an id that its list may not hold. */
  #direct(id: string): Route | undefined {
    const slash = id.indexOf("/");
    if (slash < 1) return undefined;
    const name = id.slice(0, slash).toLowerCase();
    const model = id.slice(slash + 1);
    const connection = this.#connections.real().find((known) => known.name.toLowerCase() === name);
    if (connection === undefined || model === "") return undefined;
    const discovered = connection.discovered?.find((known) => known.id === model) ?? null;
    const spec = specOf(model);
    const { prices } = this.#own();
    return {
      id,
      spec: spec ?? null,
      discovered,
      capabilities: withMessages(spec?.capabilities ?? guessCapabilities(model)).filter((capability) =>
        canDo(connection.vendor, capability),
      ),
      candidates: [candidateOf({ id: model, spec, discovered }, connection, prices.get(id) ?? prices.get(model))],
    };
  }
}

function addTo(routes: Map<string, Route>, served: Served, connection: Connection, prices: OwnSayings["prices"]): void {
  const able = withMessages(served.spec?.capabilities ?? guessCapabilities(served.id)).filter((capability) =>
    canDo(connection.vendor, capability),
  );
  if (able.length === 0) return;
  const before = routes.get(served.id);
  // A connected vendor serves its own models: the sandbox never stands in for one that fails.
  if (before !== undefined && connection.from === "sandbox") return;
  const candidate = candidateOf(served, connection, prices.get(served.id));
  if (before === undefined) {
    routes.set(served.id, {
      id: served.id,
      spec: served.spec ?? null,
      discovered: served.discovered,
      capabilities: able,
      candidates: [candidate],
    });
    return;
  }
  routes.set(served.id, {
    ...before,
    capabilities: [...new Set([...before.capabilities, ...able])],
    candidates: [...before.candidates, candidate],
  });
}

function candidateOf(served: Served, connection: Connection, own: StoredPrice | undefined): Candidate {
  return {
    connection,
    upstreamModel: owns(connection, served) ? (served.spec?.upstreamId ?? served.id) : served.id,
    ...pricedAt(priceAt(served, connection), own),
  };
}

/** The owner's own price goes before what is listed. */
function pricedAt(listed: Price | null, own: StoredPrice | undefined): Pick<Candidate, "price" | "listPrice"> {
  return own === undefined ? { price: listed } : { price: ownPrice(own), listPrice: listed };
}

function aliasesOf(routes: ReadonlyMap<string, Route>): Map<string, string> {
  const aliases = new Map<string, string>();
  for (const route of routes.values()) {
    if (route.spec === null || route.spec.id !== route.id) continue;
    for (const alias of route.spec.aliases) aliases.set(alias, route.id);
    if (route.spec.upstreamId !== undefined) aliases.set(route.spec.upstreamId, route.id);
  }
  return aliases;
}

const NONE: readonly string[] = [];

/** Every name that means this model, the owner's own among them: a key that allows one of them allows it. */
export function namesOf({ id, spec, aliases = NONE }: Route): readonly string[] {
  if (spec === null) return [id, ...aliases];
  return [id, ...spec.aliases, ...(spec.upstreamId === undefined ? [] : [spec.upstreamId]), ...aliases];
}

/** The error for a model that nobody serves. */
export function modelNotFound(id: string): GatewayError {
  const spec = specOf(id);
  if (spec?.retired !== undefined) {
    const { on, successor } = spec.retired;
    const vectors = spec.capabilities.includes("embedding")
      ? "; vectors of the two do not compare, so embed earlier texts anew"
      : "";
    return new GatewayError(
      "model_not_found",
      `The model "${redact(id.slice(0, 200))}" was shut down by its vendor on ${on}. Use its successor "${successor}" instead${vectors}.`,
      { param: "model" },
    );
  }
  const known = findModel(id) !== undefined;
  return new GatewayError(
    "model_not_found",
    known
      ? `No connected vendor serves the model "${id}". Connect one on the Connections page, or choose a model from GET /v1/models.`
      : `The model "${redact(id.slice(0, 200))}" does not exist here. GET /v1/models lists the models that your key can use.`,
    { param: "model" },
  );
}

/** The error for a name of the owner's own whose model nobody serves now. */
export function unservedAlias(name: string, model: string): GatewayError {
  return new GatewayError(
    "model_not_found",
    `"${name}" stands for the model "${redact(model)}", which no connected vendor serves now. Connect one, or let the name stand for another model on the Models page.`,
    { param: "model" },
  );
}
