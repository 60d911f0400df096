import { Combobox } from "@base-ui/react/combobox";
import { useImperativeHandle, useMemo, useRef, useState, type ReactNode, type Ref } from "react";
import { HEADING_PX, MODEL_PX, createRowsInSight, rowTops, type PickerRow } from "./model-choices.ts";
import { ModelRow } from "./model-row.tsx";

/** Max height of the list in pixels. */
const SHOWN_PX = 368;
/** Pixels above and below the visible area that are also rendered. */
const BEYOND_PX = 12 * MODEL_PX;
const EDGE_PX = 4;

export interface ModelListHandle {
  /** Brings a model into sight, by its place among the models. */
  reveal(index: number): void;
}

export interface ModelListProps {
  /** Accessible name of the list. */
  readonly label: string;
  readonly rows: readonly PickerRow[];
  readonly ref: Ref<ModelListHandle>;
}

/** The rows of the picker; only visible ones are rendered. It starts at its top. */
export function ModelList({ label, rows, ref }: ModelListProps): ReactNode {
  const scrolled = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const tops = useMemo(() => rowTops(rows), [rows]);
  const places = useMemo(() => rows.flatMap((row, index) => (row.kind === "model" ? [index] : [])), [rows]);
  const height = tops.at(-1) ?? 0;

  useImperativeHandle(ref, () => ({
    reveal(index) {
      const list = scrolled.current;
      const place = places[index];
      if (list === null || place === undefined) return;
      // The first model of a section also scrolls its heading into view.
      const from = tops[rows[place - 1]?.kind === "heading" ? place - 1 : place] ?? 0;
      const beyond = (tops[place + 1] ?? from) + 2 * EDGE_PX - list.clientHeight;
      if (from < list.scrollTop) list.scrollTop = from;
      else if (beyond > list.scrollTop) list.scrollTop = beyond;
      // The next key may be pressed before the scroll event.
      setTop(list.scrollTop);
    },
  }));
  if (rows.length === 0) return <Combobox.List aria-label={label} />;
  const [first, last] = createRowsInSight(tops, Math.min(top, height) - BEYOND_PX, top + SHOWN_PX + BEYOND_PX);
  let index = places.findIndex((place) => place >= first);
  return (
    <Combobox.List
      ref={scrolled}
      aria-label={label}
      onScroll={({ currentTarget }) => setTop(currentTarget.scrollTop)}
      style={{ height: Math.min(SHOWN_PX, height + 2 * EDGE_PX) }}
      className="max-h-[calc(var(--available-height)-36px)] overflow-y-auto overscroll-contain p-1 outline-none"
    >
      <div role="presentation" className="relative" style={{ height }}>
        {rows.slice(first, last).map((row, offset) => {
          const place = { top: tops[first + offset], height: row.kind === "heading" ? HEADING_PX : MODEL_PX };
          if (row.kind === "heading") {
            return (
              <div
                key={row.key}
                role="presentation"
                style={place}
                className="absolute inset-x-0 flex items-end px-2 pb-1 text-meta text-faint"
              >
                {row.label}
              </div>
            );
          }
          const at = index++;
          return (
            <Combobox.Item
              key={row.key}
              index={at}
              value={row.model.id}
              aria-setsize={places.length}
              aria-posinset={at + 1}
              style={place}
              className="absolute inset-x-0 flex items-center gap-2.5 rounded-md px-2 outline-none select-none data-highlighted:bg-hover data-selected:bg-accent-soft forced-colors:data-highlighted:outline"
            >
              <ModelRow model={row.model} />
            </Combobox.Item>
          );
        })}
      </div>
    </Combobox.List>
  );
}
