import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { RunningPage, RunningRequest } from "../../gateway/contract/requests.ts";
import { useGateway } from "./gateway.tsx";
import { queryNames, type RequestFilter } from "./query-names.ts";

/** Refetch interval in ms for progress, which has no events; only start and end of a request have them. */
const PROGRESS_EVERY_MS = 1_000;
const none: readonly RunningRequest[] = [];

/** Running requests, and the ids of those that ended since the last fetch. */
export interface RunningView {
  readonly data: readonly RunningRequest[];
  readonly ended: ReadonlySet<string>;
}

/**
 * Returns the requests that are not over, newest first; empty while their state is unknown.
 * @param filter stable while its content is the same
 */
export function useRunning(filter: RequestFilter): readonly RunningRequest[] {
  const { client, connected } = useGateway();
  const cache = useQueryClient();
  const queryKey = [queryNames.running, filter];
  const { data } = useQuery({
    queryKey,
    queryFn: async ({ signal }): Promise<RunningView> => {
      const response = await client.call("listRunning", filter, undefined, signal);
      return withEnded(cache.getQueryData<RunningView>(queryKey), response);
    },
    refetchInterval: ({ state }) => ((state.data?.data.length ?? 0) > 0 ? PROGRESS_EVERY_MS : false),
    // Requests that were running at the last visit have ended.
    gcTime: 0,
  });
  return connected === false || data === undefined ? none : data.data;
}

/**
 * Merges a new response. Ended requests stay for one more response, until their receipt replaces them, so that no row
 * disappears and reappears.
 */
export function withEnded(before: RunningView | undefined, { data }: Pick<RunningPage, "data">): RunningView {
  const runs = new Set(data.map(({ id }) => id));
  const ended = (before?.data ?? []).filter(({ id }) => !runs.has(id) && before?.ended.has(id) === false);
  if (ended.length === 0) return { data, ended: new Set() };
  return {
    data: [...data, ...ended].toSorted((a, b) => b.at - a.at),
    ended: new Set(ended.map(({ id }) => id)),
  };
}
