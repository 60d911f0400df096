import { KINDS } from "../../core/models/capability.ts";
import { isSameId, getPublicIds, getSlug } from "../../core/models/model-id.ts";
import type { Price } from "../../core/models/model.ts";
import { priceNow } from "../../core/money/price.ts";
import type { Clock } from "../../lib/clock.ts";
import type { StoredPrice } from "../../store/document.ts";
import type { Connection } from "../connections/connection.ts";
import type { Connections } from "../connections/connections.ts";
import { NOTHING_SAID, ownPrice } from "./own-names.ts";
import type { OwnSayings } from "./own-names.ts";
import { getPrice } from "./price-at.ts";
import type { PriceList } from "./price-list.ts";
import { addTo, getAliases, guessKinds, listedAs, readKinds } from "./served-model.ts";
import type { Candidate, ServedModel } from "./served-model.ts";
import { getOtherNames, owns, listUnlisted, listServed, getSpec } from "./served-by.ts";
import type { Served } from "./served-by.ts";

/** A name under which clients find a model. */
export interface Offer {
  readonly name: string;
  readonly servedModel: ServedModel;
}

/**
 * Index of models by name, with their connections and prices. Rebuilt when connections, aliases or prices change; a
 * lookup is one Map access.
 */
export class ModelIndex {
  readonly #connections: Connections;
  readonly #sandboxActive: () => boolean;
  readonly #clock: Pick<Clock, "now">;
  readonly #own: () => OwnSayings;
  readonly #accepted: () => PriceList | null;
  #models = new Map<string, ServedModel>();
  /** Providers' other names, and the public ids that they mean. */
  #aliases = new Map<string, string>();
  /** Ids and other names in lower case, and the ids that they mean. */
  #folded = new Map<string, string>();
  /** Aliases in lower case, with their targets. */
  #foldedNames = new Map<string, string>();
  #foldedPrices = new Map<string, StoredPrice>();
  /** The owner's names, by the id of the model that they lead to now. */
  #ownNames = new Map<string, readonly string[]>();
  #stale = true;
  #generation = 0;
  /** Unix milliseconds: when the first of the prices ends. */
  #pricesEnd = Number.POSITIVE_INFINITY;

  /** @param accepted the price list that the owner has accepted; null without one. */
  constructor(
    connections: Connections,
    sandboxActive: () => boolean,
    clock: Pick<Clock, "now">,
    own: () => OwnSayings = () => NOTHING_SAID,
    accepted: () => PriceList | null = () => null,
  ) {
    this.#connections = connections;
    this.#sandboxActive = sandboxActive;
    this.#clock = clock;
    this.#own = own;
    this.#accepted = accepted;
    connections.onChange(() => this.invalidate());
  }

  invalidate(): void {
    this.#stale = true;
  }

  /** Another number as soon as a name may lead elsewhere than before, or to another price. */
  get generation(): number {
    this.#refresh();
    return this.#generation;
  }

  /** Lists all served models in catalog order, then those that only providers list. */
  list(): readonly ServedModel[] {
    this.#refresh();
    return [...this.#models.values()].filter(({ unlisted }) => unlisted !== true);
  }

  /**
   * Returns the names that clients may ask for: aliases first, then every model by its id. A model whose id is one of the
   * aliases is left out, as calls by it go elsewhere.
   */
  offers(): readonly Offer[] {
    const { aliases } = this.#own();
    const own = [...aliases.values()].flatMap(({ id, model }) => {
      const servedModel = this.findId(model);
      return servedModel === undefined ? [] : [{ name: id, servedModel }];
    });
    const ids = this.list().flatMap((servedModel) =>
      aliases.has(servedModel.id) ? [] : [{ name: servedModel.id, servedModel }],
    );
    return [...own, ...ids];
  }

  /** The id that one of the owner's own names stands for; undefined for other names. */
  getTarget(name: string): string | undefined {
    const target = this.#own().aliases.get(name)?.model;
    return target !== undefined || this.has(name) ? target : this.#foldedNames.get(name.toLowerCase());
  }

  /** Whether a model has this id or name by itself, in just this spelling. */
  has(name: string): boolean {
    this.#refresh();
    return this.#models.has(name) || this.#aliases.has(name);
  }

  /**
   * Finds a model by any of its names. Aliases take precedence over ids, so that no provider can hijack one by its
   * list.
   * @returns undefined if no enabled connection serves it. Also accepts `connection name/id`.
   */
  find(name: string): ServedModel | undefined {
    return this.findId(this.getTarget(name) ?? name);
  }

  /** Finds a model without the user's aliases. */
  findId(id: string): ServedModel | undefined {
    this.#refresh();
    const servedModel = this.#reach(id);
    return servedModel === undefined ? undefined : this.#addNames(servedModel);
  }

  #reach(id: string): ServedModel | undefined {
    const known = this.#findKnown(id);
    // A server's list must not hijack a model of the connection whose name is its prefix.
    if (known?.candidates[0]?.connection.standsIn === false) return this.#direct(id) ?? known;
    return known ?? this.#variant(id) ?? this.#direct(id);
  }

  #findKnown(name: string): ServedModel | undefined {
    const exact = this.#models.get(name) ?? this.#models.get(this.#aliases.get(name) ?? "");
    return exact ?? this.#models.get(this.#folded.get(name.toLowerCase()) ?? "");
  }

  /** Routes that are made while they are looked for (variants, `connection name/id`) get their names here. */
  #addNames(servedModel: ServedModel): ServedModel {
    if (servedModel.aliases !== undefined) return servedModel;
    const aliases = this.#ownNames.get(servedModel.id);
    return aliases === undefined ? servedModel : { ...servedModel, aliases };
  }

  #refresh(): void {
    if (!this.#stale && this.#clock.now() < this.#pricesEnd) return;
    this.#stale = false;
    this.#generation += 1;
    this.#pricesEnd = Number.POSITIVE_INFINITY;
    const { aliases, prices } = this.#own();
    this.#foldedNames = new Map([...aliases.values()].map(({ id, model }) => [id.toLowerCase(), model]));
    this.#foldedPrices = new Map([...prices.values()].map((price) => [price.id.toLowerCase(), price]));
    const enabled = this.#connections.all().filter(({ enabled: is }) => is);
    const real = standingInFirst(enabled.filter(({ from }) => from !== "sandbox"));
    const sandbox = this.#sandboxActive() ? enabled.filter(({ from }) => from === "sandbox") : [];
    const servedAt = new Map([...real, ...sandbox].map((connection) => [connection, listServed(connection)]));
    // The sandbox has the catalog's ids, and yields to every real connection.
    const ids = getPublicIds(
      real.flatMap((connection) => (servedAt.get(connection) ?? []).map(({ id }) => id)),
      new Set([...aliases.keys(), ...getOtherNames([...servedAt.values()].flat())]),
    );
    const models = new Map<string, ServedModel>();
    const put = (served: Served, connection: Connection, id: string, unlisted = false): void => {
      // Earlier versions knew it by its connection's spelling.
      const own = this.#ownPrice(id, served.id);
      addTo(models, served, this.#candidate(served, connection, own), { id, unlisted });
    };
    const add = (connection: Connection): void => {
      for (const served of servedAt.get(connection) ?? []) put(served, connection, ids.get(served.id) ?? served.id);
    };
    for (const connection of real) add(connection);
    for (const connection of real)
      for (const served of listUnlisted(connection))
        if (models.get(served.id)?.unlisted ?? !models.has(served.id)) put(served, connection, served.id, true);
    for (const connection of sandbox) add(connection);
    this.#models = models;
    this.#aliases = getAliases(models);
    // The first of two names that differ only in case is used.
    const names = [...[...models.keys()].map((id) => [id, id] as const), ...this.#aliases];
    this.#folded = new Map(names.toReversed().map(([name, id]) => [name.toLowerCase(), id]));
    this.#ownNames = new Map();
    for (const { id, model } of aliases.values()) {
      const target = this.#reach(model)?.id;
      if (target !== undefined) this.#ownNames.set(target, [...(this.#ownNames.get(target) ?? []), id]);
    }
    // Once for all calls.
    for (const [target, names] of this.#ownNames) {
      const servedModel = models.get(target);
      if (servedModel !== undefined) models.set(target, { ...servedModel, aliases: names });
    }
  }

  /**
   * Finds `openai/gpt-5:online`: OpenRouter accepts a variant after a colon that its list omits and that has another
   * price. `llama3.2` is Ollama's `llama3.2:latest`.
   */
  #variant(id: string): ServedModel | undefined {
    const latest = this.#findKnown(`${id}:latest`);
    if (latest !== undefined) return latest;
    const colon = Math.max(0, id.lastIndexOf(":"));
    const base = this.#findKnown(id.slice(0, colon));
    const candidates = base?.candidates.filter(
      ({ connection }) => connection.provider.id === "openai-compatible" && connection.standsIn,
    );
    if (base === undefined || candidates === undefined || candidates.length === 0) return undefined;
    const variant = id.slice(colon);
    return {
      ...base,
      id: base.id + variant,
      ...(base.spelling === undefined ? {} : { spelling: base.spelling + variant }),
      candidates: candidates.map(({ connection, upstreamModel, kinds }) => ({
        connection,
        ...(kinds !== undefined && { kinds }),
        upstreamModel: upstreamModel + variant,
        ...this.#applyPrices(null, this.#ownPrice(base.id + variant, id)),
      })),
    };
  }

  /** `openrouter/deepseek/deepseek-chat`: a connection's name, then an id that its list may not hold. */
  #direct(id: string): ServedModel | undefined {
    const slash = id.indexOf("/");
    if (slash < 1) return undefined;
    const name = id.slice(0, slash).toLowerCase();
    const upstreamId = id.slice(slash + 1);
    const connection = this.#connections
      .real()
      .find((known) => known.name.toLowerCase() === name || getSlug(known.name) === name);
    return connection === undefined || upstreamId === "" ? undefined : this.#makeServed(connection, upstreamId, id);
  }

  /** The way to an id that no list has, at the first compatible server that lists nothing itself. */
  findUnlisted(id: string): ServedModel | undefined {
    const connection = this.#connections.real().find(({ provider, standsIn, listError, discovered }) => {
      return standsIn && provider.owners.length === 0 && (discovered?.length ?? (listError === null ? 1 : 0)) === 0;
    });
    return connection === undefined ? undefined : this.#makeServed(connection, id, id);
  }

  #makeServed(connection: Connection, upstreamId: string, id: string): ServedModel {
    const discovered = listedAs(upstreamId, connection.discovered ?? []);
    const folded = upstreamId.toLowerCase();
    const isFolded =
      connection.provider.owners.length > 0 && getSpec(upstreamId) === undefined && getSpec(folded) !== undefined;
    const model = discovered?.id ?? (isFolded ? folded : upstreamId);
    const spec = connection.from === "local" ? undefined : getSpec(model);
    const own = connection.ownModels.find((one) => isSameId(one.id, model))?.kind;
    const kinds = own === undefined ? undefined : KINDS[own];
    const served = { id: model, spec, discovered, listed: discovered?.price ?? null, kinds };
    return {
      id,
      spec: spec ?? null,
      discovered,
      capabilities: readKinds(served, connection) ?? guessKinds(served, connection),
      candidates: [this.#candidate(served, connection, this.#ownPrice(id, model))],
    };
  }

  #candidate(served: Served, connection: Connection, own: StoredPrice | undefined): Candidate {
    const kinds = readKinds(served, connection);
    return {
      connection,
      ...(kinds !== undefined && { kinds }),
      upstreamModel: owns(connection, served) ? (served.spec?.upstreamId ?? served.id) : (served.listedId ?? served.id),
      ...this.#applyPrices(getPrice(served, connection, this.#accepted()), own),
    };
  }

  /** The owner's own price by one of the names of a model. */
  #ownPrice(id: string, name: string): StoredPrice | undefined {
    const { prices } = this.#own();
    if (prices.size === 0) return undefined;
    const folded = this.#foldedPrices;
    return prices.get(id) ?? prices.get(name) ?? folded.get(id.toLowerCase()) ?? folded.get(name.toLowerCase());
  }

  /** A custom price takes precedence over the list; of the list, the current entry applies. */
  #applyPrices(listed: Price | null, own: StoredPrice | undefined): Pick<Candidate, "price" | "listPrice"> {
    const { price, until } = priceNow(listed, this.#clock.now());
    this.#pricesEnd = Math.min(this.#pricesEnd, until);
    return own === undefined ? { price } : { price: ownPrice(own), listPrice: price };
  }
}

/** Sorts sandbox connections first, so that no other connection joins their models. */
function standingInFirst(connections: readonly Connection[]): readonly Connection[] {
  return [...connections.filter(({ standsIn }) => standsIn), ...connections.filter(({ standsIn }) => !standsIn)];
}
