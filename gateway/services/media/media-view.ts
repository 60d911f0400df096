import type { MediaView } from "../../contract/media.ts";
import type { ListedMedia, MediaStore } from "../../store/media/media-store.ts";
import type { MediaLinks } from "./media-links.ts";

/** What a link to a still is signed for; its path below `/media/`. */
export const posterPath = (id: string): string => `${id}/poster`;

/** A result as the control API shows it. */
export function viewOf({ entry, row }: ListedMedia, store: MediaStore, links: MediaLinks): MediaView {
  const { link, expiresAt } = links.sign(entry.id);
  return {
    ...entry,
    available: !row.missing,
    link,
    link_expires_at: expiresAt,
    poster: row.poster === null ? null : links.sign(posterPath(entry.id)).link,
    path: store.files.pathOf(row.sha256, row.extension),
  };
}
