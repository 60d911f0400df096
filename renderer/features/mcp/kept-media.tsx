import { useQuery } from "@tanstack/react-query";
import { Images } from "lucide-react";
import type { ReactNode } from "react";
import type { MediaView } from "../../../gateway/contract/media.ts";
import { useGateway } from "../../api/gateway.tsx";
import { queryNames } from "../../api/query-names.ts";
import { buttonClass } from "../../components/ui/button.tsx";
import { Failure, SkeletonRows } from "../../components/ui/states.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { routeHash } from "../../lib/router.ts";
import { keepLink } from "../library/media-links.ts";
import { MediaViewer } from "../library/media-viewer.tsx";

/** What a tool made, from the library: data inside an answer is not shown, the pages' policy takes files of Postern alone. */
export function KeptMedia({ id }: { readonly id: string }): ReactNode {
  const t = useMessages();
  const { client } = useGateway();
  const { data, error, refetch } = useQuery({
    queryKey: [queryNames.mediaItem, id],
    queryFn: () => client.call("getMedia", {}, id),
    structuralSharing: (before, after) => keepLink(before as MediaView | undefined, after as MediaView, Date.now()),
  });
  return (
    <div>
      {data !== undefined ? (
        <div className={data.kind === "audio" ? "h-60" : "h-80"}>
          <MediaViewer view={data} />
        </div>
      ) : error === null ? (
        <SkeletonRows rows={3} />
      ) : (
        <Failure error={error} onRetry={() => void refetch()} />
      )}
      <a href={routeHash("library", { media: id })} className={`${buttonClass("plain")} mt-2 no-underline`}>
        <Images size={14} aria-hidden />
        {t.mcp.showInLibrary}
      </a>
    </div>
  );
}
