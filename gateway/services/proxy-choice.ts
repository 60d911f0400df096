import { isLoginHidden, parseProxy, showProxy } from "../contract/proxy.ts";
import { GatewayError } from "../core/errors.ts";
import type { Secrets } from "../store/store.ts";

/** A choice of a proxy as records hold it: an address with a login is a secret, and stands here without it. */
export interface StoredProxy {
  readonly proxy?: string | null;
  readonly proxy_secret?: string | null;
}

/**
 * A choice as it is stored; nothing where nothing was chosen.
 * @param before the record that it becomes part of
 * @param encrypt stores an address with a login and returns its id; null where a login cannot be given
 * @throws GatewayError invalid_value for a login that is not known, or that does not belong here
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

/** The choice with its login; without it where the secret cannot be opened, so that the proxy asks for it. */
export function openProxy({ proxy, proxy_secret }: StoredProxy, secrets: Pick<Secrets, "get">): string | null {
  if (proxy == null) return null;
  const opened = proxy_secret == null ? undefined : secrets.get(proxy_secret);
  return opened ?? proxy.replace(/\/\/[^@]*@/, "//");
}
