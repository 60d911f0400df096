import { useMemo, useState } from "react";
import type { MediaView } from "../../../gateway/contract/media.ts";
import { MOST_SELECTED, toggle, withAll } from "./selection.ts";
import type { MediaList } from "./use-media-list.ts";

export interface Selection {
  readonly views: ReadonlyMap<string, MediaView>;
  toggle(view: MediaView): void;
  /** Adds everything between two places of the list, fetching unloaded rows. */
  addBetween(from: number, to: number): Promise<void>;
  clear(): void;
}

/**
 * Selected results with their data: they stay selected when the list drops them.
 * @param onFull called if the selection limit is exceeded
 */
export function useSelection(list: MediaList, onFull: () => void): Selection {
  // A selection belongs to its list, so that hidden results cannot be deleted.
  const [chosen, choose] = useState<{ readonly list: MediaList; readonly views: ReadonlyMap<string, MediaView> }>();
  const views = useMemo(() => (chosen?.list === list ? chosen.views : new Map<string, MediaView>()), [chosen, list]);
  const change = (next: (before: ReadonlyMap<string, MediaView>) => ReadonlyMap<string, MediaView>): void =>
    choose((before) => ({ list, views: next(before?.list === list ? before.views : new Map()) }));

  return {
    views,
    toggle(view) {
      if (views.size >= MOST_SELECTED && !views.has(view.id)) onFull();
      else change((before) => toggle(before, view));
    },
    async addBetween(from, to) {
      const found: MediaView[] = [];
      const [first, last] = from < to ? [from, to] : [to, from];
      for (let index = first; index <= last && found.length <= MOST_SELECTED; index += 1) {
        const view = list.at(index) ?? (await list.reach(index));
        if (view === undefined) break;
        found.push(view);
      }
      if (new Set([...views.keys(), ...found.map(({ id }) => id)]).size > MOST_SELECTED) onFull();
      change((before) => withAll(before, found));
    },
    clear: () => change(() => new Map()),
  };
}
