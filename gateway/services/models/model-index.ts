import { allModels, findModel, listPriceFor } from "../../catalog/lookup.ts";
import { sellsInOtherCurrency } from "../../catalog/owners.ts";
import { guessCapabilities, withMessages } from "../../core/capability.ts";
import { GatewayError } from "../../core/errors.ts";
import type { Capability, ModelSpec, Price } from "../../core/model.ts";
import type { DiscoveredModel } from "../../core/discovered-model.ts";
import { redact } from "../../lib/redact.ts";
import { canDo } from "../../vendors/abilities.ts";
import { vendors } from "../../vendors/registry.ts";
import type { Connection } from "../connections/connection.ts";
import type { Vendor } from "../../vendors/vendor.ts";
import type { Connections } from "../connections/connections.ts";

/** One connection that serves a model. */
export interface Candidate {
  readonly connection: Connection;
  /** The id that this connection knows the model by. */
  readonly upstreamModel: string;
  /** Null: unpriced. */
  readonly price: Price | null;
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
}

/** Price of a server on this machine: nothing is paid per token, image, character or second. */
const LOCAL_PRICE: Price = {
  tiers: [
    { above: 0, rates: { input: 0, output: 0, character: 0, image: 0, image_input: 0, image_output: 0, second: 0 } },
  ],
  source: "runs on this machine",
  as_of: "2026-11-20",
};

/** Which models can be reached by which connections. Rebuilt when connections change; a look-up is one Map access. */
export class ModelIndex {
  readonly #connections: Connections;
  readonly #sandboxActive: () => boolean;
  #routes = new Map<string, Route>();
  #aliases = new Map<string, string>();
  #stale = true;

  constructor(connections: Connections, sandboxActive: () => boolean) {
    this.#connections = connections;
    this.#sandboxActive = sandboxActive;
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

  /** @returns undefined when no enabled connection serves `id`. Also takes `connection name/id`. */
  find(id: string): Route | undefined {
    this.#refresh();
    return (
      this.#routes.get(id) ?? this.#routes.get(this.#aliases.get(id) ?? "") ?? this.#variant(id) ?? this.#direct(id)
    );
  }

  #refresh(): void {
    if (!this.#stale) return;
    this.#stale = false;
    const routes = new Map<string, Route>();
    for (const connection of this.#connections.all()) {
      if (!connection.enabled) continue;
      if (connection.from === "sandbox" && !this.#sandboxActive()) continue;
      for (const served of servedBy(connection)) addTo(routes, served, connection);
    }
    this.#routes = routes;
    this.#aliases = aliasesOf(routes);
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
      candidates: candidates.map(({ connection }) => ({ connection, upstreamModel: id, price: null })),
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
    return {
      id,
      spec: spec ?? null,
      discovered,
      capabilities: withMessages(spec?.capabilities ?? guessCapabilities(model)).filter((capability) =>
        canDo(connection.vendor, capability),
      ),
      candidates: [candidateOf({ id: model, spec, discovered }, connection)],
    };
  }
}

interface Served {
  readonly id: string;
  readonly spec: ModelSpec | undefined;
  readonly discovered: DiscoveredModel | null;
}

/** A vendor serves its own models of the catalog and what its list adds; a compatible server what it lists. */
function servedBy(connection: Connection): readonly Served[] {
  const { vendor } = connection;
  if (connection.from === "sandbox")
    return allModels()
      .filter((spec) => vendorOf(spec) === vendor && spec.retired === undefined)
      .map(fromCatalog);
  const discovered = (connection.discovered ?? []).map((model) => ({
    id: model.id,
    spec: specOf(model.id),
    discovered: model,
  }));
  if (vendor.owners.length === 0) return discovered;
  const own = allModels().filter((spec) => vendor.owners.includes(spec.owner) && !isGone(spec, discovered));
  const known = new Set(own.flatMap((spec) => [spec.id, spec.upstreamId ?? spec.id, ...spec.aliases]));
  return [...own.map(fromCatalog), ...discovered.filter((model) => !known.has(model.id))];
}

/** A retired model is served only while the vendor's own list still has it. */
function isGone(spec: ModelSpec, discovered: readonly Served[]): boolean {
  return spec.retired !== undefined && !discovered.some((model) => model.spec === spec);
}

function fromCatalog(spec: ModelSpec): Served {
  return { id: spec.id, spec, discovered: null };
}

/** The protocol by which a model of the catalog is reached at its owner. */
function vendorOf(spec: ModelSpec): Vendor {
  return Object.values(vendors).find(({ owners }) => owners.includes(spec.owner)) ?? vendors["openai-compatible"];
}

function addTo(routes: Map<string, Route>, served: Served, connection: Connection): void {
  const able = withMessages(served.spec?.capabilities ?? guessCapabilities(served.id)).filter((capability) =>
    canDo(connection.vendor, capability),
  );
  if (able.length === 0) return;
  const before = routes.get(served.id);
  if (before === undefined) {
    routes.set(served.id, {
      id: served.id,
      spec: served.spec ?? null,
      discovered: served.discovered,
      capabilities: able,
      candidates: [candidateOf(served, connection)],
    });
    return;
  }
  // A connected vendor serves its own models: the sandbox never stands in for one that fails.
  if (connection.from === "sandbox") return;
  routes.set(served.id, {
    ...before,
    capabilities: [...new Set([...before.capabilities, ...able])],
    candidates: [...before.candidates, candidateOf(served, connection)],
  });
}

function candidateOf(served: Served, connection: Connection): Candidate {
  return {
    connection,
    upstreamModel: owns(connection, served) ? (served.spec?.upstreamId ?? served.id) : served.id,
    price: priceAt(served, connection),
  };
}

/** Whether the connection is to the model's owner, who knows it by its upstream id. */
function owns({ vendor }: Connection, { spec }: Served): boolean {
  return spec !== undefined && vendor.owners.includes(spec.owner);
}

/** What the vendor lists, else what is known of the vendor's list prices; a found local server costs nothing. */
function priceAt(served: Served, connection: Connection): Price | null {
  if (connection.from === "local") return LOCAL_PRICE;
  if (connection.from === "sandbox") return served.spec?.price ?? null;
  const { hostname } = new URL(connection.baseUrl);
  if (owns(connection, served)) return sellsInOtherCurrency(hostname) ? null : (served.spec?.price ?? null);
  const input = served.discovered?.input_rate;
  const output = served.discovered?.output_rate;
  if (input != null && output != null) {
    const day = new Date(connection.checkedAt ?? connection.createdAt).toISOString().slice(0, 10);
    return {
      tiers: [{ above: 0, rates: { input, output } }],
      source: `${connection.name}'s own model list`,
      as_of: day,
    };
  }
  return listPriceFor(served.id, hostname);
}

function specOf(id: string): ModelSpec | undefined {
  return findModel(id) ?? (id.includes("/") ? findModel(id.slice(id.lastIndexOf("/") + 1)) : undefined);
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

/** Every id that means this model: a key that allows one of them allows it. */
export function namesOf({ id, spec }: Route): readonly string[] {
  if (spec === null) return [id];
  return [id, ...spec.aliases, ...(spec.upstreamId === undefined ? [] : [spec.upstreamId])];
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
