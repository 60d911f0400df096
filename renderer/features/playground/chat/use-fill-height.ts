import { useLayoutEffect, useState, useSyncExternalStore, type RefObject } from "react";

/** Min height in pixels, below which it scrolls with the page. */
const LEAST_PX = 400;
/** Left free below. */
const BELOW_PX = 12;

/** Returns the pixels from an element's top to the end of the page's frame, tracked on resize. */
export function useFillHeight(element: RefObject<HTMLElement | null>): number {
  const [height, setHeight] = useState(LEAST_PX);
  useLayoutEffect(() => {
    const main = element.current?.closest("main");
    if (main == null) return;
    const measure = (): void => {
      const from = element.current;
      if (from === null) return;
      const above = from.getBoundingClientRect().top - main.getBoundingClientRect().top + main.scrollTop;
      setHeight(Math.max(LEAST_PX, Math.floor(main.clientHeight - above - BELOW_PX)));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(main);
    return () => observer.disconnect();
  }, [element]);
  return height;
}

/** Whether the window is at least so wide. */
export function useWide(pixels: number): boolean {
  const query = `(min-width: ${pixels}px)`;
  return useSyncExternalStore(
    (listener) => {
      const media = matchMedia(query);
      media.addEventListener("change", listener);
      return () => media.removeEventListener("change", listener);
    },
    () => matchMedia(query).matches,
  );
}
