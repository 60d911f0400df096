import type { Query, QueryClient, QueryFilters } from "@tanstack/react-query";

/** First fetches that are followed by another one. */
const followed = new WeakSet<Promise<unknown>>();

/**
 * Refetches cached queries. A pending first response cannot be cancelled for a fresher one: it is refetched once after
 * it arrives.
 */
export function askAgain(cache: QueryClient, filters?: QueryFilters): void {
  for (const query of cache.getQueryCache().findAll(filters)) askOnceMore(cache, query);
  void cache.invalidateQueries(filters);
}

/** Refetches a query after its pending first response has arrived. */
export function askOnceMore(cache: QueryClient, { state, promise, queryKey }: Query): void {
  if (state.data !== undefined || state.fetchStatus !== "fetching") return;
  if (promise === undefined || followed.has(promise)) return;
  followed.add(promise);
  void promise.then(
    () => cache.invalidateQueries({ queryKey, exact: true }),
    () => undefined,
  );
}
