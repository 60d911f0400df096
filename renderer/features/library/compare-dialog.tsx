import { useRef, useState, type KeyboardEvent, type ReactNode } from "react";
import type { MediaView } from "../../../gateway/contract/media.ts";
import { getCaption } from "../../components/media/media-caption.ts";
import { ownLink } from "../../components/media/media-links.ts";
import { ZoomButtons } from "../../components/media/media-viewer.tsx";
import { useBroken } from "../../components/media/use-broken.ts";
import { useMediaItem } from "../../components/media/use-media-item.ts";
import { FIT, zoomByKey, type Zoom } from "../../components/media/zoom.ts";
import { ZoomPane, type ChangeZoom } from "../../components/media/zoom-pane.tsx";
import { Button, buttonClass } from "../../components/ui/button.tsx";
import { Modal } from "../../components/ui/dialog.tsx";
import { Cost } from "../../components/ui/figures.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { routeHash } from "../../lib/router.ts";
import { differingParameters } from "./differences.ts";
import { FilmControls } from "./film-controls.tsx";
import type { MediaList } from "./use-media-list.ts";
import { Steps } from "./step.tsx";

export interface CompareDialogProps {
  /** The two results; null for none. */
  readonly ids: readonly [string, string] | null;
  readonly list: MediaList;
  readonly onChange: (ids: readonly [string, string]) => void;
  readonly onClose: () => void;
}

/** Two results next to each other: zoomed and moved as one, films played as one, and what their requests differ in. */
export function CompareDialog({ ids, list, onChange, onClose }: CompareDialogProps): ReactNode {
  const t = useMessages();
  const [zoom, setZoom] = useState<Zoom>(FIT);
  const onKeyDown = (event: KeyboardEvent): void => {
    const zooms = event.ctrlKey || event.metaKey || event.altKey ? null : zoomByKey(event.key);
    if (zooms === null) return;
    event.preventDefault();
    setZoom(zooms);
  };
  return (
    <Modal
      open={ids !== null}
      onClose={() => {
        setZoom(FIT);
        onClose();
      }}
      title={t.library.compareTitle}
      size="full"
      returnFocus={() => document.querySelector<HTMLElement>("main [data-active]")}
      onKeyDown={onKeyDown}
    >
      {ids !== null && <Comparison ids={ids} list={list} zoom={zoom} onZoom={setZoom} onChange={onChange} />}
    </Modal>
  );
}

type ComparisonProps = Pick<CompareDialogProps, "list" | "onChange"> & {
  readonly ids: readonly [string, string];
  readonly zoom: Zoom;
  readonly onZoom: ChangeZoom;
};

function Comparison({ ids, list, zoom, onZoom, onChange }: ComparisonProps): ReactNode {
  const t = useMessages();
  const films = useRef<HTMLDivElement>(null);
  const [first, second] = [useResult(ids[0], list), useResult(ids[1], list)];
  const replace = async (side: 0 | 1, step: number): Promise<void> => {
    const view = await list.reach(list.getIndex(ids[side]) + step);
    if (view !== undefined) onChange(side === 0 ? [view.id, ids[1]] : [ids[0], view.id]);
  };
  const playable = [first, second].some((view) => view?.kind === "video" && view.available);
  return (
    <div className="px-4 pt-3 pb-4">
      <div className="mb-3 flex flex-wrap items-center gap-1">
        {playable && <FilmControls key={ids.join(" ")} films={films} />}
        <span className="grow" />
        <ZoomButtons onZoom={onZoom} />
        <Button aria-disabled={zoom.scale === 1 || undefined} onClick={() => onZoom(() => FIT)}>
          {t.library.fit}
        </Button>
      </div>
      <div ref={films} className="grid gap-3 min-[720px]:grid-cols-2">
        {([first, second] as const).map((view, index) => (
          <Side
            key={index}
            name={t.library.sides[index === 0 ? 0 : 1]}
            view={view}
            list={list}
            zoom={zoom}
            onZoom={onZoom}
            onStep={(step) => void replace(index === 0 ? 0 : 1, step)}
          />
        ))}
      </div>
      {first !== undefined && second !== undefined && <Differences views={[first, second]} />}
    </div>
  );
}

function useResult(id: string, list: MediaList): MediaView | undefined {
  const listed = list.at(list.getIndex(id));
  return useMediaItem(id, listed).data ?? listed;
}

interface SideProps {
  readonly name: string;
  readonly view: MediaView | undefined;
  readonly list: MediaList;
  readonly zoom: Zoom;
  readonly onZoom: ChangeZoom;
  readonly onStep: (by: number) => void;
}

function Side({ name, view, list, zoom, onZoom, onStep }: SideProps): ReactNode {
  const t = useMessages();
  return (
    <section aria-label={name} className="flex min-w-0 flex-col gap-2">
      <div className="flex h-7 items-center gap-2 pointer-coarse:h-9">
        <Steps place={view === undefined ? -1 : list.getIndex(view.id)} total={list.total} onStep={onStep} />
        <span className="min-w-0 grow truncate" title={view?.origin?.prompt.slice(0, 500)}>
          {view !== undefined && getCaption(view, t)}
        </span>
        {view !== undefined && (
          <a href={routeHash("library", { media: view.id })} className={`${buttonClass("quiet")} no-underline`}>
            {t.library.open}
          </a>
        )}
      </div>
      <div className="relative h-[max(200px,34vh)] min-[720px]:h-[max(240px,calc(100dvh-300px))]">
        {view !== undefined && <Shown key={view.id} name={name} view={view} zoom={zoom} onZoom={onZoom} />}
      </div>
    </section>
  );
}

function Shown(props: {
  readonly name: string;
  readonly view: MediaView;
  readonly zoom: Zoom;
  readonly onZoom: ChangeZoom;
}): ReactNode {
  const t = useMessages();
  const { name, view, zoom, onZoom } = props;
  const source = view.available && view.kind !== "audio" ? ownLink(view.link) : null;
  const { because, fail } = useBroken(source);
  const size = view.width !== null && view.height !== null ? { width: view.width, height: view.height } : null;
  if (source === null || because !== null) {
    return (
      <p className="flex size-full items-center justify-center rounded-md bg-pressed text-muted">
        {because === "gateway" ? t.app.unreachable : t.library.missing}
      </p>
    );
  }
  return (
    <ZoomPane label={name} size={size} zoom={zoom} onZoom={onZoom} upscales wheelZooms>
      {view.kind === "image" ? (
        <img
          src={source}
          alt={getCaption(view, t).slice(0, 300)}
          decoding="async"
          draggable={false}
          onError={fail}
          className="size-full object-contain"
        />
      ) : (
        <video
          src={source}
          muted
          playsInline
          preload="auto"
          poster={ownLink(view.poster) ?? undefined}
          aria-label={getCaption(view, t).slice(0, 300)}
          onError={fail}
          className="size-full object-contain"
        />
      )}
    </ZoomPane>
  );
}

/** Differences of the two origins: model and cost, and the parameters that differ. */
function Differences({ views }: { readonly views: readonly [MediaView, MediaView] }): ReactNode {
  const t = useMessages();
  const rows = differingParameters(...views);
  const prompts = views.map(({ origin }) => origin?.prompt ?? "");
  return (
    <table className="mt-3 w-full table-fixed border-t border-line text-left">
      <caption className="sr-only">{t.library.differences}</caption>
      <thead>
        <tr className="border-b border-line text-meta text-faint">
          <th scope="col" className="w-28 py-1 pr-3 font-normal">
            {t.library.differences}
          </th>
          {t.library.sides.map((side) => (
            <th key={side} scope="col" className="py-1 pr-3 font-normal">
              {side}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        <Row name={t.library.model} cells={views.map(({ origin }) => origin?.model ?? t.library.unknownOrigin)} />
        <Row
          name={t.library.costOf}
          cells={views.map(({ id, origin }) => origin !== null && <CostLink key={id} origin={origin} />)}
        />
        {prompts[0] !== prompts[1] && <Row name={t.library.prompt} cells={prompts} />}
        {rows.map(({ name, values }) => (
          <Row key={name} name={name} cells={values} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ name, cells }: { readonly name: string; readonly cells: readonly ReactNode[] }): ReactNode {
  return (
    <tr className="border-b border-line/60 align-top last:border-transparent">
      <th scope="row" className="py-1 pr-3 font-normal wrap-anywhere text-muted">
        {name}
      </th>
      {cells.map((cell, index) => (
        <td key={index} className="numeric py-1 pr-3 wrap-anywhere">
          {cell}
        </td>
      ))}
    </tr>
  );
}

function CostLink({ origin }: { readonly origin: NonNullable<MediaView["origin"]> }): ReactNode {
  return (
    <a href={routeHash("requests", { id: origin.request_id })}>
      <Cost nano={origin.nano} sandbox={origin.sandbox} />
    </a>
  );
}
