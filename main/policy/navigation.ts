import { isSameOrigin } from "./origin.ts";

/**
 * Tells whether the window may navigate to an address: only within the gateway's origin. `blob:` pages of that origin
 * are refused too, since a page made from bytes would not carry the gateway's Content-Security-Policy.
 * @param address target address, as reported by the browser.
 * @param origin the gateway's origin.
 */
export function mayNavigate(address: string, origin: string): boolean {
  return URL.parse(address)?.protocol !== "blob:" && isSameOrigin(address, origin);
}

/**
 * Tells whether the window may load an address from network or memory. Equal to the gateway's Content-Security-Policy,
 * but also applies to a page without it.
 * @param devTools whether developer tools are available; they load from `devtools:`.
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
 * Returns the normalised address to open in the user's browser, or null if it must not be opened. Only `http:` and
 * `https:` without credentials, because other schemes may start a program. Addresses of the gateway are refused too,
 * because a link in a model's response must not make the browser act on it; except the guide, which only shows text.
 */
export function externalAddress(address: string, origin: string): string | null {
  const url = URL.parse(address);
  if (url === null || url.href.length > LONGEST_ADDRESS) return null;
  if (url.protocol !== "https:" && url.protocol !== "http:") return null;
  if (url.username !== "" || url.password !== "") return null;
  return isSameOrigin(url.href, origin) && !/^\/guide\/[\w-]+\.html$/.test(url.pathname) ? null : url.href;
}
