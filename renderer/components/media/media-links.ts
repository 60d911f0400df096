import type { MediaView } from "../../../gateway/contract/media.ts";

/** With less time left than this a link is asked for again before anybody can find it expired. */
export const RENEW_MS = 10 * 60_000;

/** A link of Postern's own, or null: nothing else is ever put into an `src` or an `href`. */
export function ownLink(link: string | null): string | null {
  return link !== null && /^\/(?![/\\])[\w\-./?&=%]*$/.test(link) ? link : null;
}

export function needsNewLink(view: MediaView, now: number): boolean {
  return view.link_expires_at - now < RENEW_MS;
}

/**
 * What is known of a result after it was asked for again. The gateway signs its links again with each response; a
 * picture whose address changes is loaded and a video started again, so what is the same keeps its link.
 */
export function keepLink(before: MediaView | undefined, after: MediaView, now: number): MediaView {
  if (before === undefined || needsNewLink(before, now) || before.available !== after.available) return after;
  if ((before.poster === null) === (after.poster === null)) return before;
  // A still that comes while its video plays does not stop it.
  return { ...after, link: before.link, link_expires_at: before.link_expires_at };
}
