/* oxlint-disable jsx-a11y/prefer-tag-over-role -- See media-tile.tsx. */
import {
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
} from "react";
import type { MediaView } from "../../../gateway/contract/media.ts";
import { useWidth } from "../../components/table/column.ts";
import { useWindow } from "../../components/table/use-window.ts";
import { ownLink } from "../../components/media/media-links.ts";
import { useNotify } from "../../components/ui/toasts.tsx";
import { formatNearDay } from "../../lib/format.ts";
import { useSpeech } from "../../lib/i18n.tsx";
import { useNow } from "../../lib/now.ts";
import { dragOut } from "./drag-out.ts";
import type { MediaList } from "./use-media-list.ts";
import { MediaTile } from "./media-tile.tsx";
import type { PosterQueue } from "./poster-queue.ts";
import type { TilePlayer } from "./tile-player.ts";
import { getColumns, tileAfter, type TileSize } from "./tile-grid.ts";
import type { Selection } from "./use-selection.ts";
import { useStill } from "./use-still.ts";

export interface MediaGridProps {
  readonly list: MediaList;
  readonly size: TileSize;
  readonly selection: Selection;
  readonly posters: PosterQueue;
  readonly player: TilePlayer;
  /** Result that the dialog shows: it gets the keyboard focus when the dialog closes. */
  readonly opened: string | null;
  readonly onOpen: (view: MediaView) => void;
  readonly onDelete: (views: readonly MediaView[]) => void;
}

/** Links expire while the page is not scrolled. */
const LOOK_AGAIN_MS = 60_000;

/**
 * Results as equally sized tiles; only visible ones are mounted. Keyboard: arrows, j, k, Home, End and page keys move,
 * with Shift they select; Enter opens, Space selects, a plays audio, Delete deletes, Escape clears the selection.
 */
export function MediaGrid({
  list,
  size,
  selection,
  posters,
  player,
  opened,
  onOpen,
  onDelete,
}: MediaGridProps): ReactNode {
  const { t, language } = useSpeech();
  const now = useNow();
  const notify = useNotify();
  const [grid, setGrid] = useState<HTMLDivElement | null>(null);
  const width = useWidth(grid);
  const columns = getColumns(width, size);
  const gridSize = useMemo(
    () => ({ columns, pitch: size.pitch, header: 0, step: 1, wholeBelow: 0 }),
    [columns, size.pitch],
  );
  const tiles = useWindow(grid, list.total, gridSize);
  const still = useStill(grid);
  const [at, setAt] = useState<{ readonly index: number; readonly id: string | undefined }>({
    index: 0,
    id: undefined,
  });
  const [anchor, setAnchor] = useState(0);
  const moving = useRef(false);
  const { first, last } = tiles;

  // The keyboard continues from the result in the dialog.
  const shown = opened === null ? -1 : list.getIndex(opened);
  if (opened !== null && shown !== -1 && at.id !== opened) setAt({ index: shown, id: opened });
  // A result is tracked by id while newer ones shift it; by index until it is loaded.
  const known = at.id === undefined ? -1 : list.getIndex(at.id);
  const active = Math.min(known === -1 ? at.index : known, list.total - 1);
  // Tab must reach a tile: if the active one is not mounted, the first visible one is used.
  const reachable = active >= first && active < last ? active : Math.max(0, tiles.inSight);

  useEffect(() => {
    list.check(first, last);
    const timer = setInterval(() => list.check(first, last), LOOK_AGAIN_MS);
    return () => clearInterval(timer);
  }, [list, first, last]);

  useLayoutEffect(() => {
    if (!moving.current) return;
    const tile = grid?.querySelector<HTMLElement>(`[data-tile="${active}"]`);
    if (tile === null || tile === undefined) return;
    // A result that is fetched later replaces the tile, and its focus.
    if (list.at(active) !== undefined) moving.current = false;
    tile.focus({ preventScroll: true });
    tile.scrollIntoView({ block: "nearest" });
  });
  const showShown = useEffectEvent(() => {
    if (shown !== -1) tiles.show(shown);
  });
  useEffect(() => {
    if (opened === null) return;
    player.stop();
    showShown();
  }, [opened, player]);
  useEffect(() => () => player.stop(), [player]);

  const goTo = (index: number): void => setAt({ index, id: list.at(index)?.id });
  const removeChosen = (): void => {
    const view = list.at(active);
    const views = selection.views.size > 0 ? [...selection.views.values()] : view === undefined ? [] : [view];
    if (views.length === 0) return;
    const places = views.map(({ id }) => list.getIndex(id)).filter((place) => place !== -1);
    moving.current = true;
    setAt({ index: Math.min(active, ...places), id: undefined });
    onDelete(views);
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const view = list.at(active);
    const next = tileAfter(event.key, reachable, list.total, columns, tiles.rows);
    if (next !== null) {
      moving.current = true;
      goTo(next);
      tiles.show(next);
      if (event.shiftKey) void selection.addBetween(anchor, next);
      else setAnchor(next);
    } else if (event.key === "Enter" && view !== undefined) onOpen(view);
    else if (event.key === " " && view !== undefined) {
      selection.toggle(view);
      setAnchor(active);
    } else if (event.key === "a" && view?.kind === "audio") play(view);
    else if (event.key === "Delete" || event.key === "Backspace") removeChosen();
    else if (event.key === "Escape" && selection.views.size > 0) selection.clear();
    else return;
    event.preventDefault();
  };

  const viewAt = (target: EventTarget): MediaView | undefined => {
    const tile = target instanceof Element ? target.closest("[data-tile]") : null;
    return list.at(Number(tile?.getAttribute("data-tile") ?? Number.NaN));
  };
  const play = (view: MediaView): void => {
    const link = view.available && view.kind === "audio" ? ownLink(view.link) : null;
    if (link !== null) player.toggleSound(view.id, link);
  };

  const onClick = (event: MouseEvent): void => {
    const target = event.target instanceof Element ? event.target : null;
    const index = Number(target?.closest("[data-tile]")?.getAttribute("data-tile") ?? Number.NaN);
    const view = list.at(index);
    if (view === undefined) return;
    goTo(index);
    if (event.shiftKey) return void selection.addBetween(anchor, index);
    setAnchor(index);
    if (target?.closest("[data-play]") != null) return play(view);
    const picks = event.ctrlKey || event.metaKey || target?.closest("[data-check]") !== null;
    if (picks) selection.toggle(view);
    else onOpen(view);
  };

  return (
    <div
      ref={setGrid}
      role="listbox"
      tabIndex={-1}
      aria-label={t.library.list}
      aria-multiselectable
      onKeyDown={onKeyDown}
      onClick={onClick}
      onDragStart={(event) => {
        const view = viewAt(event.target);
        player.look(null);
        if (view === undefined) return event.preventDefault();
        const chosen = selection.views.has(view.id) ? [...selection.views.values()] : [view];
        dragOut(event.nativeEvent, chosen, notify.showError);
      }}
      // A passing touch is not hover.
      onPointerOver={(event) => event.pointerType !== "touch" && player.look(viewAt(event.target)?.id ?? null)}
      onPointerLeave={() => player.look(null)}
      onFocus={(event) => {
        if (event.target.matches(":focus-visible")) player.look(viewAt(event.target)?.id ?? null);
        const index = Number(event.target.getAttribute("data-tile") ?? Number.NaN);
        if (Number.isInteger(index) && index !== active) goTo(index);
      }}
      onBlur={(event) => {
        player.look(null);
        if (event.relatedTarget !== null) moving.current = false;
      }}
      // Rows are added and removed above the viewport, so the browser's scroll anchoring would interfere.
      className="[overflow-anchor:none] outline-none"
    >
      <div role="presentation" style={{ height: tiles.before }} />
      <div
        role="presentation"
        className="grid"
        style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`, gap: size.gap }}
      >
        {Array.from({ length: Math.max(0, last - first) }, (_, offset) => {
          const index = first + offset;
          const view = list.at(index);
          return (
            <MediaTile
              key={view?.id ?? index}
              view={view}
              index={index}
              height={size.height}
              total={list.total}
              active={index === reachable}
              day={getFirstDay(view, index === 0 ? null : list.at(index - 1), now, language)}
              selected={view !== undefined && selection.views.has(view.id)}
              still={still}
              posters={posters}
              player={player}
            />
          );
        })}
      </div>
      <div role="presentation" style={{ height: tiles.after }} />
    </div>
  );
}

/** Returns the day of a result, if the result before it is of another day; null otherwise. @param before null for the first */
export function getFirstDay(
  view: Pick<MediaView, "at"> | undefined,
  before: Pick<MediaView, "at"> | null | undefined,
  now: number,
  language: string,
): string | null {
  if (view === undefined || before === undefined) return null;
  const isSameDay = before !== null && new Date(view.at).toDateString() === new Date(before.at).toDateString();
  return isSameDay ? null : formatNearDay(view.at, now, language);
}
