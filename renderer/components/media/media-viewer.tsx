import { FileX2, Maximize2, Minimize2, Minus, Plus } from "lucide-react";
import { useRef, useState, type ReactNode } from "react";
import type { MediaView } from "../../../gateway/contract/media.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { getCaption } from "./media-caption.ts";
import { ownLink } from "./media-links.ts";
import { useBroken } from "./use-broken.ts";
import { FIT, STEP, zoomedTo, type Zoom } from "./zoom.ts";
import { ZoomPane, type ChangeZoom } from "./zoom-pane.tsx";

/** Zoom state of a picture that is controlled from outside its viewer. */
export interface Zoomed {
  readonly zoom: Zoom;
  readonly onZoom: ChangeZoom;
}

export interface MediaViewerProps {
  readonly view: MediaView;
  /** Without it a picture starts fitted, and the wheel scrolls the page. */
  readonly zoomed?: Zoomed;
}

/** The result itself: a picture, or a player. */
export function MediaViewer({ view, zoomed }: MediaViewerProps): ReactNode {
  const t = useMessages();
  const source = view.available ? ownLink(view.link) : null;
  const { because, fail } = useBroken(source);
  if (source === null || because !== null) {
    const unplayable = because === "gateway" ? t.app.unreachable : t.library.unplayable;
    return (
      <Frame>
        <span className="flex flex-col items-center gap-2 px-6 text-center text-muted">
          <FileX2 size={24} aria-hidden />
          <span className="font-medium text-text">{source === null ? t.library.missing : unplayable}</span>
          {source === null && <span className="max-w-90">{t.library.missingHelp}</span>}
        </span>
      </Frame>
    );
  }
  if (view.kind === "image") return <Picture view={view} source={source} onError={fail} zoomed={zoomed} />;
  const player = { src: source, controls: true, preload: "metadata", onError: fail, "aria-label": t.library.player };
  return (
    <Frame>
      {view.kind === "video" ? (
        // A video of a provider has no captions for a track.
        // oxlint-disable-next-line jsx-a11y/media-has-caption
        <video
          {...player}
          playsInline
          poster={ownLink(view.poster) ?? undefined}
          className="max-h-full max-w-full min-w-[min(100%,20rem)]"
        />
      ) : (
        // oxlint-disable-next-line jsx-a11y/media-has-caption
        <audio {...player} className="w-full max-w-120 px-4" />
      )}
    </Frame>
  );
}

function Frame({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <div className="flex h-full min-h-60 items-center justify-center overflow-hidden rounded-md bg-pressed forced-colors:border">
      {children}
    </div>
  );
}

/** Fits at first, can be zoomed, and shown in its real size. */
function Picture(props: {
  readonly view: MediaView;
  readonly source: string;
  readonly onError: () => void;
  readonly zoomed: Zoomed | undefined;
}): ReactNode {
  const t = useMessages();
  const { view, zoomed } = props;
  const [own, setOwn] = useState(FIT);
  const [loaded, setLoaded] = useState<{ readonly width: number; readonly height: number } | null>(null);
  const pane = useRef<HTMLDivElement>(null);
  const [zoom, change] = zoomed === undefined ? [own, setOwn] : [zoomed.zoom, zoomed.onZoom];
  const size = view.width !== null && view.height !== null ? { width: view.width, height: view.height } : loaded;
  const fits = zoom.scale === 1;
  const Icon = fits ? Maximize2 : Minimize2;
  /** Returns the scale at which one image pixel is one screen pixel. */
  const realScale = (): number => {
    const image = pane.current?.querySelector("img");
    const box = pane.current?.querySelector<HTMLElement>("[data-zoom-box]")?.offsetWidth ?? 0;
    return image == null || box === 0 ? 1 : image.naturalWidth / box;
  };
  return (
    <div ref={pane} className="relative h-full min-h-60">
      {/* Not a region, because a page may have several pictures. */}
      <ZoomPane label={t.library.picture} size={size} zoom={zoom} onZoom={change} wheelZooms={zoomed !== undefined}>
        <img
          src={props.source}
          alt={getCaption(view, t).slice(0, 300)}
          decoding="async"
          draggable={false}
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
            setLoaded({ width: naturalWidth, height: naturalHeight })
          }
          onError={props.onError}
          className="size-full object-contain"
        />
      </ZoomPane>
      <div className="absolute right-2 bottom-2 flex gap-1">
        <ZoomButtons onZoom={change} />
        <Button
          aria-pressed={!fits}
          icon={<Icon size={14} aria-hidden />}
          onClick={() => change((before) => (before.scale === 1 ? zoomedTo(FIT, realScale()) : FIT))}
        >
          {fits ? t.library.realSize : t.library.fit}
        </Button>
      </div>
    </div>
  );
}

/** Out and in, by a quarter at a time. */
export function ZoomButtons({ onZoom }: { readonly onZoom: ChangeZoom }): ReactNode {
  const t = useMessages();
  const by = (factor: number): void => onZoom((before) => zoomedTo(before, before.scale * factor));
  return (
    <>
      <IconButton look="plain" label={t.library.zoomOut} onClick={() => by(1 / STEP)}>
        <Minus size={14} aria-hidden />
      </IconButton>
      <IconButton look="plain" label={t.library.zoomIn} onClick={() => by(STEP)}>
        <Plus size={14} aria-hidden />
      </IconButton>
    </>
  );
}
