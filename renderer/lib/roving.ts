import { useEffect, useRef, type RefObject } from "react";

const CONTROL = "a[href], button";
const STEPS: Readonly<Record<string, 1 | -1>> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/**
 * Makes the links and buttons of an element a single tab stop: arrow keys move between them, Home and End to the ends,
 * and Tab returns to the last focused one. Later additions are included.
 */
export function useRoving<Holder extends HTMLElement>(): RefObject<Holder | null> {
  const holder = useRef<Holder>(null);
  useEffect(() => {
    const element = holder.current;
    if (element === null) return undefined;
    const controls = (): HTMLElement[] => [...element.querySelectorAll<HTMLElement>(CONTROL)];
    let stop: HTMLElement | null = null;
    const tidy = (): void => {
      const all = controls();
      if (stop === null || !all.includes(stop)) stop = all[0] ?? null;
      for (const one of all) one.tabIndex = one === stop ? 0 : -1;
    };
    const onFocus = ({ target }: FocusEvent): void => {
      const at = controls().find((one) => one === target);
      if (at === undefined) return;
      stop = at;
      tidy();
    };
    const onKey = (event: KeyboardEvent): void => {
      if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.defaultPrevented) return;
      const all = controls();
      const at = all.findIndex((one) => one === event.target);
      if (at === -1) return;
      const ends: Readonly<Record<string, number>> = { Home: 0, End: all.length - 1 };
      const to = ends[event.key] ?? (STEPS[event.key] === undefined ? null : at + (STEPS[event.key] ?? 0));
      if (to === null) return;
      event.preventDefault();
      all[to]?.focus();
    };
    const watcher = new MutationObserver(tidy);
    watcher.observe(element, { childList: true, subtree: true });
    element.addEventListener("focusin", onFocus);
    element.addEventListener("keydown", onKey);
    tidy();
    return () => {
      watcher.disconnect();
      element.removeEventListener("focusin", onFocus);
      element.removeEventListener("keydown", onKey);
    };
  }, []);
  return holder;
}
