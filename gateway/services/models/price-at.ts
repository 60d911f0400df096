import { OWNERS, priceAtHost } from "../../catalog/owners.ts";
import type { ModelSpec, Price } from "../../core/models/model.ts";
import { readCharge } from "../../core/money/reported-bill.ts";
import { withKnown } from "../../core/price-lists/with-known.ts";
import { BoundedMap } from "../../lib/bounded-map.ts";
import { utcDay } from "../../lib/clock.ts";
import { isRecord } from "../../lib/records.ts";
import { getLiteral } from "../../upstream/reach.ts";
import { isPublicAddress } from "../../upstream/targets.ts";
import type { Connection } from "../connections/connection.ts";
import type { PriceList } from "./price-list.ts";
import { owns } from "./served-by.ts";
import type { Served } from "./served-by.ts";
import type { Candidate } from "./served-model.ts";

/** Price of a server on this machine: all units are free. */
const LOCAL_PRICE: Price = {
  tiers: [
    {
      above: 0,
      rates: { input: 0, output: 0, character: 0, image: 0, image_input: 0, image_output: 0, second: 0, web_search: 0 },
    },
  ],
  always: true,
  source: "runs on this machine",
  as_of: "2026-11-20",
};

/**
 * Returns the price of a model at a connection: from the provider's own list, else the accepted price list, else the
 * catalog, each for the hosts that it covers; null if none has one. A server detected on this machine is free.
 */
export function getPrice(served: Served, connection: Connection, accepted: PriceList | null): Price | null {
  if (connection.from === "local") return LOCAL_PRICE;
  const { spec, listed } = served;
  if (connection.from === "sandbox") return spec?.price ?? null;
  if (listed !== null) {
    const as_of = utcDay(connection.checkedAt ?? connection.createdAt);
    return { ...listed, source: `${connection.name}'s own model list`, as_of };
  }
  const { hostname, relay } = getHost(connection.baseUrl);
  if (relay && spec !== undefined && owns(connection, served)) return priceAtHome(served, spec, accepted);
  return priceAtSeller(served, hostname, accepted);
}

/** Returns the price of a model at a host by an accepted list and by the catalog; null if neither covers the host. */
export function priceAtSeller(
  model: Pick<Served, "id" | "spec">,
  hostname: string,
  accepted: PriceList | null,
): Price | null {
  const { spec } = model;
  const isHome = spec !== undefined && OWNERS.get(spec.owner)?.hosts.includes(hostname) === true;
  const there = isHome ? null : (accepted?.find(hostname, getNames(model)) ?? null);
  if (there !== null) return there;
  return spec === undefined ? null : priceAtHost(spec, hostname, priceAtHome(model, spec, accepted));
}

/** Returns the price of a catalog model at its owner's own API. */
function priceAtHome(model: Pick<Served, "id" | "spec">, spec: ModelSpec, accepted: PriceList | null): Price | null {
  const home = OWNERS.get(spec.owner)?.hosts[0];
  const listed = home === undefined ? null : (accepted?.find(home, getNames(model)) ?? null);
  return listed === null ? spec.price : withKnown(listed, spec.price);
}

/** The names that the provider may have for a model, its own first. */
function getNames({ id, spec }: Pick<Served, "id" | "spec">): readonly string[] {
  if (spec === undefined) return [id];
  return [id, ...(spec.upstreamId === undefined ? [] : [spec.upstreamId]), spec.id, ...spec.aliases];
}

/** Host names of private networks. */
const PRIVATE_NAME = /^[^.]+$|\.(localhost|local|internal|lan|home\.arpa)$/;

interface Host {
  readonly hostname: string;
  /**
   * Whether the host is a relay rather than a seller: a server on a private network that speaks an owner's protocol
   * forwards calls.
   */
  readonly relay: boolean;
}

/** Cached, because each of a connection's models needs it. */
const hosts = new BoundedMap<string, Host>(100);

function getHost(baseUrl: string): Host {
  const known = hosts.get(baseUrl);
  if (known !== undefined) return known;
  const { hostname } = new URL(baseUrl);
  const literal = getLiteral(hostname);
  const host = { hostname, relay: literal === null ? PRIVATE_NAME.test(hostname) : !isPublicAddress(literal) };
  hosts.set(baseUrl, host);
  return host;
}

const OPENROUTER = /(?:^|\.)openrouter\.ai$/;

/** Returns the provider's own charge, nano USD; null if it reports none, or not in a known form. */
export function findCharge(usage: unknown, { connection }: Pick<Candidate, "connection">): number | null {
  if (!isRecord(usage) || (usage["cost"] === undefined && usage["cost_in_usd_ticks"] === undefined)) return null;
  const { origin, discovered } = connection;
  const listsPrices =
    OPENROUTER.test(new URL(origin).hostname) || discovered?.some(({ price }) => price !== null) === true;
  return readCharge(usage, listsPrices);
}
