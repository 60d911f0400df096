import { Activity, Clapperboard, Columns2, Download, ExternalLink, FolderOpen, Sparkles, Trash2 } from "lucide-react";
import { useEffect, useState, type KeyboardEvent, type ReactNode } from "react";
import type { MediaView } from "../../../gateway/contract/media.ts";
import { ControlError } from "../../api/client.ts";
import { useKeyNames } from "../../api/key-names.ts";
import { buttonClass, Button } from "../../components/ui/button.tsx";
import { Modal } from "../../components/ui/dialog.tsx";
import { Empty, Failure, SkeletonRows } from "../../components/ui/states.tsx";
import { useNotify } from "../../components/ui/toasts.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { routeHash } from "../../lib/router.ts";
import { ownLink } from "../../components/media/media-links.ts";
import { CopyMenu } from "./copy-menu.tsx";
import type { MediaList } from "./use-media-list.ts";
import { MediaViewer, type Zoomed } from "../../components/media/media-viewer.tsx";
import { Provenance } from "./provenance.tsx";
import { useMediaItem } from "../../components/media/use-media-item.ts";
import { FIT, zoomByKey, type Zoom } from "../../components/media/zoom.ts";
import { Steps } from "./step.tsx";

export interface MediaDialogProps {
  /** The address's result; null for none. */
  readonly id: string | null;
  readonly list: MediaList;
  readonly onMove: (id: string) => void;
  readonly onClose: () => void;
  readonly onDelete: (view: MediaView) => void;
  /** Puts two next to each other. */
  readonly onCompare: (id: string, other: string) => void;
}

/** A result: its media, its origin, and its actions. */
export function MediaDialog({ id, list, onMove, onClose, onDelete, onCompare }: MediaDialogProps): ReactNode {
  const t = useMessages();
  const listed = id === null ? undefined : list.at(list.getIndex(id));
  const query = useMediaItem(id, listed);
  const { error, refetch } = query;
  const gone = error instanceof ControlError && error.status === 404;
  // While Postern does not respond, the list's entry is shown.
  const data = query.data ?? (gone ? undefined : listed);
  const place = id === null ? -1 : list.getIndex(id);
  const move = async (step: number): Promise<void> => {
    const view = place === -1 ? undefined : await list.reach(place + step);
    if (view !== undefined) onMove(view.id);
  };
  // Another result starts fitted.
  const [looked, setLooked] = useState<{ readonly id: string | null; readonly zoom: Zoom }>({ id, zoom: FIT });
  const zoom = looked.id === id ? looked.zoom : FIT;
  const onZoom = (change: (before: Zoom) => Zoom): void =>
    setLooked((before) => ({ id, zoom: change(before.id === id ? before.zoom : FIT) }));
  usePrefetched(list, place);
  const compare = async (view: MediaView): Promise<void> => {
    const other = await neighbourOfKind(list, place, view);
    if (other !== undefined) onCompare(view.id, other.id);
  };
  const remove = async (view: MediaView): Promise<void> => {
    const next = place === -1 ? undefined : ((await list.reach(place + 1)) ?? (await list.reach(place - 1)));
    onDelete(view);
    if (next === undefined) onClose();
    else onMove(next.id);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    // Players and scrollable frames use the arrow keys themselves.
    const own =
      event.target instanceof Element && event.target.closest("video, audio, [tabindex='0']:not(button)") !== null;
    if (event.ctrlKey || event.metaKey || event.altKey || data === undefined) return;
    const zooms = data.kind === "image" ? zoomByKey(event.key) : null;
    if (zooms !== null) {
      event.preventDefault();
      return onZoom(zooms);
    }
    if (own) return;
    if (event.key === "ArrowLeft") void move(-1);
    else if (event.key === "ArrowRight") void move(1);
    else if (event.key === "Delete") void remove(data);
    else return;
    event.preventDefault();
  };

  return (
    <Modal
      open={id !== null}
      onClose={onClose}
      title={
        data === undefined
          ? t.library.detail
          : `${t.library.kindOf[data.kind]} · ${data.origin?.model ?? t.library.unknownOrigin}`
      }
      size="full"
      onKeyDown={onKeyDown}
      returnFocus={() => document.querySelector<HTMLElement>("main [data-active]")}
    >
      <div className="px-4 pt-3 pb-4">
        {data === undefined || gone ? (
          gone ? (
            <Empty title={t.library.notFound} help="" action={<Button onClick={onClose}>{t.app.close}</Button>} />
          ) : error === null ? (
            <SkeletonRows rows={6} />
          ) : (
            <Failure error={error} onRetry={() => void refetch()} />
          )
        ) : (
          <>
            <div className="mb-3 flex flex-wrap items-center gap-2">
              <Steps place={place} total={list.total} onStep={(by) => void move(by)} />
              <span className="grow max-wide:hidden" />
              {data.origin !== null && <OriginLinks view={data} requestId={data.origin.request_id} />}
              {data.origin?.endpoint === "videos" && <TaskLink requestId={data.origin.request_id} />}
              {data.kind !== "audio" && place !== -1 && list.total > 1 && (
                <Button icon={<Columns2 size={14} aria-hidden />} onClick={() => void compare(data)}>
                  {t.library.compare}
                </Button>
              )}
              <FileActions view={data} />
              <CopyMenu views={[data]} />
              <Button icon={<Trash2 size={14} aria-hidden />} onClick={() => void remove(data)}>
                {t.library.delete}
              </Button>
            </div>
            <Body key={data.id} view={data} zoom={zoom} onZoom={onZoom} />
          </>
        )}
      </div>
    </Modal>
  );
}

function Body({ view, ...zoomed }: { readonly view: MediaView } & Zoomed): ReactNode {
  const keyName = useKeyNames();
  return (
    <div className="grid gap-4 min-[900px]:grid-cols-[minmax(0,1fr)_340px]">
      <div
        className={
          view.kind === "audio"
            ? "h-60"
            : "h-[max(240px,44vh)] min-[900px]:sticky min-[900px]:top-0 min-[900px]:h-[max(240px,calc(100dvh-136px))]"
        }
      >
        <MediaViewer view={view} zoomed={zoomed} />
      </div>
      <Provenance view={view} keyName={keyName} />
    </div>
  );
}

/** Preloads the previous and next pictures, so that stepping is instant. */
function usePrefetched(list: MediaList, place: number): void {
  useEffect(() => {
    if (place === -1) return;
    let over = false;
    const prefetch = async (index: number): Promise<void> => {
      const view = await list.reach(index);
      const link = view?.available === true ? ownLink(view.kind === "image" ? view.link : view.poster) : null;
      if (!over && link !== null) new Image().src = link;
    };
    void prefetch(place + 1).then(() => prefetch(place - 1));
    return () => {
      over = true;
    };
  }, [list, place]);
}

/** Max results that are searched for one to compare with. */
const MOST_LOOKED_AT = 50;

/** The nearest older result of the same kind, else the nearest newer one. */
async function neighbourOfKind(list: MediaList, place: number, { kind }: MediaView): Promise<MediaView | undefined> {
  for (const step of [1, -1]) {
    for (let far = 1; far <= MOST_LOOKED_AT; far += 1) {
      const view = await list.reach(place + step * far);
      if (view === undefined) break;
      if (view.kind === kind) return view;
    }
  }
  return undefined;
}

/**
 * Links to the request that made it, and to the playground with its parameters
 * (renderer/features/playground/media-address.ts).
 */
function OriginLinks({ view, requestId }: { readonly view: MediaView; readonly requestId: string }): ReactNode {
  const t = useMessages();
  return (
    <>
      <a href={routeHash("playground", { vary: view.id })} className={`${buttonClass("primary")} no-underline`}>
        <Sparkles size={14} aria-hidden />
        {t.library.vary}
      </a>
      <a href={routeHash("requests", { id: requestId })} className={`${buttonClass("plain")} no-underline`}>
        <Activity size={14} aria-hidden />
        {t.library.showRequest}
      </a>
    </>
  );
}

/** The task that made a video: the list of tasks finds it by the id of its request. */
function TaskLink({ requestId }: { readonly requestId: string }): ReactNode {
  const t = useMessages();
  return (
    <a href={routeHash("tasks", { q: requestId })} className={`${buttonClass("plain")} no-underline`}>
      <Clapperboard size={14} aria-hidden />
      {t.library.showTask}
    </a>
  );
}

/** Actions on the file, in a browser or in the window. */
function FileActions({ view }: { readonly view: MediaView }): ReactNode {
  const t = useMessages();
  const notify = useNotify();
  const { desktop } = window;
  const link = view.available ? ownLink(view.link) : null;
  if (link === null) return null;
  return (
    <>
      <a href={link} download="" className={`${buttonClass("plain")} no-underline`}>
        <Download size={14} aria-hidden />
        {t.library.download}
      </a>
      {desktop === undefined ? (
        <a href={link} target="_blank" rel="noreferrer" className={`${buttonClass("plain")} no-underline`}>
          <ExternalLink size={14} aria-hidden />
          {t.library.openTab}
        </a>
      ) : (
        <Button
          icon={<FolderOpen size={14} aria-hidden />}
          onClick={() => void desktop.showFile(view.path).catch(notify.showError)}
        >
          {t.library.showFile}
        </Button>
      )}
    </>
  );
}
