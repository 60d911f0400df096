import { useState, type PointerEvent, type RefObject } from "react";

export interface Drag {
  /** Index of the dragged row, and of the row below the pointer; null if nothing is dragged. */
  readonly from: number | null;
  readonly over: number | null;
  /** Returns the handlers for a row's handle. */
  handle(at: number): {
    onPointerDown(event: PointerEvent<HTMLElement>): void;
    onPointerMove(event: PointerEvent<HTMLElement>): void;
    onPointerUp(): void;
    onPointerCancel(): void;
  };
}

/**
 * Makes the rows of a list draggable by a handle, with mouse, pen or touch. @param onDrop receives a row's new index
 */
export function useDrag(list: RefObject<HTMLElement | null>, onDrop: (from: number, to: number) => void): Drag {
  const [from, setFrom] = useState<number | null>(null);
  const [over, setOver] = useState<number | null>(null);
  const end = (): void => {
    setFrom(null);
    setOver(null);
  };
  return {
    from,
    over,
    handle: (at) => ({
      onPointerDown(event) {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        setFrom(at);
        setOver(at);
      },
      onPointerMove(event) {
        if (from !== null) setOver(getRow(list.current, event.clientY));
      },
      onPointerUp() {
        if (from !== null && over !== null) onDrop(from, over);
        end();
      },
      onPointerCancel: end,
    }),
  };
}

/** Returns the row at a height of the window; the nearest one beyond the ends. */
function getRow(list: HTMLElement | null, y: number): number {
  const rows = [...(list?.children ?? [])];
  const at = rows.findIndex((row) => y < row.getBoundingClientRect().bottom);
  return at === -1 ? rows.length - 1 : at;
}
