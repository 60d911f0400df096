/** A program on this machine that forwards requests, with its target. */
export interface Relay {
  readonly name: string;
  readonly address: string;
  readonly targets: readonly string[];
}

/** How a request could come back to its origin. */
export type Loop =
  /** A connection of Postern leads to Postern. */
  | { readonly kind: "connection"; readonly name: string; readonly address: string }
  /** A connection of Postern leads to a relay that leads to Postern. */
  | { readonly kind: "connection-relay"; readonly name: string; readonly address: string; readonly relay: string }
  /** A client calls a relay that leads to Postern: what Postern answers for it is counted there, not by client. */
  | { readonly kind: "client-relay"; readonly address: string; readonly relay: string }
  /** A client calls a program that is also one of Postern's connections: connecting it puts Postern before it. */
  | { readonly kind: "client-connection"; readonly address: string; readonly name: string };

export interface Connection {
  readonly name: string;
  readonly url: string;
}

/** `127.0.0.1:6174` for every way to write an address of this machine; null for other machines. */
function getOwnTarget(url: string): string | null {
  let parsed: URL;
  try {
    parsed = new URL(url);
  } catch {
    return null;
  }
  const host = parsed.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  const loopback =
    host === "localhost" ||
    host.endsWith(".localhost") ||
    host === "::1" ||
    host === "0.0.0.0" ||
    host === "::" ||
    host.startsWith("127.");
  if (!loopback) return null;
  return `127.0.0.1:${parsed.port === "" ? (parsed.protocol === "https:" ? "443" : "80") : parsed.port}`;
}

/** Whether two addresses are the same program on this machine. */
export function samePlace(a: string, b: string): boolean {
  const target = getOwnTarget(a);
  return target !== null && target === getOwnTarget(b);
}

/** Lists Postern's own connections that lead back to it. */
export function listConnectionLoops(
  origin: string,
  connections: readonly Connection[],
  relays: readonly Relay[],
): readonly Loop[] {
  return connections.flatMap(({ name, url }): Loop[] => {
    if (samePlace(url, origin)) return [{ kind: "connection", name, address: url }];
    const relay = relays.find((one) => samePlace(one.address, url) && one.targets.some((to) => samePlace(to, origin)));
    return relay === undefined ? [] : [{ kind: "connection-relay", name, address: url, relay: relay.name }];
  });
}

/** Lists the problems of a client's current target. */
export function listClientLoops(
  origin: string,
  calls: string,
  connections: readonly Connection[],
  relays: readonly Relay[],
): readonly Loop[] {
  if (getOwnTarget(calls) === null || samePlace(calls, origin)) return [];
  const relay = relays.find((one) => samePlace(one.address, calls) && one.targets.some((to) => samePlace(to, origin)));
  if (relay !== undefined) return [{ kind: "client-relay", address: calls, relay: relay.name }];
  const connection = connections.find(({ url }) => samePlace(url, calls));
  return connection === undefined ? [] : [{ kind: "client-connection", address: calls, name: connection.name }];
}
