import type { MediaView } from "../../../gateway/contract/media.ts";
import { ownLink } from "../../components/media/media-links.ts";

/** Max files that the window hands over together (main/policy/drag-ids.ts). */
const MOST_DRAGGED = 50;

/** Returns the data of a drag in a browser, by type; null if no result has a file. */
export function dragData(
  views: readonly MediaView[],
  origin: string,
): { readonly downloadUrl: string; readonly uriList: string } | null {
  const files = views.flatMap((view) => {
    const link = view.available ? ownLink(view.link) : null;
    return link === null ? [] : [{ view, href: new URL(link, origin).href }];
  });
  const [first] = files;
  if (first === undefined) return null;
  return {
    // A Chromium-only format that takes one file.
    downloadUrl: `${first.view.type}:${fileName(first.view)}:${first.href}`,
    uriList: files.map(({ href }) => href).join("\r\n"),
  };
}

function fileName({ id, at, path }: MediaView): string {
  const extension = /\.([a-z0-9]{1,8})$/.exec(path)?.[1] ?? "bin";
  return `postern-${new Date(at).toISOString().slice(0, 10)}-${id.slice(-8)}.${extension}`;
}

/**
 * Lets a drag carry the files of these results out of the page: the files themselves in the window, links in a browser.
 * @param onFailed called if the window could not
 */
export function dragOut(event: DragEvent, views: readonly MediaView[], onFailed: (error: unknown) => void): void {
  const { desktop } = window;
  const there = views.filter(({ available }) => available).slice(0, MOST_DRAGGED);
  const data = dragData(there, location.origin);
  if (data === null || event.dataTransfer === null) return event.preventDefault();
  if (desktop !== undefined) {
    event.preventDefault();
    void desktop.dragFiles(there.map(({ id }) => id)).catch(onFailed);
    return;
  }
  event.dataTransfer.effectAllowed = "copy";
  event.dataTransfer.setData("DownloadURL", data.downloadUrl);
  event.dataTransfer.setData("text/uri-list", data.uriList);
}
