import { useState } from "react";
import { useNow } from "./now.ts";

/**
 * Returns the filter of an address, fixed at the time of the request, so that the rows of "the last hour" do not move.
 * @param address filtering part of the address: equal text means an equal list
 */
export function useFixedFilter<Filter>(address: string, filterAt: (now: number) => Filter): Filter {
  const now = useNow();
  const [fixed, hold] = useState(() => ({ address, filter: filterAt(now) }));
  if (fixed.address === address) return fixed.filter;
  const next = { address, filter: filterAt(now) };
  hold(next);
  return next.filter;
}
