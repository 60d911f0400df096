import { AudioLines, FileX2, Film, ImageIcon, type LucideIcon } from "lucide-react";
import { useEffect, useState, type CSSProperties, type ReactNode } from "react";
import type { MediaView } from "../../../gateway/contract/media.ts";
import { formatLength } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.tsx";
import { ownLink } from "../../components/media/media-links.ts";
import type { PosterQueue } from "./poster-queue.ts";
import { HoverFilm } from "./hover-film.tsx";
import { SoundButton } from "./sound-button.tsx";
import type { TilePlayer } from "./tile-player.ts";
import { useBroken } from "../../components/media/use-broken.ts";

export interface PosterProps {
  readonly view: MediaView;
  /** Whether it may load: not while it flies by. */
  readonly still: boolean;
  readonly posters: PosterQueue;
  readonly player: TilePlayer;
}

const icons: Record<MediaView["kind"], LucideIcon> = { image: ImageIcon, audio: AudioLines, video: Film };

/** Preview of a result: the picture itself, the preview image of a video, or an icon of its kind. */
export function Poster({ view, still, posters, player }: PosterProps): ReactNode {
  const t = useMessages();
  const [seen, setSeen] = useState(still);
  // A preview that was shown once stays mounted, however fast the grid scrolls.
  if (still && !seen) setSeen(true);

  const drawn = view.kind === "video" && view.poster === null && view.available;
  useEffect(() => (drawn && still ? posters.ask(view) : undefined), [drawn, still, posters, view]);

  const source = view.available ? ownLink(view.kind === "image" ? view.link : view.poster) : null;
  const broken = useBroken(source);
  const Icon = icons[view.kind];
  if (!view.available || broken.because === "file") {
    return (
      <span className="flex size-full flex-col items-center justify-center gap-1 text-meta text-muted">
        <FileX2 size={20} aria-hidden />
        {t.library.missing}
      </span>
    );
  }
  return (
    <>
      {view.kind === "audio" ? (
        <SoundButton view={view} player={player} />
      ) : source === null || broken.because === "gateway" ? (
        <span className="flex size-full items-center justify-center text-faint">
          <Icon size={24} aria-hidden />
        </span>
      ) : (
        <span className="flex size-full items-center justify-center">
          <span className="relative block overflow-hidden rounded-sm bg-pressed" style={findWhole(view)}>
            {seen && (
              <img
                src={source}
                alt=""
                decoding="async"
                draggable={false}
                onError={broken.fail}
                className="size-full object-contain"
              />
            )}
            {view.kind === "video" && <HoverFilm view={view} player={player} />}
          </span>
        </span>
      )}
      {view.kind === "video" && (
        <span className="numeric absolute right-1.5 bottom-1.5 flex h-5 items-center gap-1 rounded-sm bg-surface px-1.5 text-meta text-muted">
          <Icon size={12} aria-hidden />
          {view.duration_ms !== null && formatLength(view.duration_ms)}
        </span>
      )}
    </>
  );
}

/** Returns a box with the result's proportions, as large as its tile allows, rendered before the picture is loaded. */
function findWhole({ width, height }: Pick<MediaView, "width" | "height">): CSSProperties {
  if (width === null || height === null || width === 0 || height === 0) return { width: "100%", height: "100%" };
  return { width: `min(100cqw, ${(100 * width) / height}cqh)`, aspectRatio: `${width} / ${height}` };
}
