import type { Provider, SpokenDialect } from "./provider.ts";

/** Returns a provider's adapter for a model in a dialect; null if it does not speak that dialect for it. */
export function findAdapter<Name extends SpokenDialect>(
  provider: Provider,
  dialect: Name,
  model: string,
): Exclude<Provider[Name], undefined> | null {
  const adapter = provider[dialect] ?? null;
  return adapter === null || provider.speaks?.(dialect, model) === false
    ? null
    : (adapter as Exclude<Provider[Name], undefined>);
}
