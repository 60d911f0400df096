import { Download, Images, Pencil } from "lucide-react";
import type { ReactNode } from "react";
import type { MediaView } from "../../../../gateway/contract/media.ts";
import { Button, buttonClass } from "../../../components/ui/button.tsx";
import { Failure, NoticeLine, SkeletonRows } from "../../../components/ui/states.tsx";
import { useMessages } from "../../../lib/i18n.tsx";
import { routeHash } from "../../../lib/router.ts";
import { ownLink } from "../../../components/media/media-links.ts";
import { MediaViewer } from "../../../components/media/media-viewer.tsx";
import { useMediaItem } from "../../../components/media/use-media-item.ts";
import type { MediaResult } from "./media-result.ts";

export interface SavedResultProps {
  readonly result: MediaResult;
  /** Takes a picture over into the form that edits. */
  readonly onEdit?: (view: MediaView) => void;
}

/** Results of a call, once they are in the library. */
export function SavedResult({ result: { count, media }, onEdit }: SavedResultProps): ReactNode {
  const t = useMessages();
  if (media === null) return <p className="late text-muted">{t.playground.keeping}</p>;
  return (
    <>
      {media.length > 0 && (
        <div className={media.length > 1 ? "grid gap-3 wide:grid-cols-2" : ""}>
          {media.map((id) => (
            <SavedFile key={id} id={id} {...(onEdit !== undefined && { onEdit })} />
          ))}
        </div>
      )}
      {media.length < count && <NoticeLine level="warning">{t.playground.unkept(count - media.length)}</NoticeLine>}
    </>
  );
}

function SavedFile({ id, onEdit }: Pick<SavedResultProps, "onEdit"> & { readonly id: string }): ReactNode {
  const t = useMessages();
  const { data, error, refetch } = useMediaItem(id);
  if (data === undefined) {
    return error === null ? <SkeletonRows rows={3} /> : <Failure error={error} onRetry={() => void refetch()} />;
  }
  const link = data.available ? ownLink(data.link) : null;
  return (
    <div>
      <div className={data.kind === "audio" ? "h-60" : "h-[min(56vh,420px)]"}>
        <MediaViewer view={data} />
      </div>
      <div className="mt-2 flex flex-wrap gap-2">
        <a href={routeHash("library", { media: id })} className={`${buttonClass("plain")} no-underline`}>
          <Images size={14} aria-hidden />
          {t.playground.showInLibrary}
        </a>
        {link !== null && (
          <a href={link} download="" className={`${buttonClass("plain")} no-underline`}>
            <Download size={14} aria-hidden />
            {t.library.download}
          </a>
        )}
        {onEdit !== undefined && data.kind === "image" && link !== null && (
          <Button icon={<Pencil size={14} aria-hidden />} onClick={() => onEdit(data)}>
            {t.playground.editThis}
          </Button>
        )}
      </div>
    </div>
  );
}
