/**
 * The address that the window loads: the gateway's own pages, with a one-time token in the fragment, which is not sent
 * to the server and not written to its log.
 */
export function pageAddress(url: string, token: string): string {
  return `${url}/#token=${encodeURIComponent(token)}`;
}
