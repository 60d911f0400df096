import { useState, type PointerEvent, type RefObject } from "react";

export interface Drag {
  /** The place of the row that is dragged, and the one that it is over; null while none is. */
  readonly from: number | null;
  readonly over: number | null;
  /** What the handle of a row has to have. */
  handle(at: number): {
    onPointerDown(event: PointerEvent<HTMLElement>): void;
    onPointerMove(event: PointerEvent<HTMLElement>): void;
    onPointerUp(): void;
    onPointerCancel(): void;
  };
}

/** Rows of a list that are dragged by a handle: with a mouse, a pen or a finger. @param onDrop told where a row goes */
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

/** The row at a height of the window; the nearest one beyond the ends. */
function getRow(list: HTMLElement | null, y: number): number {
  const rows = [...(list?.children ?? [])];
  const at = rows.findIndex((row) => y < row.getBoundingClientRect().bottom);
  return at === -1 ? rows.length - 1 : at;
}
