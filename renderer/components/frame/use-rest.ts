import { useEffect, type RefObject } from "react";
import { keep } from "../../lib/reload-memory.ts";

/** How long the place that was read is waited for: the rows above it have to come first. */
const PLACE_MS = 5_000;

interface Frame {
  readonly scrolled: number;
}

/** Forms with unsent input; the playground's memory keeps its own forms. */
const edited = new Set<HTMLFormElement>();

/** Whether a form on the page is half filled in. */
export const hasUnsentForm = (): boolean => [...edited].some((form) => form.isConnected);

const getForm = (event: Event): HTMLFormElement | null =>
  event.target instanceof Element ? event.target.closest<HTMLFormElement>("form") : null;

/**
 * Lets the desktop app unload the page while its window is hidden, except with a partly filled form, and restores the
 * scroll position.
 */
export function useRest(main: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = main.current;
    if (element === null) return;
    const begin = (event: Event): void => {
      const form = getForm(event);
      if (form !== null && form.closest("[data-kept]") === null) edited.add(form);
    };
    const send = (event: Event): void => {
      const form = getForm(event);
      if (form !== null) edited.delete(form);
    };
    document.addEventListener("input", begin);
    document.addEventListener("submit", send);
    const frame = keep("frame", (): Frame | undefined =>
      hasUnsentForm() ? undefined : { scrolled: main.current?.scrollTop ?? 0 },
    ) as Frame | undefined;
    const stop = goTo(element, frame?.scrolled ?? 0);
    return () => {
      document.removeEventListener("input", begin);
      document.removeEventListener("submit", send);
      stop();
    };
  }, [main]);
}

/** Scrolls to a position once the page is long enough, unless the user scrolls first. */
function goTo(main: HTMLElement, target: number): () => void {
  const stopped = new AbortController();
  const stop = (): void => stopped.abort();
  if (target === 0) return stop;
  const go = (): void => {
    main.scrollTo({ top: target, behavior: "instant" });
    if (main.scrollTop >= target - 1) stop();
  };
  const observer = new ResizeObserver(go);
  for (const child of main.children) observer.observe(child);
  for (const moved of ["wheel", "keydown", "pointerdown"]) {
    window.addEventListener(moved, stop, { signal: stopped.signal, passive: true });
  }
  const late = setTimeout(stop, PLACE_MS);
  stopped.signal.addEventListener("abort", () => {
    observer.disconnect();
    clearTimeout(late);
  });
  return stop;
}
