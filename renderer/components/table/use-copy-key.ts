import { useEffect, useEffectEvent, useRef } from "react";
import type { RowList } from "../../lib/row-list.ts";
import { takesKey } from "../../lib/shortcuts.ts";

/** `g c` leads to a page; as long after `g`, `c` is the second key of that. */
const SEQUENCE_MS = 1_200;

/**
 * The key `c` copies the row open in the detail panel, else the focused one.
 * @param rows must have their ids in the page
 */
export function useCopyKey<Row extends { readonly id: string }>(
  rows: RowList<Row>,
  opened: string | null,
  onCopy: (row: Row) => void,
): void {
  const ledAt = useRef(Number.NEGATIVE_INFINITY);
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key === "g") ledAt.current = event.timeStamp;
    if (event.key !== "c" || event.timeStamp - ledAt.current < SEQUENCE_MS || !takesKey(event)) return;
    const id = opened ?? document.activeElement?.closest<HTMLElement>("main [data-row]")?.dataset["key"];
    const chosen = rows.at(rows.findIndex((row) => row.id === id));
    if (chosen === undefined) return;
    event.preventDefault();
    onCopy(chosen);
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => onKey(event);
    document.addEventListener("keydown", listener);
    return () => document.removeEventListener("keydown", listener);
  }, []);
}
