/**
 * Makes something when it is first asked for, and once. A schema of twenty fields takes a start a millisecond or two, and
 * most starts never see an image: those of the image endpoints are made so.
 */
export function onDemand<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
