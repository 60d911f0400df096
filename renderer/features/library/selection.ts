import type { MediaView } from "../../../gateway/contract/media.ts";

/** Max ids per request to the gateway. */
export const MOST_SELECTED = 1_000;

type Views = ReadonlyMap<string, MediaView>;

export function toggle(before: Views, view: MediaView): Views {
  const after = new Map(before);
  if (!after.delete(view.id)) after.set(view.id, view);
  return after;
}

/** Adds as many of the new results as the limit permits. */
export function withAll(before: Views, views: readonly MediaView[]): Views {
  const after = new Map(before);
  for (const view of views) {
    if (after.size >= MOST_SELECTED) break;
    after.set(view.id, view);
  }
  return after;
}
