/**
 * Creates a value on first use, and caches it. A schema of twenty fields takes a millisecond or two at start: the
 * bundler wraps all schemas in this (main/launch/schemas-on-demand.mjs), and values derived from them at load time use
 * it explicitly.
 */
export function onDemand<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
