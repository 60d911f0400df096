import type { MediaView } from "../../../gateway/contract/media.ts";

/** Remaining lifetime in milliseconds below which a link is fetched again, before it can expire in use. */
export const RENEW_MS = 10 * 60_000;

/** Returns a link of Postern's own, or null: no other link is used in `src` or `href`. */
export function ownLink(link: string | null): string | null {
  return link !== null && /^\/(?![/\\])[\w\-./?&=%]*$/.test(link) ? link : null;
}

export function needsNewLink(view: MediaView, now: number): boolean {
  return view.link_expires_at - now < RENEW_MS;
}

/**
 * Merges a new view of a result with the known one. The gateway re-signs links in each response; a changed URL would
 * reload a picture and restart a video, so an unchanged result keeps its link.
 */
export function keepLink(before: MediaView | undefined, after: MediaView, now: number): MediaView {
  if (before === undefined || needsNewLink(before, now) || before.available !== after.available) return after;
  if ((before.poster === null) === (after.poster === null)) return before;
  // A still that comes while its video plays does not stop it.
  return { ...after, link: before.link, link_expires_at: before.link_expires_at };
}
