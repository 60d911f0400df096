import type { Query, QueryClient, QueryFilters } from "@tanstack/react-query";

/** First fetches that are followed by another one. */
const followed = new WeakSet<Promise<unknown>>();

/**
 * Asks again for what is cached. A first response that is under way cannot be cancelled for a fresher one: that is
 * asked for, once, when it has come.
 */
export function askAgain(cache: QueryClient, filters?: QueryFilters): void {
  for (const query of cache.getQueryCache().findAll(filters)) askOnceMore(cache, query);
  void cache.invalidateQueries(filters);
}

/** Asks again for a query whose first response is under way, when it has come. */
export function askOnceMore(cache: QueryClient, { state, promise, queryKey }: Query): void {
  if (state.data !== undefined || state.fetchStatus !== "fetching") return;
  if (promise === undefined || followed.has(promise)) return;
  followed.add(promise);
  void promise.then(
    () => cache.invalidateQueries({ queryKey, exact: true }),
    () => undefined,
  );
}
