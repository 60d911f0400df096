import { OWNERS } from "./owners.ts";

/** Owners of the catalog by their names in published price lists. */
const BY_LISTED_NAME = new Map([...OWNERS.values()].flatMap((owner) => owner.listedAs.map((name) => [name, owner])));

/** Resellers with token prices, by host. */
const SELLERS: Readonly<Record<string, string>> = {
  openrouter: "openrouter.ai",
  groq: "api.groq.com",
  togetherai: "api.together.xyz",
  together_ai: "api.together.xyz",
  fireworks_ai: "api.fireworks.ai",
  deepinfra: "api.deepinfra.com",
  cerebras: "api.cerebras.ai",
  cohere: "api.cohere.com",
  cohere_chat: "api.cohere.com",
  sambanova: "api.sambanova.ai",
  hyperbolic: "api.hyperbolic.xyz",
  novita: "api.novita.ai",
  nebius: "api.tokenfactory.nebius.com",
  venice: "api.venice.ai",
  vercel: "ai-gateway.vercel.sh",
  vercel_ai_gateway: "ai-gateway.vercel.sh",
};

/** Each request costs a fee next to its tokens, which the lists do not have. */
const WITH_FEES: ReadonlySet<string> = new Set(["api.perplexity.ai"]);

/**
 * Returns the host that sells at the prices of a published list.
 * @param provider its name in the list
 * @param listed its API host if the list has one
 * @returns null if no host is known: clouds with hosts per customer, and hosts that charge more than listed
 */
export function findListHost(provider: string, listed: string | null): string | null {
  const home = BY_LISTED_NAME.get(provider)?.hosts[0];
  const host = home ?? listed ?? (Object.hasOwn(SELLERS, provider) ? SELLERS[provider] : undefined);
  return host === undefined || WITH_FEES.has(host) ? null : host;
}
