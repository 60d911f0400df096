import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useSyncExternalStore } from "react";
import type { MediaPage } from "../../../gateway/contract/media.ts";
import { useGateway } from "../../api/gateway.tsx";
import { queryNames } from "../../api/query-names.ts";
import type { Address } from "./media-chunks.ts";
import type { MediaFilter } from "./media-filter.ts";
import { keepLink } from "../../components/media/media-links.ts";
import { MediaList, PAGE } from "./media-list.ts";

/** Scrolled less than this, new results move the list; further down they wait. */
const TOP_PX = 160;
/** Time to keep first pages of unused filters: typing a word leaves one per letter. The whole library's stays. */
const FORGET_MS = 30_000;

export interface OpenLibrary {
  readonly list: MediaList;
  /** Results at a provider's address that are still being fetched. */
  readonly pending: number;
  /** Why there is no first page; null while nothing is wrong. */
  readonly error: unknown;
  retry(): void;
}

/** Whether the page is scrolled to its beginning. */
export function isAtTop(): boolean {
  return (document.querySelector("main")?.scrollTop ?? 0) < TOP_PX;
}

/**
 * The results that a filter lets through. Its first page follows the gateway's events; the list around it fetches
 * what is looked at. Draws again with every change of the list.
 * @param filter stable while it says the same
 */
export function useMediaList(filter: MediaFilter): OpenLibrary {
  const { client } = useGateway();
  const list = useMemo(() => {
    const fetchPage = ({ before, offset }: Address, limit: number) =>
      client.call("listMedia", { ...filter, limit, ...(before !== null && { before }), ...(offset > 0 && { offset }) });
    return new MediaList({ fetchPage, now: Date.now });
  }, [client, filter]);
  useSyncExternalStore(list.subscribe, list.version);

  const { data, error, refetch } = useQuery({
    queryKey: [queryNames.media, filter],
    queryFn: () => client.call("listMedia", { ...filter, limit: PAGE }),
    gcTime: Object.keys(filter).length === 0 ? Number.POSITIVE_INFINITY : FORGET_MS,
    // Pictures that are already loaded stay loaded when the user returns to the page.
    structuralSharing: (before, after) => withLinks(before as MediaPage | undefined, after as MediaPage),
  });
  useEffect(() => {
    if (data !== undefined) list.takeHead(data, isAtTop());
  }, [list, data]);

  useEffect(() => {
    const main = document.querySelector("main");
    const onScroll = (): void => {
      if (isAtTop()) list.takeHeld();
    };
    main?.addEventListener("scroll", onScroll, { passive: true });
    return () => main?.removeEventListener("scroll", onScroll);
  }, [list]);

  return {
    list,
    pending: data?.pending ?? 0,
    error: data === undefined ? error : null,
    retry: () => void refetch(),
  };
}

function withLinks(before: MediaPage | undefined, after: MediaPage): MediaPage {
  const known = new Map(before?.data.map((view) => [view.id, view]));
  return { ...after, data: after.data.map((view) => keepLink(known.get(view.id), view, Date.now())) };
}
