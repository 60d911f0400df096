import { ChevronDown, ChevronUp, X } from "lucide-react";
import { useEffect, useEffectEvent, useRef, useState, type KeyboardEvent, type ReactNode } from "react";
import { createPortal } from "react-dom";
import { findText, MOST_MATCHES } from "../../lib/find-text.ts";
import { useMessages } from "../../lib/i18n.tsx";
import { IconButton } from "../ui/button.tsx";

const ALL = "found";
const CURRENT = "found-current";
/** Not in styles/base.css: the CSS compiler warns of the pseudo-element. */
const marks = new CSSStyleSheet();
marks.replaceSync(`
  ::highlight(${ALL}) { background: color-mix(in oklch, var(--warning) 35%, transparent) }
  ::highlight(${CURRENT}) { background: var(--warning); color: black }
`);
document.adoptedStyleSheets.push(marks);

/** Returns the searched element: the topmost dialog, else the page. */
export function findSearched(): HTMLElement {
  const dialogs = document.querySelectorAll<HTMLElement>('[role=dialog]:not([aria-modal="false"]), [role=alertdialog]');
  return [...dialogs].at(-1) ?? document.body;
}

/** Finds visible ranges of a text within an element; unrendered list rows are not included. */
function findRanges(root: HTMLElement, query: string): Range[] {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const nodes: Text[] = [];
  while (walker.nextNode() !== null) nodes.push(walker.currentNode as Text);
  const pieces = nodes.map(({ data, parentNode }, index) => ({
    text: data,
    joined: nodes[index - 1]?.parentNode === parentNode,
  }));
  return findText(pieces, query)
    .flatMap(({ from, to }) => {
      const [first, last] = [nodes[from[0]], nodes[to[0]]];
      if (first === undefined || last === undefined) return [];
      const range = new Range();
      range.setStart(first, from[1]);
      range.setEnd(last, to[1]);
      return range;
    })
    .filter((range) => {
      const { width, height } = range.getBoundingClientRect();
      return width > 1 && height > 1 && range.startContainer.parentElement?.closest("[data-find-bar]") === null;
    });
}

/** Index of the match that follows a place, or the one at it; the first of all after the last. */
function findIndex(ranges: readonly Range[], place: Range | null): number {
  if (place === null) return 0;
  const next = ranges.findIndex((range) => range.compareBoundaryPoints(Range.START_TO_START, place) >= 0);
  return Math.max(0, next);
}

export interface FindBarProps {
  /** Place of the bar and scope of its search. */
  readonly root: HTMLElement;
  /** Changes with each press of a find key; its sign is the direction, 0 restarts the search. */
  readonly request: { readonly step: -1 | 0 | 1 };
  readonly onClose: () => void;
}

/** Find bar of the desktop app's window, which has no browser UI. */
export function FindBar({ root, request, onClose }: FindBarProps): ReactNode {
  const t = useMessages();
  const field = useRef<HTMLInputElement>(null);
  const current = useRef<Range | null>(null);
  const [query, setQuery] = useState("");
  const [{ place, count }, setFound] = useState({ place: 0, count: 0 });

  const mark = (step: -1 | 0 | 1, isNew: boolean, text = query): void => {
    const ranges = findRanges(root, text);
    const { length } = ranges;
    const index = length === 0 ? -1 : (findIndex(ranges, current.current) + step + length) % length;
    const range = ranges[index];
    CSS.highlights.set(ALL, new Highlight(...ranges));
    CSS.highlights.set(CURRENT, new Highlight(...(range === undefined ? [] : [range])));
    setFound({ place: index + 1, count: length });
    if (range === undefined) return;
    current.current = range.cloneRange();
    if (isNew) range.startContainer.parentElement?.scrollIntoView({ block: "center" });
  };
  const markAgain = useEffectEvent(() => mark(0, false));
  const markNew = useEffectEvent((step: -1 | 0 | 1, text = query) => mark(step, true, text));

  useEffect(() => markNew(0, query), [query]);
  useEffect(() => {
    markNew(request.step);
    field.current?.focus();
    field.current?.select();
  }, [request]);
  // Pages draw themselves again while they are read.
  useEffect(() => {
    let frame = 0;
    const observer = new MutationObserver((changes) => {
      if (changes.every(({ target }) => field.current?.parentElement?.contains(target) === true)) return;
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(markAgain);
    });
    observer.observe(root, { childList: true, characterData: true, subtree: true });
    return () => {
      observer.disconnect();
      cancelAnimationFrame(frame);
      for (const name of [ALL, CURRENT]) CSS.highlights.delete(name);
    };
  }, [root]);

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "Escape") onClose();
    else if (event.key === "Enter") mark(event.shiftKey ? -1 : 1, true);
    else return;
    // A dialog below the bar stays.
    event.preventDefault();
    event.stopPropagation();
  };
  return createPortal(
    // Keys of all its controls.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <search
      data-find-bar
      className="overlay fixed top-2 right-2 z-50 flex items-center gap-1 py-1 pr-1 pl-3"
      onKeyDown={onKeyDown}
    >
      <input
        ref={field}
        aria-label={t.find.label}
        placeholder={t.find.label}
        value={query}
        onChange={(event) => {
          current.current = null;
          setQuery(event.target.value);
        }}
        className="h-7 w-44 bg-transparent max-wide:w-32 text-text outline-none placeholder:text-faint"
      />
      <output className="numeric min-w-14 text-right text-meta text-muted">
        {query.trim() !== "" &&
          (count === 0 ? t.find.none : t.find.count(String(place), `${count}${count === MOST_MATCHES ? "+" : ""}`))}
      </output>
      <IconButton label={t.find.previous} disabled={count === 0} onClick={() => mark(-1, true)}>
        <ChevronUp size={14} aria-hidden />
      </IconButton>
      <IconButton label={t.find.next} disabled={count === 0} onClick={() => mark(1, true)}>
        <ChevronDown size={14} aria-hidden />
      </IconButton>
      <IconButton label={t.find.close} onClick={onClose}>
        <X size={14} aria-hidden />
      </IconButton>
    </search>,
    root,
  );
}
