import { useState } from "react";
import { useNow } from "./now.ts";

/**
 * Returns the filter of an address, fixed at the time of the request: the rows of "the last hour" must not move.
 * @param asked the part of the address that filters: the same text means the same list
 */
export function useFixedFilter<Filter>(asked: string, filterAt: (now: number) => Filter): Filter {
  const now = useNow();
  const [held, hold] = useState(() => ({ asked, filter: filterAt(now) }));
  if (held.asked === asked) return held.filter;
  const next = { asked, filter: filterAt(now) };
  hold(next);
  return next.filter;
}
