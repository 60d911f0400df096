import { ChevronLeft, ChevronRight, Clapperboard, Download, ExternalLink, FolderOpen, Trash2 } from "lucide-react";
import type { KeyboardEvent, ReactNode } from "react";
import type { MediaView } from "../../../gateway/contract/media.ts";
import { ControlError } from "../../api/client.ts";
import { useKeyNames } from "../../api/key-names.ts";
import { buttonClass, Button } from "../../components/ui/button.tsx";
import { CopyButton } from "../../components/ui/copy.tsx";
import { Modal } from "../../components/ui/dialog.tsx";
import { Empty, Failure, SkeletonRows } from "../../components/ui/states.tsx";
import { useNotify } from "../../components/ui/toasts.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { routeHash } from "../../lib/router.ts";
import { ownLink } from "../../components/media/media-links.ts";
import type { MediaList } from "./media-list.ts";
import { MediaViewer } from "../../components/media/media-viewer.tsx";
import { Provenance } from "./provenance.tsx";
import { useMediaItem } from "../../components/media/use-media-item.ts";

export interface MediaDialogProps {
  /** The result of the address; null for none. */
  readonly id: string | null;
  readonly list: MediaList;
  readonly onMove: (id: string) => void;
  readonly onClose: () => void;
  readonly onDelete: (view: MediaView) => void;
}

/** One result: the thing itself, what it came from, and what can be done with it. */
export function MediaDialog({ id, list, onMove, onClose, onDelete }: MediaDialogProps): ReactNode {
  const t = useMessages();
  const listed = id === null ? undefined : list.at(list.indexOf(id));
  const asked = useMediaItem(id, listed);
  const { error, refetch } = asked;
  const gone = error instanceof ControlError && error.status === 404;
  // While Postern does not answer, what the list holds is shown.
  const data = asked.data ?? (gone ? undefined : listed);
  const place = id === null ? -1 : list.indexOf(id);
  const move = async (step: number): Promise<void> => {
    const view = place === -1 ? undefined : await list.reach(place + step);
    if (view !== undefined) onMove(view.id);
  };
  const remove = async (view: MediaView): Promise<void> => {
    const next = place === -1 ? undefined : ((await list.reach(place + 1)) ?? (await list.reach(place - 1)));
    onDelete(view);
    if (next === undefined) onClose();
    else onMove(next.id);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    // Players and scrolled frames have arrows of their own.
    const own = event.target instanceof Element && event.target.closest("video, audio, [tabindex='0']") !== null;
    if (own || event.ctrlKey || event.metaKey || event.altKey || data === undefined) return;
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
      size="wide"
      returnFocus={() => document.querySelector<HTMLElement>("main [data-active]")}
    >
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- Keys of the dialog, wherever in it the focus is. */}
      <div onKeyDown={onKeyDown} className="px-4 pt-3 pb-4">
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
              <Step label={t.library.previous} possible={place > 0} onPress={() => void move(-1)}>
                <ChevronLeft size={15} aria-hidden />
              </Step>
              <Step
                label={t.library.next}
                possible={place !== -1 && place < list.total - 1}
                onPress={() => void move(1)}
              >
                <ChevronRight size={15} aria-hidden />
              </Step>
              <span className="grow max-wide:hidden" />
              {data.origin?.endpoint === "videos" && <TaskLink requestId={data.origin.request_id} />}
              <FileActions view={data} />
              <Button icon={<Trash2 size={14} aria-hidden />} onClick={() => void remove(data)}>
                {t.library.delete}
              </Button>
            </div>
            <Body key={data.id} view={data} />
          </>
        )}
      </div>
    </Modal>
  );
}

interface StepProps {
  readonly label: string;
  readonly possible: boolean;
  readonly onPress: () => void;
  readonly children: ReactNode;
}

/** It keeps the focus where it leads nowhere, and has no tooltip: Escape would close that first. */
function Step({ label, possible, onPress, children }: StepProps): ReactNode {
  return (
    <Button
      aria-label={label}
      aria-disabled={!possible || undefined}
      onClick={onPress}
      className={`w-7 px-0! pointer-coarse:w-9 ${possible ? "" : "opacity-50"}`}
    >
      {children}
    </Button>
  );
}

function Body({ view }: { readonly view: MediaView }): ReactNode {
  const keyName = useKeyNames();
  return (
    <div className="grid gap-4 min-[900px]:grid-cols-[minmax(0,1fr)_340px]">
      <div
        className={view.kind === "audio" ? "h-60" : "h-[max(240px,min(62vh,640px))] max-[899px]:h-[max(240px,44vh)]"}
      >
        <MediaViewer view={view} />
      </div>
      <Provenance view={view} keyName={keyName} />
    </div>
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

/** What can be done with the file, in a browser or in the window. */
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
          onClick={() => void desktop.showFile(view.path).catch(notify.failed)}
        >
          {t.library.showFile}
        </Button>
      )}
      <CopyButton text={new URL(link, location.origin).href} label={t.library.copyLink} />
    </>
  );
}
