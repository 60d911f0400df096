import { GatewayError } from "../errors.ts";
import type { ErrorCode } from "../errors.ts";
import type { Health } from "./breaker.ts";

/** A refused key, and the name of its connection. */
export interface Refused {
  readonly name: string;
  readonly health: Health;
}

const CODES: Readonly<Record<Health["state"], ErrorCode>> = {
  refused: "vendor_auth",
  out_of_credit: "vendor_out_of_credit",
  open: "no_upstream",
  cooling: "no_upstream",
  ready: "no_upstream",
};

/**
 * Creates the error of a call that no provider can take. It describes failures in our own words, because a provider's
 * message belongs to the client that received it.
 * @param names of all connections, for display. @param refused keys that can be decrypted. @param now monotonic ms.
 */
export function unavailable(names: string, refused: readonly Refused[], now: number): GatewayError {
  const [first] = refused.toSorted((a, b) => a.health.until - b.health.until);
  if (first === undefined) {
    return new GatewayError(
      "no_upstream",
      `The keys of ${names} cannot be opened on this start. Enter them again on the Providers page.`,
    );
  }
  const sentences = new Set(refused.map(({ name, health }) => describeHealth(name, health, now)));
  return new GatewayError(CODES[first.health.state], [...sentences].join(" "), {
    retryAfter: Math.max(1, (first.health.until - now) / 1_000),
  });
}

function describeHealth(name: string, { state, since }: Health, now: number): string {
  const past = `${Math.max(1, Math.round((now - since) / 1_000))} s ago`;
  switch (state) {
    case "refused":
      return `${name} refuses the key that Postern holds for it, as of ${past}. Replace the key on the Providers page.`;
    case "out_of_credit":
      return `The account behind ${name} is out of credit, as of ${past}. Top it up with the provider.`;
    default:
      return `${name} does not work as of ${past}, and is being tried right now. Try again in a moment.`;
  }
}
