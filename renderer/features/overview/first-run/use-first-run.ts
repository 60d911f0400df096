import { useEffect, useState } from "react";
import type { State } from "../../../../gateway/contract/control.ts";
import type { Receipt } from "../../../../gateway/contract/receipt.ts";
import { useRecentRequests } from "../../../api/queries.ts";
import type { RequestFilter } from "../../../api/query-names.ts";
import { useStored } from "../../../lib/stored.ts";
import { firstResponse, hasResponded, isFirstRunOver, OVER, skippedSteps, storedSkips, type Step } from "./steps.ts";

const ALL: RequestFilter = {};

export interface FirstRun {
  /** `unknown` until recent requests are loaded: then nothing is shown. */
  readonly status: "unknown" | "guide" | "over";
  /** First response of a provider, if any. */
  readonly response: Receipt | null;
  /** Whether a provider has responded. */
  readonly answered: boolean;
  readonly skipped: ReadonlySet<Step>;
  skip(step: Step): void;
  /** Puts all of it away, for good. */
  hide(): void;
}

/**
 * State of the first-run guide, until a provider has responded or all steps are done or skipped. The end is stored; a
 * visible guide stays, also when the response arrives that ends it.
 */
export function useFirstRun(state: State): FirstRun {
  const [stored, store] = useStored("firstRun");
  const { data: newest } = useRecentRequests(ALL);
  const [guided, setGuided] = useState(false);
  const folder = state.data_dir;
  const skipped = skippedSteps(stored, folder);
  const isOver = isFirstRunOver(stored, folder);
  const response = newest === undefined ? null : firstResponse(newest.data);
  const answered = hasResponded(state) || response !== null;
  const known = answered || newest !== undefined;
  const begins = known && !answered && !isOver;
  if (begins && !guided) setGuided(true);

  useEffect(() => {
    if (answered && !isOver) store(storedSkips(folder, [...skippedSteps(stored, folder), OVER]));
  }, [answered, isOver, store, stored, folder]);

  return {
    status: guided || begins ? "guide" : isOver || answered ? "over" : "unknown",
    response,
    answered,
    skipped,
    skip: (step) => store(storedSkips(folder, [...skipped, step])),
    hide: () => {
      store(storedSkips(folder, [...skipped, OVER]));
      setGuided(false);
    },
  };
}
