import { useState } from "react";
import { useNow } from "./now.ts";

/**
 * What an address asked for when it did. "The last hour" is that before it was asked for: a list must not slide away.
 * @param asked the part of the address that asks: the same text means the same list
 */
export function useFixedFilter<Filter>(asked: string, filterAt: (now: number) => Filter): Filter {
  const now = useNow();
  const [held, hold] = useState(() => ({ asked, filter: filterAt(now) }));
  if (held.asked === asked) return held.filter;
  const next = { asked, filter: filterAt(now) };
  hold(next);
  return next.filter;
}
