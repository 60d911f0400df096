import type { UpdateConnection } from "../../contract/connection.ts";
import { GatewayError } from "../../core/errors.ts";
import { sha256 } from "../../lib/ids.ts";
import type { StoredConnection } from "../../store/document.ts";
import type { Peer } from "../../upstream/provider-client.ts";
import { isProviderId, providerIds, providers } from "../../providers/registry.ts";
import type { ProviderId } from "../../providers/registry.ts";
import type { Provider } from "../../providers/provider.ts";
import { checkedBaseUrl, parseBaseUrl } from "./base-url.ts";

/** @throws GatewayError naming the providers that there are. */
export function findProviderId(id: string): ProviderId {
  if (isProviderId(id)) return id;
  throw new GatewayError(
    "invalid_value",
    `Invalid value for 'provider': ${JSON.stringify(id)}; expected one of ${providerIds.map((one) => JSON.stringify(one)).join(", ")}.`,
    { param: "provider" },
  );
}

/** Refuses changes of fields that hold because the program was detected. */
export function refuseForFound({ server, name, base_url }: StoredConnection, change: UpdateConnection): void {
  if (server === undefined) return;
  const moved = change.base_url !== undefined && change.base_url !== base_url;
  if (!moved && change.stands_in !== true) return;
  throw new GatewayError(
    "conflict",
    moved
      ? `"${name}" is a program that was found at ${base_url}. To reach another address, add a connection.`
      : `"${name}" was found on this machine, so it serves other providers' models under its own name only. To have it stand in for them, add a connection to it manually.`,
    { param: moved ? "base_url" : "stands_in" },
  );
}

/** @throws GatewayError if prompts are to be marked for a provider without that kind of cache. */
export function getCaching({ label, chat, messages }: Provider, isRequested: boolean): boolean {
  if (!isRequested || [chat, messages].some((adapter) => adapter?.cachesFrom !== undefined)) return isRequested;
  throw new GatewayError(
    "invalid_value",
    `${label} has no prompt cache that requests have to ask for: what it caches, it caches by itself. Leave 'prompt_caching' out.`,
    { param: "prompt_caching" },
  );
}

/**
 * Returns the user's settings for the peer.
 * @param proxy the connection's own choice, with its login
 * @param headers fields that each request gets
 */
export function getPeer(
  { server, allow_http }: Pick<StoredConnection, "server" | "allow_http">,
  proxy: string | null,
  headers: Peer["headers"] = null,
): Peer | undefined {
  const choice = proxy === "default" ? null : proxy;
  if (server === undefined && allow_http !== true && choice === null && headers === null) return undefined;
  return { plainHttp: allow_http === true, uid: server?.uid ?? null, proxy: choice, headers };
}

/** Returns the hash of the origin that a key is bound to. */
export function boundTo(baseUrl: string): string {
  return sha256(new URL(baseUrl).origin).slice(0, 16);
}

/** Whether a key may be used at a base URL. Keys of earlier versions are bound to no origin. */
export function mayOpen(secretId: string, baseUrl: string): boolean {
  const [, bound] = secretId.split(".");
  return bound === undefined || bound === boundTo(baseUrl);
}

/**
 * Returns a connection's address after a change.
 * @throws GatewayError if its keys would go to an address that they were not given for.
 */
export async function movedTo(
  record: StoredConnection,
  { base_url, allow_http, keys }: UpdateConnection,
): Promise<Required<Pick<StoredConnection, "base_url" | "allow_http">>> {
  const wasAllowed = record.allow_http === true;
  if (base_url === undefined && allow_http === undefined) return { base_url: record.base_url, allow_http: wasAllowed };
  const before = new URL(record.base_url).origin;
  const target = base_url ?? record.base_url;
  // Permission for one origin does not extend to another.
  const allowed = allow_http ?? (wasAllowed && parseBaseUrl(target)?.origin === before);
  const next = await checkedBaseUrl(providers[record.provider], target, allowed);
  const { origin, protocol } = new URL(next);
  if (origin !== before && record.secrets.length > 0 && keys === undefined) {
    throw new GatewayError(
      "missing_required_parameter",
      `The key of "${record.name}" was given for ${before}. To go to ${origin}, give the key for that address as well.`,
      { param: "keys" },
    );
  }
  return { base_url: next, allow_http: allowed && protocol === "http:" };
}
