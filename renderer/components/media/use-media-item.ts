import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import type { MediaView } from "../../../gateway/contract/media.ts";
import { useGateway } from "../../api/gateway.tsx";
import { queryNames } from "../../api/query-names.ts";
import { keepLink } from "./media-links.ts";

/**
 * One file of the library; none is asked for where `id` is null. Its link stays as long as it holds.
 * @param listed what a list knows of it, shown until the response comes
 */
export function useMediaItem(id: string | null, listed?: MediaView): UseQueryResult<MediaView> {
  const { client } = useGateway();
  return useQuery({
    queryKey: [queryNames.mediaItem, id],
    queryFn: () => client.call("getMedia", {}, id ?? ""),
    enabled: id !== null,
    ...(listed !== undefined && { placeholderData: listed }),
    // A player whose address changes begins again, also when the response takes the place of what the list knew.
    structuralSharing: (before, after) =>
      keepLink((before as MediaView | undefined) ?? listed, after as MediaView, Date.now()),
  });
}
