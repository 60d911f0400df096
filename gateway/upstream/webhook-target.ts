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
 * Whether a callback may be made to this URL, and to which addresses: https on port 443 and http on port 80 of the open
 * internet, and exact allowed pairs. What a name resolves to is looked at when the connection is made.
 * @throws WebhookRefused, with the same words for all that cannot be reached, so that no one can feel out a network
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
