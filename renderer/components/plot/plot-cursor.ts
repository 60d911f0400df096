import { createContext, useContext, useState, useSyncExternalStore } from "react";

export interface CursorPlace {
  /** The bucket under the crosshair; null: there is no crosshair. */
  readonly place: number | null;
  /** Id of the plot under the pointer, among those that share the cursor. */
  readonly owner: string | null;
}

const NOWHERE: CursorPlace = { place: null, owner: null };

/** A crosshair that several plots share: each shows the same time, the one that is pointed at tells its figures. */
export class PlotCursor {
  #now = NOWHERE;
  readonly #listeners = new Set<() => void>();

  readonly current = (): CursorPlace => this.#now;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Moves the crosshair; the mover owns it. A following plot is already at the same place, so it takes nothing. */
  move(place: number | null, owner: string): void {
    if (place === this.#now.place) return;
    this.#now = place === null ? NOWHERE : { place, owner };
    for (const listener of this.#listeners) listener();
  }

  /** Removes the crosshair of a plot that leaves the page. */
  leave(owner: string): void {
    if (this.#now.owner === owner) this.move(null, owner);
  }
}

/** The crosshair of the plots below; without one each plot has its own. */
export const SharedCursor = createContext<PlotCursor | null>(null);

/** The crosshair that a plot has: its own, where none is shared. */
export function usePlotCursor(): PlotCursor {
  const shared = useContext(SharedCursor);
  const [alone] = useState(() => new PlotCursor());
  return shared ?? alone;
}

/** Returns the crosshair's position, rendered again when it moves. */
export const useCursorPlace = (cursor: PlotCursor): CursorPlace =>
  useSyncExternalStore(cursor.subscribe, cursor.current);
