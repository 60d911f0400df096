import { createContext, useContext, useState, useSyncExternalStore } from "react";

export interface CursorPlace {
  /** The bucket under the crosshair; null: there is no crosshair. */
  readonly place: number | null;
  /** Id of the plot under the pointer, among those that share the cursor. */
  readonly owner: string | null;
}

const NOWHERE: CursorPlace = { place: null, owner: null };

/** A crosshair shared by several plots: each shows the same time, the hovered one shows values. */
export class PlotCursor {
  #now = NOWHERE;
  readonly #listeners = new Set<() => void>();

  readonly current = (): CursorPlace => this.#now;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Moves the crosshair; the mover owns it. A plot that follows is already there, so it does not become the owner. */
  move(place: number | null, owner: string): void {
    if (place === this.#now.place) return;
    this.#now = place === null ? NOWHERE : { place, owner };
    for (const listener of this.#listeners) listener();
  }

  /** Removes the crosshair of a plot that is unmounted. */
  leave(owner: string): void {
    if (this.#now.owner === owner) this.move(null, owner);
  }
}

/** The crosshair of the plots below; without one each plot has its own. */
export const SharedCursor = createContext<PlotCursor | null>(null);

/** Returns the plot's crosshair: its own, unless one is shared. */
export function usePlotCursor(): PlotCursor {
  const shared = useContext(SharedCursor);
  const [alone] = useState(() => new PlotCursor());
  return shared ?? alone;
}

/** Returns the crosshair's position, rendered again when it moves. */
export const useCursorPlace = (cursor: PlotCursor): CursorPlace =>
  useSyncExternalStore(cursor.subscribe, cursor.current);
