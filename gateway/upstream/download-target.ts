import type { CheckedUrl } from "./checked-pool.ts";
import { UpstreamFailure } from "./failure.ts";
import { getAddresses, getLiteral } from "./reach.ts";
import type { Reach } from "./reach.ts";
import { formatTarget } from "./targets.ts";

/** Characters; no provider's address is as long. */
export const LONGEST_URL = 16_384;

/**
 * Returns the permitted target of a result's URL, with its addresses. Anything but https needs an exact allowed pair;
 * DashScope's plain http storage URLs (docs/providers/dashscope.md#speech) are fetched by https instead.
 * @param redirected whether this is a redirect, whose URL is not corrected.
 * @throws UpstreamFailure `refused`, with the same message for all non-public targets, so that networks cannot be
 * probed.
 */
export function getDownloadTarget(text: string, reach: Reach, redirected: boolean): CheckedUrl {
  const url = text.length > LONGEST_URL ? null : URL.parse(text);
  if (url === null) throw createRefusal("it is not a URL");
  if (url.protocol !== "https:" && url.protocol !== "http:") throw createRefusal("it is not an https URL");
  if (url.username !== "" || url.password !== "") throw createRefusal("it holds a user name");
  let trusted = reach.allowed.has(formatTarget(url));
  if (!trusted && url.protocol === "http:" && url.port === "" && !redirected) {
    url.protocol = "https:";
    trusted = reach.allowed.has(formatTarget(url));
  }
  if (!trusted && url.protocol !== "https:") throw createRefusal("it is not an https URL");
  if (!trusted && url.port !== "") throw createRefusal("it names a port that is not allowed");
  const accepts = getAddresses(url, reach);
  const literal = getLiteral(url.hostname);
  if (literal !== null && !accepts(literal)) throw notPublic();
  return { url, accepts };
}

/** Returns the error for hosts that are, or resolve to, a forbidden target. */
export function notPublic(): UpstreamFailure {
  return createRefusal("its host is not on the open internet and not an allowed target");
}

function createRefusal(why: string): UpstreamFailure {
  return new UpstreamFailure("refused", false, `the result's URL was not fetched: ${why}`);
}
