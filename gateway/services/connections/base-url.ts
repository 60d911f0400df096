import { GatewayError } from "../../core/errors.ts";
import { isPrivateHost } from "../../upstream/private-host.ts";
import { isForbiddenAddress } from "../../upstream/targets.ts";
import type { Provider } from "../../providers/provider.ts";

/** Some providers have two base URLs, and the key determines which one applies. */
export function getHome({ homeOf: home }: Provider, keys: readonly string[]): string | null {
  const [key] = keys;
  return key === undefined ? null : (home?.(key) ?? null);
}

/** Parses a base URL as typed by the user; https unless it has another scheme. Returns null if it is not a URL. */
export function parseBaseUrl(text: string): URL | null {
  return URL.parse(text.includes("://") ? text : `https://${text}`);
}

/**
 * Returns the checked base URL.
 * @param allowHttp allows plain http to the internet.
 * @throws GatewayError if it is not an http(s) URL, has credentials, is a forbidden target, or would send keys
 * unencrypted over the internet.
 */
export async function checkedBaseUrl(provider: Provider, given: string | null, allowHttp: boolean): Promise<string> {
  const text = given ?? provider.defaultBaseUrl;
  if (text === null)
    throw new GatewayError("missing_required_parameter", `${provider.label} needs a base URL, as https://host/v1.`, {
      param: "base_url",
    });
  const url = parseBaseUrl(text);
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw new GatewayError("invalid_value", "The base URL must be an http or https address, as https://host/v1.", {
      param: "base_url",
    });
  }
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    throw new GatewayError(
      "invalid_value",
      "The base URL must not hold a user name, a query or a fragment. Give the key as a key.",
      { param: "base_url" },
    );
  }
  if (isForbiddenAddress(url.hostname.replace(/^\[|\]$/g, ""))) {
    throw new GatewayError("invalid_value", "No provider lives at a link-local or metadata address.", {
      param: "base_url",
    });
  }
  if (url.protocol === "http:" && !allowHttp && (await isPrivateHost(url.hostname)) === false) {
    throw new GatewayError(
      "invalid_value",
      `${url.host} is on no private network, and with plain http everybody on the way there can read the key and what is asked. Use https, or confirm that plain http is meant (allow_http).`,
      { param: "allow_http" },
    );
  }
  return provider.normalizeBaseUrl(url);
}
