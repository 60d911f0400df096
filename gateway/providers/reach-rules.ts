import { FieldRules } from "../core/keys/key-reach.ts";
import type { Provider } from "./provider.ts";
import { providers } from "./registry.ts";

const KINDS = [
  "chat",
  "messages",
  "responses",
  "gemini",
  "completions",
  "embeddings",
  "images",
  "edits",
  "videos",
  "transcriptions",
] as const;
export type ReachKind = (typeof KINDS)[number];

/** Rules by adapter and origin, so that a call builds no name to look them up. */
const rulesByOrigin = new Map<Provider, Map<string, Partial<Record<ReachKind, FieldRules>>>>();
/** Max origins per adapter whose rules are cached. */
const MAX_ORIGINS = 1_000;

/**
 * Returns the restricted fields of a connection: those of its adapter, and at hosts other than the adapter's own also
 * those of the host's provider and of relays.
 */
export function reachRules(provider: Provider, origin: string, kind: ReachKind): FieldRules {
  let origins = rulesByOrigin.get(provider);
  if (origins === undefined) rulesByOrigin.set(provider, (origins = new Map()));
  let kinds = origins.get(origin);
  if (kinds === undefined) {
    if (origins.size >= MAX_ORIGINS) origins.clear();
    origins.set(origin, (kinds = {}));
  }
  return (kinds[kind] ??= joinRules(provider, origin, kind));
}

function joinRules(provider: Provider, origin: string, kind: ReachKind): FieldRules {
  const host = new URL(origin).hostname;
  const atHome = provider.homes?.test(host) === true;
  const owner = Object.values(providers).find(({ homes }) => homes?.test(host) === true);
  const all = atHome ? [provider] : [provider, owner, providers["openai-compatible"]];
  return FieldRules.join(all.map((one) => one?.[kind]?.reaches));
}

/** Returns the top-level field names in all providers' rules. */
export const reachNames = (): readonly string[] =>
  Object.values<Provider>(providers).flatMap((provider) =>
    KINDS.flatMap((kind) => provider[kind]?.reaches?.names ?? []),
  );
