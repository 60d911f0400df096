import { useEffect, useLayoutEffect, useRef, type RefObject } from "react";

/** Nearer to the end than this, somebody reads along. */
const NEAR_PX = 160;

/**
 * Keeps the end of a list in sight while its last item grows, unless somebody has scrolled away from it; a new item is
 * always shown.
 */
export function useStickyEnd(list: readonly unknown[]): RefObject<HTMLDivElement | null> {
  const end = useRef<HTMLDivElement>(null);
  const follows = useRef(false);
  const seen = useRef(list);
  useEffect(() => {
    const main = end.current?.closest("main");
    if (main == null) return;
    const onScroll = (): void => {
      follows.current = main.scrollHeight - main.clientHeight - main.scrollTop < NEAR_PX;
    };
    main.addEventListener("scroll", onScroll, { passive: true });
    return () => main.removeEventListener("scroll", onScroll);
  }, []);
  useLayoutEffect(() => {
    const before = seen.current;
    if (before === list) return;
    seen.current = list;
    if (list.length > before.length) follows.current = true;
    const main = end.current?.closest("main");
    if (main != null && follows.current) main.scrollTo({ top: main.scrollHeight });
  });
  return end;
}
