import { isSameOrigin } from "./origin.ts";

/**
 * Decides where a page of the window may go: within the gateway's own origin and nowhere else. `blob:` pages of that origin are
 * refused too, since a page made from bytes would not carry the gateway's Content-Security-Policy.
 * @param address where it wants to go, as the browser reports it.
 * @param origin the gateway's address.
 */
export function mayNavigate(address: string, origin: string): boolean {
  return URL.parse(address)?.protocol !== "blob:" && isSameOrigin(address, origin);
}

/**
 * Decides what the window may load from the network or from memory. The gateway's Content-Security-Policy says the same; this
 * holds even for a page that came without it.
 * @param devTools whether developer tools can be opened here; they load themselves from `devtools:`.
 */
export function mayLoad(address: string, origin: string, devTools: boolean): boolean {
  const scheme = URL.parse(address)?.protocol;
  if (scheme === "data:") return true;
  if (scheme === "devtools:") return devTools;
  return isSameOrigin(address, origin);
}

/** Decides what may be saved to disk: files of the gateway, and what its pages made themselves (`blob:` of its origin). */
export function mayDownload(addresses: readonly string[], origin: string): boolean {
  return addresses.length > 0 && addresses.every((address) => isSameOrigin(address, origin));
}

/** Longest address that is handed to the operating system: Windows refuses longer ones with an unclear error. */
const LONGEST_ADDRESS = 2000;

/**
 * The address to open in the owner's browser, normalised, or null when it must not be opened. Only `http:` and
 * `https:` without credentials: every other scheme may start a program. Addresses of the gateway itself are refused as
 * well, because a link in a model's response must not make the browser act on it; but for the guide, which only shows text.
 */
export function externalAddress(address: string, origin: string): string | null {
  const url = URL.parse(address);
  if (url === null || url.href.length > LONGEST_ADDRESS) return null;
  if (url.protocol !== "https:" && url.protocol !== "http:") return null;
  if (url.username !== "" || url.password !== "") return null;
  return isSameOrigin(url.href, origin) && !/^\/guide\/[\w-]+\.html$/.test(url.pathname) ? null : url.href;
}
