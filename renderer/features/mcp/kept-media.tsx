import { Images } from "lucide-react";
import type { ReactNode } from "react";
import { buttonClass } from "../../components/ui/button.tsx";
import { Failure, SkeletonRows } from "../../components/ui/states.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { routeHash } from "../../lib/router.ts";
import { MediaViewer } from "../../components/media/media-viewer.tsx";
import { useMediaItem } from "../../components/media/use-media-item.ts";

/** What a tool made, from the library: data inside a response is not shown, the pages' policy takes files of Postern alone. */
export function KeptMedia({ id }: { readonly id: string }): ReactNode {
  const t = useMessages();
  const { data, error, refetch } = useMediaItem(id);
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
