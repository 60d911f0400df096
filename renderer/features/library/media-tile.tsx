/* oxlint-disable jsx-a11y/prefer-tag-over-role -- A windowed listbox: a `<select>` cannot hold pictures. */
import { Check } from "lucide-react";
import { memo, type ReactNode } from "react";
import type { MediaView } from "../../../gateway/contract/media.ts";
import { getCaption } from "../../components/media/media-caption.ts";
import { Cost } from "../../components/ui/figures.tsx";
import { formatLength } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.tsx";
import type { Messages } from "../../locales/messages.ts";
import { Poster } from "./poster.tsx";
import type { PosterQueue } from "./poster-queue.ts";
import type { TilePlayer } from "./tile-player.ts";

/** A label is read aloud: enough of the prompt to know it by. */
const SPOKEN_CHARACTERS = 120;
const HOVER_CHARACTERS = 500;

export interface MediaTileProps {
  /** Undefined while it is being fetched. */
  readonly view: MediaView | undefined;
  readonly index: number;
  /** px */
  readonly height: number;
  /** Results in all. */
  readonly total: number;
  /** Whether this is the one tile in the tab order. */
  readonly active: boolean;
  /** Day of the result, if it is the first of its day in the grid; null otherwise. */
  readonly day: string | null;
  readonly selected: boolean;
  readonly still: boolean;
  readonly posters: PosterQueue;
  readonly player: TilePlayer;
}

function Tile({
  view,
  index,
  height,
  total,
  active,
  day,
  selected,
  still,
  posters,
  player,
}: MediaTileProps): ReactNode {
  const t = useMessages();
  const prompt = view?.origin?.prompt.trim() ?? "";
  const words = view === undefined ? "" : getCaption(view, t);
  return (
    <div
      role="option"
      data-tile={index}
      data-active={active || undefined}
      // The accessible name is the visible content: the words below the picture, then the picture's own label.
      aria-label={view === undefined ? t.app.loading : undefined}
      aria-selected={selected}
      aria-setsize={total}
      aria-posinset={index + 1}
      tabIndex={active ? 0 : -1}
      draggable={view?.available === true}
      style={{ height }}
      className="group relative flex scroll-mt-14 scroll-mb-4 flex-col overflow-hidden rounded-md select-none"
    >
      <span
        className={`relative [container-type:size] block min-h-0 grow overflow-hidden rounded-md bg-hover forced-colors:border ${selected ? "outline-2 -outline-offset-2 outline-accent forced-colors:outline-[Highlight]" : ""}`}
      >
        {view !== undefined && (
          <span aria-hidden className="contents">
            <Poster view={view} still={still} posters={posters} player={player} />
          </span>
        )}
        {day !== null && (
          <span className="overlay absolute top-1.5 right-1.5 rounded-sm px-1.5 text-meta text-text">{day}</span>
        )}
        {view !== undefined && (
          <span
            data-check
            aria-hidden
            className={`absolute top-0 left-0 p-1.5 transition-opacity ${selected ? "" : "opacity-0 group-hover:opacity-100 group-focus-visible:opacity-100 pointer-coarse:opacity-100"}`}
          >
            <span
              className={`flex size-5 items-center justify-center rounded-sm border ${selected ? "border-transparent bg-accent text-on-accent" : "border-line-strong bg-raised text-transparent"}`}
            >
              <Check size={13} />
            </span>
          </span>
        )}
      </span>
      <span
        className={`mt-1 block h-5 shrink-0 truncate ${prompt === "" ? "text-faint" : ""}`}
        title={prompt.slice(0, HOVER_CHARACTERS)}
      >
        {words.slice(0, SPOKEN_CHARACTERS)}
      </span>
      <span className="flex h-5 shrink-0 gap-2 text-meta leading-5 text-faint">
        <span className="min-w-0 grow truncate">{view?.origin?.model}</span>
        {view?.origin != null && <Cost nano={view.origin.nano} sandbox={view.origin.sandbox} />}
      </span>
      {view !== undefined && <span className="sr-only"> {getShown(view, t)}</span>}
    </div>
  );
}

/** Returns the label of the picture for those who see it. */
function getShown({ kind, duration_ms: duration, available }: MediaView, t: Messages): string {
  const length = kind === "image" || duration === null ? "" : formatLength(duration);
  return [t.library.kindOf[kind], length, available ? "" : t.library.missing]
    .filter((part) => part !== "")
    .join(t.app.comma);
}

export const MediaTile = memo(Tile);
