/**
 * Makes something when it is first asked for, and once. A schema of twenty fields takes a start a millisecond or two: the
 * bundler puts this around all of them (main/launch/schemas-on-demand.mjs), and what is made of them at once needs it here.
 */
export function onDemand<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
