import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import type { MediaView } from "../../../gateway/contract/media.ts";
import { useGateway } from "../../api/gateway.tsx";
import { queryNames } from "../../api/query-names.ts";
import { keepLink } from "./media-links.ts";

/**
 * Fetches a file of the library; fetches nothing if `id` is null. Its link is reused while valid.
 * @param listed the list's view of it, shown until the response arrives
 */
export function useMediaItem(id: string | null, listed?: MediaView): UseQueryResult<MediaView> {
  const { client } = useGateway();
  return useQuery({
    queryKey: [queryNames.mediaItem, id],
    queryFn: () => client.call("getMedia", {}, id ?? ""),
    enabled: id !== null,
    ...(listed !== undefined && { placeholderData: listed }),
    // A player restarts if its URL changes, also when the response replaces the list's view.
    structuralSharing: (before, after) =>
      keepLink((before as MediaView | undefined) ?? listed, after as MediaView, Date.now()),
  });
}
