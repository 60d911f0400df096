/**
 * Returns the origin of an address, or null if it has none: anything that does not parse, and every scheme without an
 * authority (`about:`, `data:`, `file:`, `javascript:`). A `blob:` address has the origin of the page that created it.
 */
export function getOrigin(address: string): string | null {
  const origin = URL.parse(address)?.origin;
  return origin === undefined || origin === "null" ? null : origin;
}

/** Whether an address belongs to `origin` exactly: same scheme, same host as written, same port. */
export function isSameOrigin(address: string, origin: string): boolean {
  const own = getOrigin(origin);
  return own !== null && getOrigin(address) === own;
}
