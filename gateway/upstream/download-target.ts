import type { CheckedUrl } from "./checked-pool.ts";
import { UpstreamFailure } from "./failure.ts";
import { getAddresses, getLiteral } from "./reach.ts";
import type { Reach } from "./reach.ts";
import { formatTarget } from "./targets.ts";

/** Characters; no provider's address is as long. */
export const LONGEST_URL = 16_384;

/**
 * Whether a result's URL may be fetched, and from which addresses. Anything but https needs an exact allowed pair; the
 * plain http URLs that DashScope gives for its storage (docs/providers/dashscope.md#speech) are asked for by https
 * instead.
 * @param redirected a redirect led here: nothing is put right any more.
 * @throws UpstreamFailure `refused`, the same words for all that is not public, so that no one can feel out a network.
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
