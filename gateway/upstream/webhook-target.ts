import type { CheckedUrl } from "./checked-pool.ts";
import { UpstreamFailure } from "./failure.ts";
import { getAddresses, getLiteral } from "./reach.ts";
import type { Reach } from "./reach.ts";
import { isLoopbackHost, formatTarget } from "./targets.ts";

/** Our own refusal. The message is the rest of a sentence about the URL. */
export class WebhookRefused extends UpstreamFailure {
  constructor(rule: string) {
    super("refused", false, rule);
  }
}

const LOOPBACK = "127.0.0.1";

/**
 * Returns the permitted webhook target of a URL: https on port 443 and http on port 80 of the public internet, and
 * exact allowed pairs. Resolved addresses are checked on connect.
 * @throws WebhookRefused, with the same message for all unreachable targets, so that networks cannot be probed
 */
export function webhookTarget(text: string, reach: Reach): CheckedUrl {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) {
    throw new WebhookRefused("must be an https or http URL");
  }
  if (url.username !== "" || url.password !== "") throw new WebhookRefused("must not hold a user name or password");
  if (text.includes("#")) throw new WebhookRefused("must not hold a fragment (#…)");
  const accepts = getAddresses(url, reach);
  if (url.port !== "" && !reach.allowed.has(formatTarget(url))) throw unreachable();
  const host = url.hostname.replace(/\.$/, "");
  const address = getLiteral(host) ?? (isLoopbackHost(host) ? LOOPBACK : null);
  if (address !== null && !accepts(address)) throw unreachable();
  return { url, accepts };
}

/** Creates the error for hosts that are, or resolve to, a forbidden target. */
export function unreachable(): WebhookRefused {
  return new WebhookRefused(
    "must be on the open internet, by https on port 443 or http on port 80, or be an allowed target (host:port in the settings or in POSTERN_ALLOW_TARGETS)",
  );
}
