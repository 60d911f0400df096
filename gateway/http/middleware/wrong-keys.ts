import { createHash } from "node:crypto";
import type { Socket } from "node:net";
import ipaddr from "ipaddr.js";
import { GatewayError } from "../../core/errors.ts";
import { BoundedMap } from "../../lib/bounded-map.ts";
import type { Clock } from "../../lib/clock.ts";
import { isThisMachine } from "./local-only.ts";

/** Max different wrong keys from one place per minute: repeating the same wrong key is not guessing. */
const MOST_A_MINUTE = 20;
const MINUTE_MS = 60_000;
const MOST_PLACES = 1_000;
/** Characters of a digest that distinguish keys. */
const DIGEST_CHARACTERS = 16;

interface Guesses {
  /** Monotonic milliseconds. */
  readonly since: number;
  readonly digests: Set<string>;
}

type Peer = Pick<Socket, "remoteAddress" | "localAddress">;

/** A brake on guessing keys from other machines. Programs of this machine are never refused for wrong keys. */
export class WrongKeys {
  readonly #clock: Clock;
  readonly #places = new BoundedMap<string, Guesses>(MOST_PLACES);
  /** Whether there are any entries to check. */
  any = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @throws GatewayError rate_limit_exceeded, for a place with too many different wrong keys */
  check(peer: Peer): void {
    const place = getPlace(peer);
    const guesses = place === null ? undefined : this.#places.get(place);
    if (guesses === undefined || guesses.digests.size < MOST_A_MINUTE) return;
    const left = guesses.since + MINUTE_MS - this.#clock.monotonic();
    if (left <= 0) return;
    throw new GatewayError(
      "rate_limit_exceeded",
      `Too many different wrong keys came from this address. Try again in ${Math.ceil(left / 1_000)} s, with a key from the Keys page.`,
      { retryAfter: left / 1_000 },
    );
  }

  note(peer: Peer, given: string): void {
    const place = getPlace(peer);
    if (place === null) return;
    const now = this.#clock.monotonic();
    let guesses = this.#places.get(place);
    if (guesses === undefined || now - guesses.since >= MINUTE_MS) guesses = { since: now, digests: new Set() };
    guesses.digests.add(createHash("sha256").update(given).digest("hex").slice(0, DIGEST_CHARACTERS));
    this.#places.set(place, guesses);
    this.any = true;
  }
}

/** Groups addresses of one user: an IPv4 address, or an IPv6 /64 network. Null: this machine. */
function getPlace({ remoteAddress, localAddress }: Peer): string | null {
  if (remoteAddress === undefined || isThisMachine(remoteAddress, localAddress)) return null;
  // A zone names an interface of ours.
  const bytes = ipaddr.process(remoteAddress.replace(/%.*$/, "")).toByteArray();
  return Buffer.from(bytes.slice(0, 8)).toString("hex");
}
