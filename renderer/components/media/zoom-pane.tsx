import { useEffect, useEffectEvent, useRef, useState, type KeyboardEvent, type ReactNode } from "react";
import { FIT, clampZoom, moveZoom, zoomedTo, type Room, type Zoom } from "./zoom.ts";

export type ChangeZoom = (change: (before: Zoom) => Zoom) => void;

export interface ZoomPaneProps {
  readonly label: string;
  /** Pixels of the content; null if unknown. */
  readonly size: { readonly width: number; readonly height: number } | null;
  readonly zoom: Zoom;
  readonly onZoom: ChangeZoom;
  /** Small pictures are made as large as the frame, so that two of different sizes can be compared. */
  readonly upscales?: boolean;
  /** The wheel zooms by itself; without it, only with Ctrl, as a pinch on a touchpad does. */
  readonly wheelZooms?: boolean;
  readonly children: ReactNode;
}

const KEYS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [1, 0],
  ArrowRight: [-1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};
/** How far a key moves the picture, in its fitted sizes. */
const KEY_STEP = 0.1;

interface Point {
  readonly x: number;
  readonly y: number;
}

/** A frame for a picture that is fitted, zoomed at the pointer, and panned by mouse, touch or keys. */
export function ZoomPane({
  label,
  size,
  zoom,
  onZoom,
  upscales = false,
  wheelZooms = false,
  children,
}: ZoomPaneProps): ReactNode {
  const frame = useRef<HTMLElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const room = useRoom(frame, box);
  const pointers = useRef(new Map<number, Point>());
  const shown = clampZoom(zoom, room);
  const moves = shown.scale > 1;

  const change = (next: (before: Zoom) => Zoom): void => onZoom((before) => next(clampZoom(before, room)));
  /** Returns the position on the picture of a point of the screen. */
  const pointAt = ({ clientX, clientY }: { readonly clientX: number; readonly clientY: number }): Point => {
    const rect = box.current?.getBoundingClientRect();
    if (rect === undefined || rect.width === 0 || rect.height === 0) return shown;
    return { x: (clientX - rect.left) / rect.width, y: (clientY - rect.top) / rect.height };
  };
  const onWheel = useEffectEvent((event: WheelEvent) => {
    if (!wheelZooms && !event.ctrlKey) return;
    event.preventDefault();
    const at = pointAt(event);
    change((before) => zoomedTo(before, Math.max(1, before.scale * Math.exp(-event.deltaY / 400)), at));
  });
  useEffect(() => {
    const element = frame.current;
    // React's own listeners are passive: the page would scroll beneath.
    const listener = (event: WheelEvent): void => onWheel(event);
    element?.addEventListener("wheel", listener, { passive: false });
    return () => element?.removeEventListener("wheel", listener);
  }, []);

  const pull = (id: number, to: Point): void => {
    const before = pointers.current.get(id);
    const [width, height] = [box.current?.offsetWidth ?? 0, box.current?.offsetHeight ?? 0];
    if (before === undefined || width === 0 || height === 0) return;
    const other = [...pointers.current].find(([each]) => each !== id)?.[1];
    pointers.current.set(id, to);
    if (other === undefined) {
      if (moves) change((now) => moveZoom(now, { x: (to.x - before.x) / width, y: (to.y - before.y) / height }));
      return;
    }
    const spread = Math.hypot(to.x - other.x, to.y - other.y) / Math.hypot(before.x - other.x, before.y - other.y);
    const at = pointAt({ clientX: (to.x + other.x) / 2, clientY: (to.y + other.y) / 2 });
    if (Number.isFinite(spread)) change((now) => zoomedTo(now, Math.max(1, now.scale * spread), at));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = KEYS[event.key];
    if (by === undefined || !moves) return;
    event.preventDefault();
    event.stopPropagation();
    change((before) => moveZoom(before, { x: by[0] * KEY_STEP, y: by[1] * KEY_STEP }));
  };

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- What is pulled about is the picture itself; keys do the same.
    <figure
      ref={frame}
      aria-label={label}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- What is larger than its frame must be moved by keys too.
      tabIndex={moves ? 0 : undefined}
      data-zoom={Math.round(shown.scale * 100)}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        pointers.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
        if (moves) event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={(event) => pull(event.pointerId, { x: event.clientX, y: event.clientY })}
      onPointerUp={(event) => pointers.current.delete(event.pointerId)}
      onPointerCancel={(event) => pointers.current.delete(event.pointerId)}
      onPointerLeave={(event) => pointers.current.delete(event.pointerId)}
      onDoubleClick={(event) => {
        const at = pointAt(event);
        change((before) => (before.scale === 1 ? zoomedTo(before, 2, at) : FIT));
      }}
      className={`absolute inset-0 flex items-center justify-center overflow-hidden rounded-md bg-pressed [container-type:size] forced-colors:border ${moves ? "cursor-grab touch-none active:cursor-grabbing" : "touch-pan-y"}`}
    >
      <div
        ref={box}
        data-zoom-box
        style={{
          ...fitSize(size, upscales),
          transform: `scale(${shown.scale}) translate(${(0.5 - shown.x) * 100}%, ${(0.5 - shown.y) * 100}%)`,
        }}
        className="shrink-0 select-none"
      >
        {children}
      </div>
    </figure>
  );
}

function fitSize(size: ZoomPaneProps["size"], upscales: boolean): { readonly [name: string]: string } {
  if (size === null || size.width === 0 || size.height === 0) return { width: "100%", height: "100%" };
  const own = upscales ? "" : `, ${size.width}px`;
  return {
    width: `min(100cqw, ${(100 * size.width) / size.height}cqh${own})`,
    aspectRatio: `${size.width} / ${size.height}`,
  };
}

/** Measured when either element is resized; CSS transforms do not change sizes. */
function useRoom(frame: { readonly current: HTMLElement | null }, box: { readonly current: HTMLElement | null }): Room {
  const [room, setRoom] = useState<Room>({ x: 1, y: 1 });
  useEffect(() => {
    const [outer, inner] = [frame.current, box.current];
    if (outer === null || inner === null) return;
    const observer = new ResizeObserver(() => {
      if (inner.offsetWidth === 0 || inner.offsetHeight === 0) return;
      setRoom({ x: outer.clientWidth / inner.offsetWidth, y: outer.clientHeight / inner.offsetHeight });
    });
    observer.observe(outer);
    observer.observe(inner);
    return () => observer.disconnect();
  }, [frame, box]);
  return room;
}
