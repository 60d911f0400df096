import { FieldRules } from "../core/keys/key-reach.ts";
import type { Provider } from "./provider.ts";
import { providers } from "./registry.ts";

const KINDS = ["chat", "messages", "responses", "embeddings", "images", "edits", "videos", "transcriptions"] as const;
export type ReachKind = (typeof KINDS)[number];

const rulesByHost = new Map<string, FieldRules>();
/** Max hosts whose rules are kept. */
const MAX_HOSTS = 1_000;

/**
 * Which fields reach further at a connection: those of its adapter, and at any other host than the adapter's own those of
 * the provider whose host it is, and of servers that pass requests on.
 */
export function reachRules(provider: Provider, origin: string, kind: ReachKind): FieldRules {
  const name = `${provider.id} ${kind} ${origin}`;
  let rules = rulesByHost.get(name);
  if (rules === undefined) {
    const host = new URL(origin).hostname;
    const atHome = provider.homes?.test(host) === true;
    const owner = Object.values(providers).find(({ homes }) => homes?.test(host) === true);
    const all = atHome ? [provider] : [provider, owner, providers["openai-compatible"]];
    rules = FieldRules.join(all.map((one) => one?.[kind]?.reaches));
    if (rulesByHost.size >= MAX_HOSTS) rulesByHost.clear();
    rulesByHost.set(name, rules);
  }
  return rules;
}

/** Names at the top of any request that rules of a provider know. */
export const reachNames = (): readonly string[] =>
  Object.values<Provider>(providers).flatMap((provider) =>
    KINDS.flatMap((kind) => provider[kind]?.reaches?.names ?? []),
  );
