import { useCallback, useSyncExternalStore } from "react";

/** Scroll speed above which pictures are not loaded, because they are not visible long enough. */
const FAST_PX_PER_MS = 4;
/** Milliseconds after the last fast scroll step until the page counts as still. */
const REST_MS = 120;

/** False while the `main` around an element is scrolled fast. */
export function useStill(element: HTMLElement | null): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const main = element?.closest("main");
      if (main === null || main === undefined) return () => undefined;
      let timer: ReturnType<typeof setTimeout> | undefined;
      let [top, at] = [main.scrollTop, performance.now()];
      const become = (still: boolean): void => {
        if (isFast.has(main) !== still) return;
        if (still) isFast.delete(main);
        else isFast.add(main);
        listener();
      };
      const onScroll = (): void => {
        const now = performance.now();
        const speed = Math.abs(main.scrollTop - top) / Math.max(1, now - at);
        [top, at] = [main.scrollTop, now];
        if (speed < FAST_PX_PER_MS) return;
        become(false);
        clearTimeout(timer);
        timer = setTimeout(() => become(true), REST_MS);
      };
      main.addEventListener("scroll", onScroll, { passive: true });
      return () => {
        main.removeEventListener("scroll", onScroll);
        clearTimeout(timer);
        isFast.delete(main);
      };
    },
    [element],
  );
  return useSyncExternalStore(subscribe, () => {
    const main = element?.closest("main");
    return main === null || main === undefined || !isFast.has(main);
  });
}

/** The scrolling elements that move fast right now. */
const isFast = new WeakSet<Element>();
