import { isLoginHidden, parseProxy, showProxy } from "../contract/proxy.ts";
import { GatewayError } from "../core/errors.ts";
import type { Secrets } from "../store/store.ts";

/** A stored proxy setting, without the credentials of its address, which are a secret. */
export interface StoredProxy {
  readonly proxy?: string | null;
  readonly proxy_secret?: string | null;
}

/**
 * Converts a proxy setting to its stored form; empty if none was chosen.
 * @param before the current record
 * @param encrypt stores an address with a login and returns its id; null if credentials are not allowed
 * @throws GatewayError invalid_value for unknown or misplaced credentials
 */
export async function storeProxy(
  configured: string | undefined,
  before: StoredProxy,
  encrypt: ((address: string) => Promise<string>) | null,
): Promise<StoredProxy> {
  if (configured === undefined) return {};
  const text = configured.trim();
  const proxy = parseProxy(text);
  if (proxy === null) return { proxy: text, proxy_secret: null };
  const shown = showProxy(proxy);
  if (isLoginHidden(text)) {
    if (shown === before.proxy && before.proxy_secret != null) return {};
    throw refuseLogin(`The login of ${shown} is not known here`);
  }
  if (proxy.login === null) return { proxy: shown, proxy_secret: null };
  if (encrypt === null) throw refuseLogin(`The address of the proxy must hold no login in a file`);
  return { proxy: shown, proxy_secret: await encrypt(text) };
}

function refuseLogin(why: string): GatewayError {
  const places =
    "on the Settings page, in the provider's dialog, by `postern settings set --proxy`, or in POSTERN_PROXY";
  return new GatewayError("invalid_value", `${why}: give the whole address with its login ${places}.`, {
    param: "proxy",
  });
}

/**
 * Returns the proxy setting with its credentials, or without them if they cannot be decrypted, so that the proxy
 * rejects it.
 */
export function openProxy({ proxy, proxy_secret }: StoredProxy, secrets: Pick<Secrets, "get">): string | null {
  if (proxy == null) return null;
  const opened = proxy_secret == null ? undefined : secrets.get(proxy_secret);
  return opened ?? proxy.replace(/\/\/[^@]*@/, "//");
}
