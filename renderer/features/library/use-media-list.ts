import { useCallback } from "react";
import type { MediaPage, MediaView } from "../../../gateway/contract/media.ts";
import { useGateway } from "../../api/gateway.tsx";
import { queryNames } from "../../api/query-names.ts";
import { useList, type ListView } from "../../api/use-list.ts";
import { keepLink, needsNewLink, RENEW_MS } from "../../components/media/media-links.ts";
import type { PageStart } from "../../lib/list-chunks.ts";
import type { PagedList } from "../../lib/paged-list.ts";
import type { MediaFilter } from "./media-filter.ts";

const PAGE_ROWS = 100;

export type MediaList = PagedList<MediaView, MediaPage>;

/** Keeps the signed link of a displayed result, so that pictures and videos are not reloaded. */
export const renewMedia = (before: MediaView | undefined, after: MediaView, now = Date.now()): MediaView =>
  keepLink(before, after, now);
/** Whether signed links of a page are about to expire. */
export const expires = (last: MediaView, at: number, now = Date.now()): boolean =>
  needsNewLink(last, now) && now - at > RENEW_MS;

/** Lists the matching results, newest first. @param filter must be stable while unchanged */
export function useMediaList(filter: MediaFilter): ListView<MediaView, MediaFilter, MediaPage> {
  const { client } = useGateway();
  const fetchPage = useCallback(
    (of: MediaFilter, { before, offset }: PageStart, limit: number) =>
      client.call("listMedia", { ...of, limit, ...(before !== null && { before }), ...(offset > 0 && { offset }) }),
    [client],
  );
  return useList({
    name: queryNames.media,
    filter,
    fetchPage,
    pageRows: PAGE_ROWS,
    renew: renewMedia,
    isOutdated: expires,
    // The first page of the whole library stays, with the pictures that are loaded.
    ...(Object.keys(filter).length === 0 && { cacheMs: Number.POSITIVE_INFINITY }),
  });
}
